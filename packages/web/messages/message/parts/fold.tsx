import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { classNames } from '../../../browser/class-names.ts';
import styles from './parts.module.css';

interface FoldProps {
  /** The line that is always shown. */
  line: ReactNode;
  /** Shown while folded, beside the line. */
  folded?: ReactNode;
  /** Without it the line is no button. */
  children: (() => ReactNode) | null;
  /** The line fills the width. */
  isWide?: boolean;
}

/** A line that unfolds by a click. What it hides is not rendered. */
export function Fold({ line, folded = null, children, isWide = false }: FoldProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const names = classNames(styles['line'], isWide && styles['wide']);
  if (!children)
    return (
      <>
        <div className={names}>{line}</div>
        {folded}
      </>
    );
  return (
    <>
      <button
        type="button"
        className={classNames(names, 'ui-press ui-ink', isWide && 'ui-hover')}
        // The timeline keeps the button in place when the row grows.
        data-fold
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {line}
        <ChevronRight className={styles['arrow']} aria-hidden />
      </button>
      {isOpen ? null : folded}
      {isOpen ? <div id={id}>{children()}</div> : null}
    </>
  );
}
