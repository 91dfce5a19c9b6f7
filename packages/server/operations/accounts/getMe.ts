// Accounts and their sessions: signing up, in and out, finding accounts.
import { read } from '../handler.ts';
import { notFound } from '../../core/errors.ts';
import { ownAccountRecord } from '../../rendering/accounts.ts';
import { issuersOf } from '../../store/oidc.ts';
import { accountByKey } from '../../store/accounts.ts';

export default read('getMe', async ({ tx, caller }) => {
  const row = await tx.get(accountByKey, caller.key);
  if (!row) throw notFound('account');
  // The app asks for no password then (OIDC-13).
  const isOfIssuer = row.password_hash === null && (await tx.get(issuersOf, row.key)) !== undefined;
  return { ...ownAccountRecord(row), ...(isOfIssuer && { has_password: false as const }) };
});
