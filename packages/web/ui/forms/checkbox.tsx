import { useId } from 'react';

interface CheckboxProps {
  label: string;
  hint: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** One of several things that can be chosen together, with a word about it. */
export function Checkbox({ label, hint, isChecked, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <div className="ui-beside ui-check">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-hint`} className="ui-hint">
          {hint}
        </p>
      </div>
    </div>
  );
}
