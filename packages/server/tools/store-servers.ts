import type { ToolServerInput } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { invalid } from '../core/errors.ts';
import { admitted } from '../outbound/endpoint-guard.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import type { Sql } from '../store/sql.ts';
import { dropGrantsOfServer } from '../store/tool-calls.ts';
import {
  addToolServer,
  changeToolServer,
  dropToolCredentials,
  dropToolDefinitions,
  dropToolLogins,
  dropToolServer,
  putHasTools,
  type ToolServerRow,
  toolServersOf,
} from '../store/tool-servers.ts';

/** A server that was given, with its address as it is stored. */
export type CleanServer = ToolServerInput & { url: string };

/** Checks the addresses that an owner gave (TOOL-2). Errors do not repeat them: they may contain a password. */
export function cleanServers(given: readonly ToolServerInput[], addresses: Pick<GuardedFetch, 'check'>): CleanServer[] {
  return given.map((server, at) => {
    const field = `servers.${at}.url`;
    const url = URL.parse(server.url.trim());
    if (!url || !/^https?:$/.test(url.protocol)) throw invalid(field, 'must be an http or https URL');
    admitted(field, () => addresses.check(url));
    url.hash = '';
    if (server.identity === 'none' && server.auth !== 'none')
      throw invalid(`servers.${at}.auth`, 'must be none where no identity is used');
    return { ...server, url: url.href };
  });
}

/** Stores the servers of an agent in place of those before (TOOL-1, TOOL-6, TOOL-9). */
export async function storeServers({ tx }: UnitCall, agentKey: number, servers: readonly CleanServer[]): Promise<void> {
  const before = new Map((await tx.all(toolServersOf, agentKey)).map((row) => [row.name, row]));
  for (const row of before.values()) {
    const kept = servers.find(({ name }) => name === row.name);
    if (!kept || !keepsCredentials(row, kept)) await removeServer(tx, row);
    else await tx.run(dropToolDefinitions, row.key);
  }
  for (const [position, server] of servers.entries()) {
    const { name, url, identity, auth, approval, tools } = server;
    const row = before.get(name);
    const store = row && keepsCredentials(row, server) ? changeToolServer : addToolServer;
    const said = tools === undefined ? null : JSON.stringify(tools);
    await tx.run(store, agentKey, name, position, url, identity, auth, approval, said);
  }
  await tx.run(putHasTools, agentKey, servers.length > 0 ? 1 : 0);
}

/** Credentials, and what people have allowed, are for one origin and one way to use it. */
const keepsCredentials = (row: ToolServerRow, { url, identity, auth }: CleanServer): boolean =>
  new URL(row.url).origin === new URL(url).origin && row.identity === identity && row.auth === auth;

/** Deletes a server with everything that was stored for it. */
async function removeServer(tx: Sql, { key, agent_key: agentKey, name }: ToolServerRow): Promise<void> {
  await tx.run(dropGrantsOfServer, agentKey, name);
  await tx.run(dropToolLogins, key);
  await tx.run(dropToolCredentials, key);
  await tx.run(dropToolDefinitions, key);
  await tx.run(dropToolServer, key);
}
