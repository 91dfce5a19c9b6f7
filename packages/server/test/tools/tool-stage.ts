import type { Params } from '@parley/protocol';
import type { Actor, World } from '@parley/testing';
import type { FakeToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { accountByName } from '../../store/accounts.ts';
import { type ToolServerRow, toolServersOf } from '../../store/tool-servers.ts';

type Given = Params<'setAgentTools'>['servers'][number];

/** A server as setAgentTools takes it, which nobody signs in to. */
export const given = (server: Pick<FakeToolServer, 'url'>, more: Partial<Given> = {}): Given => ({
  name: 'bank',
  url: server.url,
  identity: 'none',
  auth: 'none',
  approval: 'writes',
  ...more,
});

/** The default agent of a person, with these servers. */
export async function agentWith(owner: Actor, ...servers: Given[]): Promise<string> {
  const username = `${owner.username}:provider_a`;
  await owner.api.setAgentTools({ username, servers });
  return username;
}

/** What a turn of the agent uses, without a turn. */
export async function toolsOf(world: World, agentName: string, askerName: string) {
  const { read, rooms } = world.service;
  const [agent, asker] = [await read.get(accountByName, agentName), await read.get(accountByName, askerName)];
  if (!agent || !asker) throw new Error('no such account');
  const servers = await read.all(toolServersOf, agent.key);
  return {
    offered: (signal = new AbortController().signal) => rooms.toolServers.offered(agent, asker.key, signal),
    call: (
      {
        server = servers[0],
        ...call
      }: { tool: string; arguments?: object; callId?: string; server?: ToolServerRow } & Partial<
        Omit<Parameters<typeof rooms.toolServers.call>[0], 'server'>
      >,
      signal = new AbortController().signal,
    ) => {
      if (!server) throw new Error('the agent has no server');
      const whole = { server, arguments: {}, callId: 'call-1', askerKey: asker.key, ...call };
      return rooms.toolServers.call(whole, signal);
    },
  };
}
