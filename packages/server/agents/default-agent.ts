import type { Provider } from '@parley/protocol';
import type { Caller } from '../access/call.ts';
import { forbidden, notFound } from '../core/errors.ts';
import { type AccountRow, defaultAgent } from '../store/accounts.ts';
import type { Sql } from '../store/sql.ts';

/** The caller, if it is a human; 403 for agents, which cannot own agents (BOT-1, KEY-2). */
export function requireHuman(caller: Caller | null): Caller {
  if (caller?.kind !== 'human') throw forbidden('only people have agents');
  return caller;
}

/** The owner's default agent of this provider (KEY-2). */
export async function requireDefaultAgent(tx: Sql, owner: Caller, provider: Provider): Promise<AccountRow> {
  const agent = await tx.get(defaultAgent, owner.key, provider);
  if (!agent) throw notFound('agent');
  return agent;
}
