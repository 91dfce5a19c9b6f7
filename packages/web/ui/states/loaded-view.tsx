import type { ReactNode } from 'react';
import type { Loaded } from '../../calls/use-loaded.ts';
import styles from './loaded-view.module.css';
import { Problem } from './problem.tsx';
import { Spinner } from './spinner.tsx';

interface LoadedViewProps<Value> {
  loaded: Loaded<Value>;
  /** The spinner's accessible name. */
  label: string;
  /** Shown if the loaded list is empty. */
  empty?: string;
  isEmpty?: (value: Value) => boolean;
  children: (value: Value) => ReactNode;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Renders a loaded value, or a spinner or an error while there is none. */
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
      {empty !== undefined && isEmpty(value) ? <p className="ui-hint">{empty}</p> : children(value)}
    </>
  );
}
