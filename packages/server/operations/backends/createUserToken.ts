import { limits } from '@parley/protocol';
import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import { requireBackend } from '../../people/backend-users.ts';
import { openUserSession } from '../../people/open-user-session.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';

/** Opens a limited session of a backend's user (TOKEN-2 …). */
export default preparedUnit('createUserToken', {
  withheld: ['backend_key'],
  async prepare({ tx }, { backend_key: key }) {
    const keyHash = tokenHash(key);
    await requireBackend(tx, keyHash);
    return { keyHash, token: newToken('s_') };
  },
  // Locks everything: it may make an account, change its name, and add it to several conversations.
  locks: everything,
  async handle(call, { expires_in: seconds = limits.userTokenSecondsDefault, ...claims }, { keyHash, token }) {
    // The key may have been revoked since `prepare`.
    const backend = await requireBackend(call.tx, keyHash);
    return openUserSession(call, backend, claims, { token, expiresAt: call.now + seconds * 1_000 });
  },
});
