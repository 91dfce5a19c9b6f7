import { writeAudit } from '../../commits/audit.ts';
import { account } from '../../commits/lock-names.ts';
import { forbidden, ServiceError } from '../../core/errors.ts';
import { REFRESH_MS } from '../../people/oidc/sign-in-units.ts';
import { openSession } from '../../people/start-session.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';
import { accountByKey } from '../../store/accounts.ts';
import { codeOf, insertOidcSession, takeCode } from '../../store/oidc.ts';
import { idText } from '../../core/ids.ts';
import { preparedUnit } from '../handler.ts';

/** The same error for a code that is unknown, old, used, or of another browser. */
const refused = () => new ServiceError('unauthenticated', 'this sign-in has expired: start it again');

/** Starts the session of a sign-in that an issuer has confirmed, in the browser that began it, once (OIDC-5). */
export default preparedUnit('exchangeSignIn', {
  addsData: false,
  withheld: ['code'],
  async prepare({ tx, now, browser }, { code }) {
    if (browser === undefined) throw refused();
    const hashes = { code: tokenHash(code), browser: tokenHash(browser) };
    const row = await tx.get(codeOf, hashes.code, hashes.browser, now);
    if (!row) throw refused();
    return { hashes, accountKey: row.account_key, token: newToken('s_'), deviceToken: newToken('d_') };
  },
  locks: ({ prepared }) => [account(prepared.accountKey)],
  async handle(call, { device }, { hashes, accountKey, token, deviceToken }) {
    const { tx, now } = call;
    const row = await tx.get(takeCode, hashes.code, hashes.browser, now);
    const person = row && (await tx.get(accountByKey, accountKey));
    if (!row || !person || person.deleted_at !== null) throw refused();
    if (person.disabled_at !== null) throw forbidden('this account is disabled');
    const { row: session, answer } = await openSession(call, person, device, { token, deviceToken });
    const { issuer, subject, sid, sealed } = row;
    await tx.run(insertOidcSession, session.key, accountKey, issuer, subject, sid, sealed, now, now + REFRESH_MS);
    const { username } = person;
    const details = { session: idText(session.id), issuer };
    await writeAudit(call, 'signIn', { actor: username, target: username, details });
    return answer;
  },
});
