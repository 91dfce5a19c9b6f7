import { limits } from '@parley/protocol';
import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import { verifyJwt } from '../../people/backend-jwt.ts';
import { requireTrusted } from '../../people/backend-users.ts';
import { openUserSession } from '../../people/open-user-session.ts';
import { newToken } from '../../secrets/tokens.ts';

/** Opens a limited session of the user for whom a backend has signed a JWT (TOKEN-14). */
export default preparedUnit('exchangeUserToken', {
  withheld: ['jwt'],
  async prepare({ tx, now }, { jwt }) {
    return { ...(await verifyJwt(tx, jwt, now)), token: newToken('s_') };
  },
  // As for createUserToken.
  locks: everything,
  async handle(call, _input, { backendKey, issuer, claims, expiresAt, token }) {
    // The issuer may no longer be trusted since `prepare`.
    const backend = await requireTrusted(call.tx, backendKey, issuer);
    const latest = call.now + limits.userTokenSecondsMost * 1_000;
    return openUserSession(call, backend, claims, { token, expiresAt: Math.min(expiresAt, latest) });
  },
});
