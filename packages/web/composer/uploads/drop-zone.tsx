import { Upload } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { type Place, useComposings } from '../composing/composing.ts';
import styles from './drop-zone.module.css';
import { t } from '../../words/t.ts';

interface DropZoneProps {
  place: Place;
  className?: string | undefined;
  label: string;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

/** A section of the page: files dropped on it go to the composer of its timeline. */
export function DropZone({ place, className, label, onKeyDown, children }: DropZoneProps) {
  const composings = useComposings();
  const [isOver, setIsOver] = useState(false);
  // Drag events fire for each nested element: count them.
  const depth = useRef(0);
  const leave = () => {
    depth.current = 0;
    setIsOver(false);
  };
  return (
    <section
      className={className}
      aria-label={label}
      onKeyDown={onKeyDown}
      onDragEnter={(event) => {
        if (!holdsFiles(event)) return;
        depth.current += 1;
        setIsOver(true);
      }}
      onDragOver={(event) => {
        if (holdsFiles(event)) event.preventDefault();
      }}
      onDragLeave={(event) => {
        if (!holdsFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) leave();
      }}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        leave();
        composings.signal('files', place, [...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver ? (
        <div className={styles['over']} data-drop-target>
          <p>
            <Upload /> {t('Drop files to send them here')}
          </p>
        </div>
      ) : null}
    </section>
  );
}
