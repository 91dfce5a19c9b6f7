import type { Call } from '../access/call.ts';
import { forbidden, invalid, notFound } from '../core/errors.ts';
import { accountByName, type AccountRow } from '../store/accounts.ts';
import { canSee } from '../access/known-agents.ts';
import { botOf } from '../store/sessions.ts';

/**
 * Refuses callers other than the agent's owner: 403 if they can see the agent (it is public, or they share a
 * conversation with it), otherwise 404, as for an unknown agent (BOT-3).
 */
export async function assertOwner({ tx, caller }: Pick<Call, 'tx' | 'caller'>, row: AccountRow): Promise<void> {
  if (row.parent_key === caller.key) return;
  throw (await canSee({ tx, caller }, row)) ? forbidden('only the owner of an agent may do this') : notFound('agent');
}

/** The caller's own bot. */
export async function requireOwnBot(call: Pick<Call, 'tx' | 'caller'>, username: string): Promise<AccountRow> {
  const row = await call.tx.get(accountByName, username);
  if (!row) throw notFound('agent');
  await assertOwner(call, row);
  if (!(await call.tx.get(botOf, row.key))) throw invalid('username', 'is not a bot');
  return row;
}
