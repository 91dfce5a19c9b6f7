import { preparedUnit } from '../handler.ts';
import { claimsInForce, verifyJwt } from '../../people/backend-jwt.ts';
import { requireTrusted } from '../../people/backend-users.ts';
import { openUserSession, sessionLocks, settledUser } from '../../people/open-user-session.ts';
import { newToken } from '../../secrets/tokens.ts';

/** Opens a limited session of the user for whom a backend has signed a JWT (TOKEN-14). */
export default preparedUnit('exchangeUserToken', {
  withheld: ['jwt'],
  async prepare({ tx, now }, { jwt }, { publishedKeys: published }) {
    const verified = await verifyJwt(jwt, { tx, now, published });
    const backend = await requireTrusted(tx, verified.backendKey, verified.issuer);
    const settled = await settledUser(tx, backend, await claimsInForce(tx, backend, verified));
    return { ...verified, settled, token: newToken('s_') };
  },
  locks: ({ prepared }) => sessionLocks(prepared.settled),
  async handle(call, _input, { token, settled, ...jwt }) {
    // The issuer may no longer be trusted since `prepare`.
    const backend = await requireTrusted(call.tx, jwt.backendKey, jwt.issuer);
    const claims = await claimsInForce(call.tx, backend, jwt);
    return openUserSession(call, backend, claims, { token, settled, expiresAt: jwt.expiresAt });
  },
});
