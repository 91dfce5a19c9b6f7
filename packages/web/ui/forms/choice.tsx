// Fields and switches. May import: the rooms below ui.
import { type ReactNode, useId } from 'react';
import styles from './choice.module.css';

interface ChoiceProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string; picture?: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Radio buttons that look like cards. */
export function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles['choice']}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles['option']}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.picture}
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
