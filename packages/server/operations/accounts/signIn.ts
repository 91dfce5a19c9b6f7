import { preparedUnit } from '../../call.ts';
import { ServiceError } from '../../errors.ts';
import { passwords } from '../../secrets/passwords.ts';
import { newToken } from '../../secrets/tokens.ts';
import { accountByKey, accountByName } from '../../store/accounts.ts';
import { startSession } from './start-session.ts';

/** One answer for a wrong password and for an account that is not there or has none (AUTH-2). */
const refused = () => new ServiceError('unauthenticated', 'wrong username or password');

export default preparedUnit('signIn', {
  withheld: ['password'],
  async prepare({ read }, { username, password }) {
    const account = await read.get(accountByName, username);
    const passwordHash = account?.password_hash ?? null;
    const isRight = await passwords.verify(password, passwordHash);
    if (!account || !isRight) throw refused();
    return { accountKey: account.key, passwordHash, token: newToken('s_') };
  },
  async handle(call, { device }, { accountKey, passwordHash, token }) {
    const account = await call.tx.get(accountByKey, accountKey);
    // Deleted, or given another password, while this one was checked.
    if (!account || account.deleted_at !== null || account.password_hash !== passwordHash) throw refused();
    // Only whoever knows the password is told (ADMIN-3).
    if (account.disabled_at !== null) throw new ServiceError('unauthenticated', 'this account is disabled');
    return startSession(call, account, device, token);
  },
});
