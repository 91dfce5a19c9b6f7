import type { Caller } from '../access/call.ts';
import { forbidden, invalid, notFound } from '../core/errors.ts';
import type { AccountRow } from '../store/accounts.ts';
import type { Sql } from '../store/sql.ts';
import { toolServerNamed, type ToolServerRow } from '../store/tool-servers.ts';

/**
 * The server of an agent for which the caller may set a credential of this kind: everyone for themselves where its calls
 * bear the asker's, the owner alone where they bear the owner's (TOOL-5).
 */
export async function requireHolder(
  { tx, caller }: { tx: Sql; caller: Caller | null },
  agent: AccountRow,
  name: string,
  auth: 'bearer' | 'oauth',
): Promise<{ server: ToolServerRow; accountKey: number }> {
  const server = await tx.get(toolServerNamed, agent.key, name);
  if (!server) throw notFound('server');
  if (!caller || (server.identity === 'owner' && agent.parent_key !== caller.key))
    throw forbidden('only the owner of the agent signs in to this server');
  if (server.auth !== auth) throw invalid('server', `takes no ${auth === 'bearer' ? 'token' : 'login'}`);
  return { server, accountKey: caller.key };
}
