import type { Caller } from '../access/call.ts';
import type { AccountRow } from '../store/accounts.ts';
import type { Sql } from '../store/sql.ts';
import { requireVisibleAgent } from './config/configured-agent.ts';
import { requireHuman } from './default-agent.ts';

/** An agent for whose tools the caller may have a credential: people alone have them, for agents they can see (TOOL-5). */
export async function requireCredentialAgent(
  call: { tx: Sql; caller: Caller | null },
  username: string,
): Promise<AccountRow> {
  const agent = await requireVisibleAgent(call, username);
  requireHuman(call.caller);
  return agent;
}
