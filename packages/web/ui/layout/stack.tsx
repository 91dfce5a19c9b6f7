import type { ReactNode } from 'react';
import styles from './stack.module.css';

/** What stands below each other, as wide as its place. */
export const Stack = ({ children }: { children: ReactNode }) => <div className={styles['wide']}>{children}</div>;
