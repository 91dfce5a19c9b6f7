import { isAtLeast } from '@parley/protocol';
import { read } from '../handler.ts';
import { notFound } from '../../core/errors.ts';
import { knownOf } from '../../access/known-agents.ts';
import { accountOrTombstone } from '../../store/accounts.ts';
import { accountRecord } from '../../rendering/accounts.ts';

/** For a deleted person returns the tombstone, which that person's messages contain too (PEOPLE-10). */
export default read('getUser', async (call, { username }) => {
  const row = await call.tx.get(accountOrTombstone, username);
  // A private agent exists only for those who can see it (ACCT-12).
  if (!row || (await knownOf(call, [row])).length === 0) throw notFound('account');
  const showsRole = row.kind === 'human' && row.deleted_at === null && isAtLeast(call.caller.role, 'moderator');
  return { ...accountRecord(row), ...(showsRole && { role: row.role }) };
});
