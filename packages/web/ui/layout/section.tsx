import { type ReactNode, useId } from 'react';
import { classNames } from '../../browser/class-names.ts';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  hint?: ReactNode;
  /** A button at the right of the title. */
  action?: ReactNode;
  isDanger?: boolean;
  level?: 2 | 3;
  children?: ReactNode;
}

/** A titled section of a page or panel. */
export function Section({ title, hint, action, isDanger = false, level = 2, children }: SectionProps) {
  const id = useId();
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <div className={styles['head']}>
        <Heading id={id} className={classNames('ui-title', isDanger && 'ui-danger')}>
          {title}
        </Heading>
        {action}
      </div>
      {hint ? <p className={styles['hint']}>{hint}</p> : null}
      {children}
    </section>
  );
}
