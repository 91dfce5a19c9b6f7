// Accounts and their sessions: signing up, in and out, finding accounts.
import { read } from '../handler.ts';
import { notFound } from '../../core/errors.ts';
import { ownAccountRecord } from '../../rendering/accounts.ts';
import { accountByKey } from '../../store/accounts.ts';

export default read('getMe', async ({ tx, caller }) => {
  const row = await tx.get(accountByKey, caller.key);
  if (!row) throw notFound('account');
  return ownAccountRecord(row);
});
