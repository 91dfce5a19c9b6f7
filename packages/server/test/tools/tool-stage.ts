import { expect } from 'vitest';
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

/** The address that the service of these tests says it has. */
export const PUBLIC = 'https://chat.example';

/** The page to which a browser comes back from a login, and the one behind its link. */
export async function comeBack(world: World, url: string): Promise<{ asked: string; status: number; page: string }> {
  const here = new URL(url.replace(PUBLIC, world.url));
  const first = await fetch(here);
  // Nobody can be led to its link without seeing for whom it is.
  expect(first.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  const asked = await first.text();
  const link = /<a href="([^"]+)"/.exec(asked)?.[1]?.replaceAll('&amp;', '&');
  if (link === undefined) return { asked, status: 0, page: '' };
  const response = await fetch(new URL(link, world.url));
  return { asked, status: response.status, page: await response.text() };
}

/** What a turn of the agent uses, without a turn; on the first node, or on another one. */
export async function toolsOf(world: World, agentName: string, askerName: string, service = world.service) {
  const { read, rooms } = service;
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
      const whole = { server, arguments: {}, writes: true, callId: 'call-1', askerKey: asker.key, ...call };
      return rooms.toolServers.call(whole, signal);
    },
  };
}
