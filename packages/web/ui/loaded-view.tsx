import type { ReactNode } from 'react';
import type { Loaded } from '../calls/use-loaded.ts';
import styles from './loaded-view.module.css';
import { Problem } from './problem.tsx';
import { Spinner } from './spinner.tsx';

interface LoadedViewProps<Value> {
  loaded: Loaded<Value>;
  /** What is on its way, for those who do not see it turn. */
  label: string;
  /** One sentence where there is nothing; by default of an empty list. */
  empty?: string;
  isEmpty?: (value: Value) => boolean;
  children: (value: Value) => ReactNode;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** What was loaded; before that, or without it, a word about it. */
export function LoadedView<Value>({ loaded, label, empty, isEmpty = isEmptyList, children }: LoadedViewProps<Value>) {
  const { value, error, reload } = loaded;
  if (value === undefined)
    return error === null ? (
      <div className={styles['loading']}>
        <Spinner label={label} />
      </div>
    ) : (
      <Problem text={error} onRetry={reload} />
    );
  return (
    <>
      {error === null ? null : <Problem text={error} onRetry={reload} />}
      {empty !== undefined && isEmpty(value) ? <p className={styles['empty']}>{empty}</p> : children(value)}
    </>
  );
}
