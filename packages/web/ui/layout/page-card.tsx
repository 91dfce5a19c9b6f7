// Frames of pages and of their sections. May import: the rooms below ui.
import type { ReactNode } from 'react';
import styles from './page-card.module.css';

/** A centred card, the only content of its page. */
export function PageCard({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <span className={styles['icon']} aria-hidden>
          {icon}
        </span>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
