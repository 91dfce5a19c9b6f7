import type { InputHTMLAttributes } from 'react';
import type { FieldState } from '../../calls/use-form.ts';
import { Field, SelectField, TextField } from './field.tsx';

const inputs: Readonly<Record<NonNullable<FieldState['kind']>, InputHTMLAttributes<HTMLInputElement>>> = {
  line: { autoComplete: 'off' },
  prose: {},
  code: {},
  handle: { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false },
  whole: { inputMode: 'numeric', autoComplete: 'off' },
  decimal: { inputMode: 'decimal', autoComplete: 'off' },
  address: { type: 'url', inputMode: 'url', autoComplete: 'off', spellCheck: false },
  secret: { type: 'password', autoComplete: 'off', spellCheck: false },
  choice: {},
};

interface FormFieldProps extends FieldState {
  className?: string;
  autoFocus?: boolean;
  /** Of an input of one line, and of `code`; `prose` is `auto`. */
  dir?: 'auto' | 'ltr';
  /** Of all but a `choice`. */
  readOnly?: boolean;
  /** The ID of a list of suggestions, of an input of one line. */
  list?: string;
}

/** The input of a described field, with its label, and its hint or error. */
export function FormField({
  kind = 'line',
  problem: _problem,
  options = [],
  rows = 3,
  onType,
  list,
  ...field
}: FormFieldProps) {
  const onChange = ({ target }: { target: { value: string } }) => onType(target.value);
  switch (kind) {
    case 'prose':
      return <TextField {...field} dir="auto" rows={rows} onChange={onChange} />;
    case 'code':
      return <TextField autoComplete="off" spellCheck={false} {...field} rows={rows} onChange={onChange} />;
    case 'choice': {
      const { label, hint, error, value, className, autoFocus } = field;
      return <SelectField {...{ label, hint, error, value, className, autoFocus, options }} onChange={onChange} />;
    }
    default:
      return <Field {...inputs[kind]} {...field} list={list} onChange={onChange} />;
  }
}
