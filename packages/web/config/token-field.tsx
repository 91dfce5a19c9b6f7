import type { KeyboardEventHandler } from 'react';
import { Field } from '../ui/forms/field.tsx';
import { t } from '../words/t.ts';

interface TokenFieldProps {
  /** Of the server that the token is for. */
  host: string;
  value: string;
  error: string | null;
  className?: string;
  onChange: (value: string) => void;
  onKeyDown?: KeyboardEventHandler<HTMLInputElement>;
}

/** A field for the user's token for a server of tools. */
export const TokenField = ({ host, onChange, ...field }: TokenFieldProps) => (
  <Field
    {...field}
    label={t('Your token for {host}', { host })}
    type="password"
    autoComplete="off"
    spellCheck={false}
    hint={t(
      'You find or make it in your account there. It is stored encrypted, sent only to {host}, and never shown again.',
      {
        host,
      },
    )}
    onChange={({ target }) => onChange(target.value)}
  />
);
