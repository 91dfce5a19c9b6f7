import { read } from '../handler.ts';
import { notFound } from '../../core/errors.ts';
import { accountOrTombstone, accountRecord } from '../../store/accounts.ts';

/** For a deleted person returns the tombstone, which that person's messages contain too (PEOPLE-10). */
export default read('getUser', async ({ tx }, { username }) => {
  const row = await tx.get(accountOrTombstone, username);
  if (!row) throw notFound('account');
  return accountRecord(row);
});
