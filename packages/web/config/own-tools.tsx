import type { ToolServer } from '@parley/protocol';
import { useCallback } from 'react';
import { useLoaded } from '../calls/use-loaded.ts';
import { useSession } from '../session/session.ts';
import { Section } from '../ui/layout/section.tsx';
import { t } from '../words/t.ts';
import { ToolLogin } from './tool-login.tsx';
import { ToolToken } from './tool-token.tsx';
import { approvalWords, identityWords } from './tool-words.ts';

/** What tools an agent uses, for people who talk to it: where they are, and with whose account; the user's own tokens. */
export function OwnTools({ agent }: { agent: string }) {
  const { client } = useSession();
  const load = useCallback(
    async () => (await client.call('getToolServers', { username: agent })).items,
    [client, agent],
  );
  const { value: servers = [], reload } = useLoaded(load);
  if (servers.length === 0) return null;
  return (
    <Section title={t('Tools')} hint={t('The agent can use these services when it answers you.')} level={3}>
      <ul className="ui-stack">
        {servers.map((server) => (
          <li key={server.name} className="ui-card">
            <ServerFacts server={server} />
            {server.identity !== 'asker' ? null : server.auth === 'oauth' ? (
              <ToolLogin agent={agent} server={server} onReturn={reload} />
            ) : (
              <ToolToken agent={agent} server={server} onChange={reload} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const ServerFacts = ({ server: { name, host, identity, approval } }: { server: ToolServer }) => (
  <div className="ui-flush">
    <p className="ui-name">{name}</p>
    <p className="ui-note">
      <bdi>{host}</bdi>
    </p>
    <p className="ui-note">
      {identityWords(false)[identity]} · {approvalWords[approval]}
    </p>
  </div>
);
