import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import { claimsInForce, verifyJwt } from '../../people/backend-jwt.ts';
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
  async handle(call, _input, { token, ...jwt }) {
    // The issuer may no longer be trusted since `prepare`.
    const backend = await requireTrusted(call.tx, jwt.backendKey, jwt.issuer);
    const claims = await claimsInForce(call.tx, backend, jwt);
    return openUserSession(call, backend, claims, { token, expiresAt: jwt.expiresAt });
  },
});
