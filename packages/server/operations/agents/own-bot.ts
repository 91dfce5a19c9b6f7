import type { Call } from '../../call.ts';
import { forbidden, invalid, notFound } from '../../errors.ts';
import { accountByName, type AccountRow } from '../../store/accounts.ts';
import { sharedChat } from '../../store/chats.ts';
import { botOf } from '../../store/sessions.ts';

/**
 * The caller's own bot. Somebody else's is 403 to those who can see it (they share a conversation with it, or it is
 * public), and to all others 404, as one that is not there (BOT-3).
 */
export async function requireOwnBot(
  { tx, caller }: Pick<Call, 'tx' | 'caller'>,
  username: string,
): Promise<AccountRow> {
  const row = await tx.get(accountByName, username);
  if (!row) throw notFound('agent');
  if (row.parent_key !== caller.key) {
    const isSeen = row.is_public === 1 || row.key === caller.key || (await tx.get(sharedChat, caller.key, row.key));
    throw isSeen ? forbidden('only the owner of a bot may do this') : notFound('agent');
  }
  if (!(await tx.get(botOf, row.key))) throw invalid('username', 'is not a bot');
  return row;
}
