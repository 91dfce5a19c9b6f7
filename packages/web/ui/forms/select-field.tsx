import { type SelectHTMLAttributes, useId } from 'react';
import { classNames } from '../../browser/class-names.ts';
import styles from './field.module.css';

interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
  options: readonly { value: string; label: string }[];
  hint?: string | undefined;
  error?: string | null;
}

/** A label, a select box, and a hint or an error below it. */
export function SelectField({ label, options, hint, error, className, ...select }: SelectFieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={classNames(styles['field'], className)}>
      <label htmlFor={id}>{label}</label>
      <select
        {...select}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {note ? (
        <p id={`${id}-note`} className={error ? styles['error'] : styles['hint']} role={error ? 'alert' : undefined}>
          {note}
        </p>
      ) : null}
    </div>
  );
}
