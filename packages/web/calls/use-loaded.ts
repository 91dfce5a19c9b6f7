// React state of calls to the service: loading, submitting, debouncing. May import: words.
import { useCallback, useEffect, useState } from 'react';
import { errorText } from '../words/error-text.ts';

/** The result of an operation whose data the store does not keep. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  /** Why the last load failed, in words for the user. */
  readonly error: string | null;
  readonly reload: () => void;
  /** Replaces the value, for example with the result of a later call. */
  readonly put: (value: Value) => void;
  /** Changes the value as it is by then; does nothing until it is loaded. */
  readonly change: (change: (before: Value) => Value) => void;
}

/** Calls `load` on mount and whenever it is another function: pass a stable one. */
export function useLoaded<Value>(load: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<{ value: Value | undefined; error: string | null }>({
    value: undefined,
    error: null,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    load(signal).then(
      (value) => signal.aborted || setState({ value, error: null }),
      (failure: unknown) => signal.aborted || setState(({ value }) => ({ value, error: errorText(failure) })),
    );
    return () => abort.abort();
  }, [load, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const put = useCallback((value: Value) => setState({ value, error: null }), []);
  const change = useCallback(
    (update: (before: Value) => Value) =>
      setState((before) =>
        before.value === undefined ? before : { value: update(before.value), error: before.error },
      ),
    [],
  );
  return { ...state, reload, put, change };
}
