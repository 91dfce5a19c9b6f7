import { joining, username } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import { conflict, forbidden, invalid } from '../../core/errors.ts';
import { isReservedName, RESERVED } from '../../rules/reserved-names.ts';
import { weaknessOf } from '../../rules/weak-password.ts';
import { passwords } from '../../secrets/passwords.ts';
import { newToken } from '../../secrets/tokens.ts';
import { accountByKey, accountByName } from '../../store/accounts.ts';
import { meetGuide } from '../../people/meet-guide.ts';
import { makeHuman } from '../../people/make-human.ts';
import { startSession } from '../../people/start-session.ts';

const taken = () => conflict('this username is taken');

/** Creates a human, two agents, a session, and a chat with the guide, in one unit (ACCT-2 … ACCT-5). */
export default preparedUnit('signUp', {
  withheld: ['password'],
  async prepare({ tx, settings }, { username, password, display_name: displayName }) {
    if (!settings.signUpOpen) throw forbidden('sign-up is closed here');
    if (displayName !== undefined && isReservedName(displayName)) throw invalid('display_name', RESERVED);
    const weakness = weaknessOf(password, username);
    if (weakness !== null) throw invalid('password', weakness);
    // Refuses a taken name before the slow hash; the unit decides between two concurrent calls.
    if (isReservedName(username) || (await tx.get(accountByName, username))) throw taken();
    return { passwordHash: await passwords.hash(password), token: newToken('s_'), deviceToken: newToken('d_') };
  },
  // Locks the name, so that only one account gets it, and takes `joining`. All other rows belong to the new account.
  locks: ({ input }) => [username(input.username), joining],
  async handle(call, { username, display_name: displayName = username, device }, { passwordHash, token, deviceToken }) {
    const key = await makeHuman(call, { username, displayName, passwordHash });
    const account = key === null ? undefined : await call.tx.get(accountByKey, key);
    if (!account) throw taken();
    await meetGuide(call, account);
    return startSession(call, account, device, { token, deviceToken });
  },
});
