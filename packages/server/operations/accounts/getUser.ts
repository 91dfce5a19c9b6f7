import { read } from '../handler.ts';
import { notFound } from '../../core/errors.ts';
import { accountOrTombstone, accountRecord } from '../../store/accounts.ts';

/** Of a person who has gone it answers the tombstone, which stands in what that person wrote (PEOPLE-10). */
export default read('getUser', async ({ tx }, { username }) => {
  const row = await tx.get(accountOrTombstone, username);
  if (!row) throw notFound('account');
  return accountRecord(row);
});
