import { useCallback, useState } from 'react';
import { errorText } from '../words/error-text.ts';
import { fieldError } from '../words/field-error.ts';

interface Failure {
  field: string | null;
  text: string;
}

/** The state of a form or button that calls the service. */
export interface Submit {
  readonly isBusy: boolean;
  /** The last call succeeded, and nothing was changed since. */
  readonly isDone: boolean;
  /** The error to show at the form's end: null if it belongs to one of these fields, which show it themselves. */
  readonly errorBut: (...fields: readonly string[]) => string | null;
  readonly errorOf: (field: string) => string | null;
  /** Resolves to whether the action succeeded. `say` may word an error; null leaves it to the default. */
  readonly submit: (action: () => Promise<unknown>, say?: (error: unknown) => Failure | null) => Promise<boolean>;
  readonly refuse: (field: string, text: string) => void;
  readonly clear: () => void;
}

export function useSubmit(): Submit {
  const [isBusy, setIsBusy] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const clear = useCallback(() => {
    setFailure(null);
    setIsDone(false);
  }, []);
  const submit = useCallback<Submit['submit']>(async (action, say) => {
    setIsBusy(true);
    setFailure(null);
    setIsDone(false);
    try {
      await action();
      setIsDone(true);
      return true;
    } catch (error) {
      setFailure(say?.(error) ?? fieldError(error) ?? { field: null, text: errorText(error) });
      return false;
    } finally {
      setIsBusy(false);
    }
  }, []);
  const refuse = useCallback((field: string, text: string) => setFailure({ field, text }), []);
  const errorOf = (field: string): string | null => (failure?.field === field ? failure.text : null);
  const errorBut = (...fields: readonly string[]): string | null =>
    failure === null || (failure.field !== null && fields.includes(failure.field)) ? null : failure.text;
  return { isBusy, isDone, errorBut, errorOf, submit, refuse, clear };
}
