// What the backends of other products may do for their own users.
import { limits } from '@parley/protocol';
import { preparedUnit } from '../handler.ts';
import { requireBackend } from '../../people/backend-users.ts';
import { openUserSession, sessionLocks, settledUser } from '../../people/open-user-session.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';

/** Opens a limited session of a backend's user (TOKEN-2 …). */
export default preparedUnit('createUserToken', {
  withheld: ['backend_key'],
  async prepare({ tx }, { backend_key: key, ...claims }) {
    const keyHash = tokenHash(key);
    const settled = await settledUser(tx, await requireBackend(tx, keyHash), claims);
    return { keyHash, settled, token: newToken('s_') };
  },
  locks: ({ prepared }) => sessionLocks(prepared.settled),
  async handle(call, { expires_in: seconds = limits.userTokenSecondsDefault, ...claims }, { keyHash, ...prepared }) {
    // The key may have been revoked since `prepare`.
    const backend = await requireBackend(call.tx, keyHash);
    return openUserSession(call, backend, claims, { ...prepared, expiresAt: call.now + seconds * 1_000 });
  },
});
