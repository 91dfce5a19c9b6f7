import { ApiError } from '@parley/client';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { usePasswordQuestion } from '../account/ask-password.tsx';
import { parseSchemas } from './schemas.ts';
import styles from '../../config/settings.module.css';
import { t } from '../../words/t.ts';

interface NewBotProps {
  onMade: (token: string) => void;
  onClose: () => void;
}

const example = '{ "config_schema": [{ "key": "city", "label": "City", "type": "string" }], "secret_schema": [] }';

/** The form for a new bot: name, handle and settings schema. */
export function NewBot({ onMade, onClose }: NewBotProps) {
  const { client, username } = useSession();
  const [name, setName] = useState('');
  const [slug, setSlug] = useState('');
  const [schemas, setSchemas] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const { ask, dialog } = usePasswordQuestion();
  const own = ['display_name', 'slug', 'schemas'];

  async function create() {
    if (name.trim() === '') return refuse('display_name', t('Enter a name.'));
    if (!/^[a-z0-9_]{1,32}$/.test(slug)) return refuse('slug', t('Use up to 32 lowercase letters, digits and _.'));
    const fields = parseSchemas(schemas);
    if (fields === null) return refuse('schemas', t('This isn’t valid JSON in the form of the example.'));
    await submit(
      async () => {
        const { token } = await ask((given) =>
          client.call('createBot', { slug, display_name: name.trim(), ...fields, ...given }),
        );
        onMade(token);
      },
      (error) => {
        if (!(error instanceof ApiError)) return null;
        if (error.code === 'conflict')
          return { field: 'slug', text: t('You have or had an agent with this handle. Choose another.') };
        return /^(?:config|secret)_schema/.test(String(error.parameters['field']))
          ? { field: 'schemas', text: error.description }
          : null;
      },
    );
    return undefined;
  }

  return (
    <FormDialog
      title={t('New bot')}
      action={t('Create bot')}
      isBusy={isBusy}
      onSubmit={create}
      onChange={clear}
      onClose={onClose}
      nested={dialog}
    >
      <Field
        label={t('Name')}
        value={name}
        maxLength={64}
        autoComplete="off"
        error={errorOf('display_name')}
        onChange={({ target }) => setName(target.value)}
      />
      <Field
        label={t('Handle')}
        value={slug}
        maxLength={32}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={t('People mention it as @{username}:{handle}.', {
          username,
          handle: slug === '' ? t('handle') : slug,
        })}
        error={errorOf('slug')}
        onChange={({ target }) => setSlug(target.value.toLowerCase())}
      />
      <details className={styles['more']}>
        <summary>{t('Settings that people can change')}</summary>
        <TextField
          label={t('Fields, as JSON')}
          rows={5}
          spellCheck={false}
          placeholder={example}
          hint={t('See the documentation at /docs for what a field can have.')}
          value={schemas}
          error={errorOf('schemas')}
          onChange={({ target }) => setSchemas(target.value)}
        />
      </details>
      <Problem text={errorBut(...own)} ofForm />
    </FormDialog>
  );
}
