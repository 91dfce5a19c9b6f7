import type { ReactNode } from 'react';
import { classNames } from '../../browser/class-names.ts';
import styles from './buttons.module.css';

interface ButtonsProps {
  /** They begin where lines begin. */
  atStart?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** Buttons in a row, by default at its end. */
export const Buttons = ({ atStart = false, className, children }: ButtonsProps) => (
  <div className={classNames(styles['buttons'], atStart && styles['start'], className)}>{children}</div>
);
