import { ZoomIn, ZoomOut } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import type { Diagram } from '../../diagrams/draw-diagram.ts';
import styles from './diagram-block.module.css';
import { t } from '../../words/t.ts';

const SCALES = [0.5, 0.75, 1, 1.5, 2, 3] as const;
const NATURAL = 2;

interface DiagramDialogProps {
  diagram: Diagram;
  /** Its source. */
  text: string;
  onClose: () => void;
}

/** A diagram over the whole page, in its own size at first; it can be scrolled and zoomed. */
export default function DiagramDialog({ diagram: { address, width, height }, text, onClose }: DiagramDialogProps) {
  const [at, setAt] = useState(NATURAL);
  const scale = SCALES[at] ?? 1;
  const zoom = (label: string, icon: React.ReactNode, next: number) => (
    <IconButton label={label} icon={icon} disabled={SCALES[next] === undefined} onClick={() => setAt(next)} />
  );
  return (
    <Dialog
      title={t('Diagram')}
      shape="full"
      isOpen
      onClose={onClose}
      footer={
        <>
          {zoom(t('Zoom out'), <ZoomOut />, at - 1)}
          {zoom(t('Zoom in'), <ZoomIn />, at + 1)}
        </>
      }
    >
      {/* Focusable, so that the keyboard can scroll it. */}
      <div className={styles['large']} tabIndex={0} role="group" aria-label={t('Diagram')} data-focus>
        <img src={address} width={width * scale} height={height * scale} alt={text} />
      </div>
    </Dialog>
  );
}
