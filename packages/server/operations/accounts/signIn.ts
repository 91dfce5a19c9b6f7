import { usernamePattern } from '@parley/protocol';
import { account } from '../../commits/lock-names.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { forbidden, ServiceError } from '../../core/errors.ts';
import type { PasswordTry } from '../../people/password-tries.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';
import { accountByKey, accountByName } from '../../store/accounts.ts';
import { deviceOwner } from '../../store/device-tokens.ts';
import { checkPassword } from '../../people/check-password.ts';
import { codeNeeded, proveFactor, takeFactor } from '../../people/second-factor.ts';
import { startSession } from '../../people/start-session.ts';

/** The same error for a wrong password, an unknown account, and an account without a password (AUTH-2). */
const refused = () => new ServiceError('unauthenticated', 'wrong username or password');

export default preparedUnit('signIn', {
  addsData: false,
  withheld: ['password', 'device_token', 'code'],
  async prepare(
    { tx, address },
    { username, password, device_token: given, code },
    rooms: Needs<'clock' | 'passwordTries' | 'keys'>,
  ) {
    const account = await tx.get(accountByName, username);
    const passwordHash = account?.password_hash ?? null;
    const shown = given === undefined ? null : { token: given, hash: tokenHash(given) };
    const owner = shown && (await tx.get(deviceOwner, shown.hash));
    const known = shown && account && owner?.account_key === account.key ? shown : null;
    const from: PasswordTry['from'] = known
      ? { type: 'device', id: Buffer.from(known.hash).toString('base64url') }
      : { type: 'stranger' };
    const attempt = { username, address, from };
    const isRight = await checkPassword(rooms, attempt, password, passwordHash);
    if (!account || !isRight) throw refused();
    // Only who knows the password learns that there is a second factor (FACTOR-2).
    const factor = await proveFactor(rooms, tx, account.key, attempt, code);
    return {
      accountKey: account.key,
      passwordHash,
      factor,
      token: newToken('s_'),
      deviceToken: known ?? newToken('d_'),
    };
  },
  // Locks the account: its sessions are counted, and the longest idle ones end.
  locks: ({ prepared }) => [account(prepared.accountKey)],
  audit: ({ username }, { session }) => ({ actor: username, target: username, details: { session: session.id } }),
  auditRefusal: ({ code, message }, { username, password }) => {
    if (code !== 'unauthenticated' && code !== 'forbidden') return null;
    // The first half of a sign-in in two steps.
    if (message === codeNeeded().message) return null;
    // What no account can be named may be a password in the wrong field.
    const isName = usernamePattern.test(username) && username !== password;
    return { actor: null, target: isName ? username : undefined, details: { failed: message } };
  },
  async handle(call, { device }, { accountKey, passwordHash, factor, token, deviceToken }) {
    const account = await call.tx.get(accountByKey, accountKey);
    // The account was deleted or its password changed while this password was checked.
    if (!account || account.deleted_at !== null || account.password_hash !== passwordHash) throw refused();
    // Only a caller who knows the password learns that the account is disabled (ADMIN-3).
    if (account.disabled_at !== null) throw forbidden('this account is disabled');
    if (call.settings.passwords === 'owners' && account.role !== 'owner')
      throw forbidden('only owners sign in with a password here');
    await takeFactor(call.tx, accountKey, factor);
    return startSession(call, account, device, { token, deviceToken });
  },
});
