import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** A list of named facts, each a `Fact`. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles['facts']}>{children}</dl>;

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="ui-soft">{name}</dt>
    <dd className="ui-break">{children}</dd>
  </div>
);
