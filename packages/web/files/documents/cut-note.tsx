import type { ReactNode } from 'react';
import styles from './documents.module.css';

/** Says at the end of a document that it goes on. */
export const CutNote = ({ children }: { children: ReactNode }) => <p className={styles['cut']}>{children}</p>;
