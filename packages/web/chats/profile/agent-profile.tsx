import type { Agent } from '@parley/protocol';
import { useCallback } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSession } from '../../session/session.ts';
import { usageOf, usageOfMonth } from '../../session/usage.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { listOf } from '../../words/list-of.ts';
import { money } from '../../words/money.ts';
import { ownToolLabel } from '../../words/own-tool-labels.ts';
import { payText } from '../members/agent-terms.tsx';
import { t } from '../../words/t.ts';

const audiences: Readonly<Record<Agent['visibility'], string>> = {
  private: t('Only its owner'),
  groups: t('People in its groups'),
  public: t('Everyone'),
};

/** Who may use an agent, who pays, what it cost, and its tools. Nothing until it is loaded. */
export function AgentProfile({ username, owner }: { username: string; owner: string }) {
  const { client, username: me } = useSession();
  const load = useCallback(async () => client.call('getAgent', { username }), [client, username]);
  const { value: agent } = useLoaded(load);
  const tools = useToolNames(username);
  const cost = useCost(username);
  if (!agent) return null;
  const pays = payText(agent, me, owner);
  const names = [...(agent.built_in_tools ?? []).map(ownToolLabel), ...tools];
  return (
    <Facts>
      <Fact name={t('Who can use it')}>{audiences[agent.visibility]}</Fact>
      {pays === '' ? null : <Fact name={t('Who pays')}>{pays}</Fact>}
      {cost === '' ? null : <Fact name={t('Cost this month')}>{cost}</Fact>}
      {agent.model === undefined ? null : (
        <Fact name={t('Model')}>
          <bdi>{agent.model}</bdi>
        </Fact>
      )}
      {names.length === 0 ? null : <Fact name={t('Tools')}>{listOf(names)}</Fact>}
    </Facts>
  );
}

/** The servers of tools that the agent may use. */
function useToolNames(username: string): readonly string[] {
  const { client } = useSession();
  const load = useCallback(
    async () => (await client.call('getToolServers', { username })).items.map(({ name }) => name),
    [client, username],
  );
  return useLoaded(load).value ?? [];
}

/** What an agent of the user has cost on the user's key; '' if no price is known. */
function useCost(username: string): string {
  const { client, username: me, may } = useSession();
  const isMine = username.startsWith(`${me}:`) && may('getUsage');
  const load = useCallback(
    async () => (isMine ? money(usageOf(username, await usageOfMonth(client)).prices) : ''),
    [client, username, isMine],
  );
  return useLoaded(load).value ?? '';
}
