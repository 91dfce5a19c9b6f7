import type { Decision } from '@parley/protocol';
import { type ReactNode, useCallback, useState } from 'react';
import { useLoaded } from '../../../calls/use-loaded.ts';
import { useSubmit } from '../../../calls/use-submit.ts';
import { TokenField } from '../../../config/token-field.tsx';
import { ToolLogin } from '../../../config/tool-login.tsx';
import { useSession } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { LoadedView } from '../../../ui/states/loaded-view.tsx';
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

/** The reader's way into a server of an agent: a token, or the page of a login. Either decides the decision. */
export function LoginForm({ agent, login, deciding }: LoginFormProps) {
  const { client } = useSession();
  const { server: name } = login;
  const load = useCallback(
    async () =>
      (await client.call('getToolServers', { username: agent })).items.find((one) => one.name === name) ?? null,
    [client, agent, name],
  );
  const loaded = useLoaded(load);
  const { decision, sent, decide } = deciding;
  const options = <OptionButtons decision={decision} sent={sent} onChoose={(option) => void decide(option)} />;
  return (
    <LoadedView loaded={loaded} label={t('Loading how to sign in')}>
      {(server) =>
        server?.auth === 'oauth' ? (
          <div className="ui-wrap">
            <ToolLogin agent={agent} server={server} />
            {options}
          </div>
        ) : (
          <TokenForm agent={agent} login={login}>
            {options}
          </TokenForm>
        )
      }
    </LoadedView>
  );
}

interface TokenFormProps extends Pick<LoginFormProps, 'agent' | 'login'> {
  children: ReactNode;
}

function TokenForm({ agent, login: { server, host }, children }: TokenFormProps) {
  const { client } = useSession();
  const [token, setToken] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const save = () =>
    token.trim() === ''
      ? refuse('token', t('Fill this in.'))
      : submit(() => client.call('setToolCredential', { username: agent, server, token: token.trim() }));
  return (
    <Form className="ui-stack" onSubmit={save}>
      <TokenField
        host={host}
        error={errorOf('token')}
        value={token}
        onChange={(value) => {
          setToken(value);
          clear();
        }}
      />
      <div className="ui-wrap">
        <Button className={styles['option']} look="primary" type="submit" isBusy={isBusy}>
          {t('Save and go on')}
        </Button>
        {children}
      </div>
      <Problem text={errorBut('token')} />
    </Form>
  );
}
