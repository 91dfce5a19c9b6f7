import type { Decision } from '@parley/protocol';
import { useState } from 'react';
import { useSubmit } from '../../../calls/use-submit.ts';
import { useSession } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { Problem } from '../../../ui/states/problem.tsx';
import { t } from '../../../words/t.ts';
import styles from './decision.module.css';
import { OptionButtons } from './option-buttons.tsx';
import type { Deciding } from './use-decide.ts';

interface LoginFormProps {
  agent: string;
  login: NonNullable<Decision['login']>;
  deciding: Deciding;
}

/** Sets the reader's token for a server of an agent, which decides the decision. */
export function LoginForm({ agent, login: { server, host }, deciding }: LoginFormProps) {
  const { client } = useSession();
  const { decision, sent, decide } = deciding;
  const [token, setToken] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const save = () =>
    token.trim() === ''
      ? refuse('token', t('Fill this in.'))
      : submit(() => client.call('setToolCredential', { username: agent, server, token: token.trim() }));
  return (
    <Form className={styles['form'] ?? null} onSubmit={save}>
      <Field
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
        error={errorOf('token')}
        value={token}
        onChange={({ target }) => {
          setToken(target.value);
          clear();
        }}
      />
      <div className={styles['options']}>
        <Button className={styles['option']} look="primary" type="submit" isBusy={isBusy}>
          {t('Save and go on')}
        </Button>
        <OptionButtons decision={decision} sent={sent} onChoose={(option) => void decide(option)} />
      </div>
      <Problem text={errorBut('token')} />
    </Form>
  );
}
