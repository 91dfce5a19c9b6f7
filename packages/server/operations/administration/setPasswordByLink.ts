import { hasCome } from '@parley/protocol/dates';
import { everything } from '../../commits/unit-locks.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { resetPassword } from '../../people/reset-password.ts';
import { mayAdminister } from '../../rules/account-roles.ts';
import { weaknessOf } from '../../rules/weak-password.ts';
import { passwords } from '../../secrets/passwords.ts';
import { tokenHash } from '../../secrets/tokens.ts';
import { accountByKey, type AccountRow } from '../../store/accounts.ts';
import { passwordLink } from '../../store/account-roles.ts';
import type { Sql } from '../../store/sql.ts';
import { preparedUnit } from '../handler.ts';

/** A link is as good as its maker: it ends when the maker may no longer change the account (ENTER-9). */
async function requireAccountOfLink({ tx, now }: { tx: Sql; now: number }, hash: Uint8Array): Promise<AccountRow> {
  const link = await tx.get(passwordLink, hash);
  if (!link || hasCome(link.expires_at, now)) throw notFound('link');
  const account = await tx.get(accountByKey, link.account_key);
  const maker = await tx.get(accountByKey, link.maker_key);
  if (!account || account.deleted_at !== null) throw notFound('link');
  const mayStill = maker?.disabled_at === null && mayAdminister(maker.role, account.role);
  if (!mayStill) throw notFound('link');
  return account;
}

export default preparedUnit('setPasswordByLink', {
  addsData: false,
  withheld: ['password', 'token'],
  async prepare(call, { token, password }) {
    const hash = tokenHash(token);
    const { username } = await requireAccountOfLink(call, hash);
    const weakness = weaknessOf(password, username);
    if (weakness !== null) throw invalid('password', weakness);
    return { hash, passwordHash: await passwords.hash(password) };
  },
  // Locks everything: rows of accounts are cached.
  locks: everything,
  audit: (_input, { username }) => ({ actor: username, target: username }),
  async handle(call, _input, { hash, passwordHash }) {
    // Of two calls with one link, the second finds none.
    const account = await requireAccountOfLink(call, hash);
    await resetPassword(call, account, passwordHash);
    return { username: account.username };
  },
});
