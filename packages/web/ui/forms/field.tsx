import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { classNames } from '../../browser/class-names.ts';
import styles from './field.module.css';

interface Common {
  label: string;
  hint?: ReactNode;
  /** The error text below the input. */
  error?: string | null | undefined;
  className?: string | undefined;
}

interface LabelledProps extends Common {
  /** Makes the input with what connects it to its label and its note. */
  children: (input: {
    id: string;
    'aria-invalid': true | undefined;
    'aria-describedby': string | undefined;
  }) => ReactNode;
}

/** A label, an input, and a hint or an error below it. */
function Labelled({ label, hint, error, className, children }: LabelledProps) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className={classNames(styles['field'], className)}>
      <label className="ui-label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': (error ?? hint) ? noteId : undefined,
      })}
      {error ? (
        <p id={noteId} className="ui-error" role="alert">
          {error}
        </p>
      ) : hint ? (
        <p id={noteId} className={styles['hint']}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

interface FieldProps extends Common, Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> {
  /** A button over the end of the input. */
  button?: ReactNode;
}

/** A labelled input of one line. */
export const Field = ({ label, hint, error, className, button, ...input }: FieldProps) => (
  <Labelled {...{ label, hint, error, className }}>
    {(attributes) => {
      const box = <input {...input} {...attributes} />;
      return button === undefined ? (
        box
      ) : (
        <div className={styles['box']}>
          {box}
          {button}
        </div>
      );
    }}
  </Labelled>
);

/** A Field with several lines. */
export const TextField = ({
  label,
  hint,
  error,
  className,
  ...area
}: Common & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <Labelled {...{ label, hint, error, className }}>
    {(attributes) => <textarea rows={3} {...area} {...attributes} />}
  </Labelled>
);

interface SelectFieldProps extends Common, Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'> {
  options: readonly { value: string; label: string }[];
}

/** A labelled select box. */
export const SelectField = ({ label, options, hint, error, className, ...select }: SelectFieldProps) => (
  <Labelled {...{ label, hint, error, className }}>
    {(attributes) => (
      <select {...select} {...attributes}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);
