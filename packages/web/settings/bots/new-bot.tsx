import { ApiError } from '@parley/client';
import { type SubmitEvent, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { usePasswordQuestion } from '../account/ask-password.tsx';
import { parseSchemas } from './schemas.ts';
import styles from '../../config/settings.module.css';

interface NewBotProps {
  onMade: (token: string) => void;
  onClose: () => void;
}

const example = '{ "config_schema": [{ "key": "city", "label": "City", "type": "string" }], "secret_schema": [] }';

/** A name, a handle, and what people can set of it. */
export function NewBot({ onMade, onClose }: NewBotProps) {
  const { client, username } = useSession();
  const [name, setName] = useState('');
  const [slug, setSlug] = useState('');
  const [schemas, setSchemas] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const { ask, dialog } = usePasswordQuestion();
  const own = ['display_name', 'slug', 'schemas'];

  async function create(event: SubmitEvent) {
    event.preventDefault();
    if (name.trim() === '') return refuse('display_name', 'Give it a name.');
    if (!/^[a-z0-9_]{1,32}$/.test(slug)) return refuse('slug', 'Small letters, digits and _, at most 32.');
    const fields = parseSchemas(schemas);
    if (fields === null) return refuse('schemas', 'This is no JSON of the form of the example.');
    await submit(
      async () => {
        const { token } = await ask((given) =>
          client.call('createBot', { slug, display_name: name.trim(), ...fields, ...given }),
        );
        onMade(token);
      },
      (error) => {
        if (!(error instanceof ApiError)) return null;
        if (error.code === 'conflict') return { field: 'slug', text: 'You have an agent of this name, or had one.' };
        return /^(?:config|secret)_schema/.test(String(error.parameters['field']))
          ? { field: 'schemas', text: error.description }
          : null;
      },
    );
    return undefined;
  }

  return (
    <Dialog
      title="New bot"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="new-bot" look="primary" isBusy={isBusy}>
            Create bot
          </Button>
        </>
      }
    >
      <form
        id="new-bot"
        className={styles['form']}
        onSubmit={(event) => void create(event)}
        onChange={clear}
        noValidate
      >
        <Field
          label="Name"
          value={name}
          maxLength={64}
          autoComplete="off"
          error={errorOf('display_name')}
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label="Handle"
          value={slug}
          maxLength={32}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={`It is mentioned as @${username}:${slug === '' ? 'handle' : slug}.`}
          error={errorOf('slug')}
          onChange={({ target }) => setSlug(target.value.toLowerCase())}
        />
        <details className={styles['more']}>
          <summary>Settings that people can make</summary>
          <TextField
            label="Fields, as JSON"
            rows={5}
            spellCheck={false}
            placeholder={example}
            hint="The documentation at /docs tells what a field may have."
            value={schemas}
            error={errorOf('schemas')}
            onChange={({ target }) => setSchemas(target.value)}
          />
        </details>
        <Problem text={errorBut(...own)} />
      </form>
      {dialog}
    </Dialog>
  );
}
