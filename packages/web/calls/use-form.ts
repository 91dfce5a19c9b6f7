import { type ReactNode, useState } from 'react';
import { type Submit, useSubmit } from './use-submit.ts';

/** What a form says of a field, and what can be typed into it. */
export interface FieldDescription {
  readonly label: string;
  /** `line` if it is left out. `prose` and `code` have several lines, `whole` and `decimal` numbers, `choice` `options`. */
  readonly kind?: 'line' | 'prose' | 'code' | 'handle' | 'whole' | 'decimal' | 'address' | 'secret' | 'choice';
  readonly hint?: ReactNode;
  readonly placeholder?: string | undefined;
  /** Maximum UTF-16 code units of what is typed. */
  readonly maxLength?: number;
  /** Of `prose` and `code`. */
  readonly rows?: number;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** What is wrong with a text; null if nothing is. */
  readonly problem?: (typed: string) => string | null;
}

/** A described field with what was typed. */
export interface FieldState extends FieldDescription {
  readonly value: string;
  readonly error: string | null;
  readonly onType: (value: string) => void;
}

type Descriptions<Key extends string> = Readonly<Record<Key, FieldDescription>>;

/** The first field with a problem. */
function firstProblem<Key extends string>(
  fields: Descriptions<Key>,
  draft: Readonly<Record<Key, string>>,
): { field: Key; text: string } | null {
  // Keys of the same object.
  for (const field of Object.keys(fields) as Key[]) {
    const text = fields[field].problem?.(draft[field]);
    if (typeof text === 'string') return { field, text };
  }
  return null;
}

export interface FormHandle<Key extends string> extends Pick<
  Submit,
  'isBusy' | 'isDone' | 'errorOf' | 'submit' | 'refuse' | 'clear'
> {
  readonly draft: Readonly<Record<Key, string>>;
  /** As if the user typed it. */
  readonly change: (part: Partial<Record<Key, string>>) => void;
  /** Leaves what was said about the form. */
  readonly put: (part: Partial<Record<Key, string>>) => void;
  readonly field: (key: Key) => FieldState;
  /** The error that belongs to no field. */
  readonly otherError: string | null;
  /** Like `submit`, but refuses the first field with a problem. */
  readonly send: Submit['submit'];
}

/** A form whose fields hold texts. The keys of fields are those of the operation, so that its errors find their fields. */
export function useForm<Key extends string>(
  fields: Descriptions<Key>,
  start: Readonly<Record<Key, string>>,
): FormHandle<Key> {
  const [draft, setDraft] = useState(start);
  const { isBusy, isDone, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const put: FormHandle<Key>['put'] = (part) => setDraft((before) => ({ ...before, ...part }));
  const change: FormHandle<Key>['change'] = (part) => {
    put(part);
    clear();
  };
  return {
    isBusy,
    isDone,
    draft,
    errorOf,
    submit,
    refuse,
    clear,
    change,
    put,
    field: (key) => ({
      ...fields[key],
      value: draft[key],
      error: errorOf(key),
      // One key of the draft.
      onType: (value) => change({ [key]: value } as Partial<Record<Key, string>>),
    }),
    otherError: errorBut(...Object.keys(fields)),
    async send(action, say) {
      const wrong = firstProblem(fields, draft);
      if (wrong === null) return submit(action, say);
      refuse(wrong.field, wrong.text);
      return false;
    },
  };
}
