// What a page shows while it loads, when it is empty and when something failed. May import: ui and the rooms below ui.
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Shown in place of content that does not exist yet: one sentence that says what to do next. */
export function EmptyState({ icon, title, children }: { icon?: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className={styles['empty']}>
      {icon}
      <p className={styles['title']}>{title}</p>
      {children}
    </div>
  );
}
