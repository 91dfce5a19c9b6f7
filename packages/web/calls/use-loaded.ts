import { useCallback, useEffect, useState } from 'react';
import { errorText } from '../words/error-text.ts';

/** What an operation has answered, of things that the store does not keep. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  /** Why there is none, or no newer one. */
  readonly error: string | null;
  readonly reload: () => void;
  /** Puts in what a later call has answered. */
  readonly put: (value: Value) => void;
}

/** Calls `load` now, and again when it is another function; give it a stable one. */
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
  return { ...state, reload, put };
}
