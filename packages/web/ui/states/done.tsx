import type { ReactNode } from 'react';
import { t } from '../../words/t.ts';
import styles from './done.module.css';

/** Says that something was done; screen readers hear it. */
export const Done = ({ children }: { children: ReactNode }) => (
  <span className={styles['done']} role="status">
    {children}
  </span>
);

/** Says that something was saved, once it is. */
export const Saved = ({ isDone }: { isDone: boolean }) => <Done>{isDone ? t('Saved') : ''}</Done>;
