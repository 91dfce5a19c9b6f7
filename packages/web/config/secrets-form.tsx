import type { FieldSpec } from '@parley/protocol';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/forms/field.tsx';
import styles from './fields-form.module.css';
import type { SecretChanges } from './fields.ts';
import { t } from '../words/t.ts';

interface SecretsFormProps {
  fields: readonly FieldSpec[];
  /** The last characters of each secret that is set, masked; '' if the service does not return them. */
  tails: Readonly<Record<string, string>>;
  /** Keys of secrets that the owner has set for everyone. */
  inherited?: readonly string[];
  /** The host that secrets are sent to, if it is not the provider's. */
  server?: string | undefined;
  changes: SecretChanges;
  onChange: (changes: SecretChanges) => void;
  errorOf: (key: string) => string | null;
}

/** Inputs for secrets. A secret that is set is only masked; the user can replace or remove it. */
export function SecretsForm({ fields, tails, inherited = [], server, changes, onChange, errorOf }: SecretsFormProps) {
  return (
    <div className={styles['fields']}>
      {fields.map((field) => (
        <SecretField
          key={field.key}
          field={field}
          tail={tails[field.key]}
          isInherited={inherited.includes(field.key)}
          server={server}
          change={changes[field.key]}
          error={errorOf(field.key)}
          onChange={(value) => {
            const { [field.key]: _before, ...others } = changes;
            onChange(value === undefined ? others : { ...others, [field.key]: value });
          }}
        />
      ))}
    </div>
  );
}

interface SecretFieldProps {
  field: FieldSpec;
  tail: string | undefined;
  isInherited: boolean;
  server: string | undefined;
  change: string | undefined;
  error: string | null;
  onChange: (value: string | undefined) => void;
}

function SecretField({ field, tail, isInherited, server, change, error, onChange }: SecretFieldProps) {
  const isSet = tail !== undefined;
  const [isOpen, setIsOpen] = useState(false);
  const { label, placeholder } = field;
  const description = [field.description, server === undefined ? '' : t('This key is sent to {server}.', { server })]
    .filter((part) => part)
    .join(' ');
  if (!isSet || isOpen || (change !== undefined && change !== ''))
    return (
      <div className={styles['secret']}>
        <Field
          className="ui-grow"
          label={label}
          type="password"
          autoComplete="off"
          autoFocus={isOpen}
          placeholder={placeholder}
          hint={[description, isInherited && !isSet ? t('The owner has already set one for everyone.') : '']
            .filter((part) => part)
            .join(' ')}
          error={error}
          value={change ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        />
        {isSet ? (
          <Button
            size="small"
            look="quiet"
            onClick={() => {
              setIsOpen(false);
              onChange(undefined);
            }}
          >
            {t('Keep the current one')}
          </Button>
        ) : null}
      </div>
    );
  const isCleared = change === '';
  return (
    <fieldset className={styles['secret']}>
      <legend>{label}</legend>
      <span className={styles['mask']}>
        {isCleared ? t('Removed when you save') : `••••••••${tail.replace(/^[•*]+/, '')}`}
      </span>
      {isCleared ? (
        <Button size="small" onClick={() => onChange(undefined)}>
          {t('Keep it')}
        </Button>
      ) : (
        <>
          <Button size="small" onClick={() => setIsOpen(true)}>
            {t('Set a new one')}
          </Button>
          <Button size="small" look="quiet" onClick={() => onChange('')}>
            {t('Remove')}
          </Button>
        </>
      )}
      {description ? <p className={styles['hint']}>{description}</p> : null}
    </fieldset>
  );
}
