import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';
import { classNames } from '../../browser/class-names.ts';
import styles from './field.module.css';

interface Common {
  label: string;
  hint?: ReactNode;
  /** The error text below the input. */
  error?: string | null;
}

interface FieldProps extends Common, InputHTMLAttributes<HTMLInputElement> {
  /** A button over the end of the input. */
  button?: ReactNode;
}

/** A label, an input, and a hint or an error below it. */
export function Field({ label, hint, error, className, button, ...input }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  const box = (
    <input
      {...input}
      id={id}
      aria-invalid={error ? true : undefined}
      aria-describedby={note ? `${id}-note` : undefined}
    />
  );
  return (
    <div className={classNames(styles['field'], className)}>
      <label htmlFor={id}>{label}</label>
      {button === undefined ? (
        box
      ) : (
        <div className={styles['box']}>
          {box}
          {button}
        </div>
      )}
      <Note id={`${id}-note`} hint={hint} error={error ?? null} />
    </div>
  );
}

/** A Field with several lines. */
export function TextField({
  label,
  hint,
  error,
  className,
  ...area
}: Common & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={classNames(styles['field'], className)}>
      <label htmlFor={id}>{label}</label>
      <textarea
        rows={3}
        {...area}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
      />
      <Note id={`${id}-note`} hint={hint} error={error ?? null} />
    </div>
  );
}

function Note({ id, hint, error }: { id: string; hint: ReactNode; error: string | null }) {
  if (error)
    return (
      <p id={id} className={styles['error']} role="alert">
        {error}
      </p>
    );
  return hint ? (
    <p id={id} className={styles['hint']}>
      {hint}
    </p>
  ) : null;
}
