import type { ToolServer } from '@parley/protocol';
import { useState } from 'react';
import { useSubmit } from '../calls/use-submit.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { t } from '../words/t.ts';
import styles from './fields-form.module.css';
import { TokenField } from './token-field.tsx';

interface ToolTokenProps {
  /** Username of the agent. */
  agent: string;
  server: Pick<ToolServer, 'name' | 'host' | 'credential_tail'>;
  onChange: () => void;
}

/** The user's token for a server of tools of an agent: only masked once it is set. */
export function ToolToken({ agent, server: { name: server, host, credential_tail: tail }, onChange }: ToolTokenProps) {
  const { client } = useSession();
  const [token, setToken] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const place = { username: agent, server };

  async function save() {
    if (token.trim() === '') return refuse('token', t('Fill this in.'));
    if (await submit(async () => client.call('setToolCredential', { ...place, token: token.trim() }))) {
      setToken('');
      onChange();
    }
    return undefined;
  }
  async function remove() {
    if (await submit(async () => client.call('removeToolCredential', place))) onChange();
  }

  if (tail !== undefined)
    return (
      <fieldset className={styles['secret']}>
        <legend>{t('Your token for {host}', { host })}</legend>
        <span className={styles['mask']}>{`••••••••${tail.replace(/^[•*]+/, '')}`}</span>
        <Button size="small" look="quiet" isBusy={isBusy} onClick={() => void remove()}>
          {t('Remove')}
        </Button>
        <Problem text={errorBut()} />
      </fieldset>
    );
  return (
    <div className={styles['secret']}>
      <TokenField
        className="ui-grow"
        host={host}
        error={errorOf('token')}
        value={token}
        onChange={(value) => {
          setToken(value);
          clear();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // It may stand in a form that saves something else.
          event.preventDefault();
          void save();
        }}
      />
      <Button size="small" isBusy={isBusy} onClick={() => void save()}>
        {t('Save token')}
      </Button>
      <Problem text={errorBut('token')} />
    </div>
  );
}
