import type { Ref } from 'react';
import styles from './copied-field.module.css';

/** A text to copy, such as a link or a token. It is selected when it gets the focus. */
export function CopiedField({ label, value, ref }: { label: string; value: string; ref?: Ref<HTMLInputElement> }) {
  return (
    <input
      ref={ref}
      className={styles['field']}
      readOnly
      value={value}
      aria-label={label}
      onFocus={({ target }) => target.select()}
    />
  );
}
