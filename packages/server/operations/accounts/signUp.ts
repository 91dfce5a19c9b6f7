import { everything, username } from '../../commits/unit-locks.ts';
import { comeIn, requireEntry } from '../../people/come-in.ts';
import { isFirstPerson } from '../../people/first-owner.ts';
import { preparedUnit } from '../handler.ts';
import { conflict, forbidden, invalid } from '../../core/errors.ts';
import { defaultChatIds, joinDefaultChats, locksToJoinDefaults } from '../../conversations/public-chats.ts';
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
  async prepare(call, { username, password, display_name: displayName, invite }) {
    const { tx, settings } = call;
    if (settings.passwords === 'owners') throw forbidden('accounts are made by single sign-on here');
    if (settings.signUp === 'closed') throw forbidden('sign-up is closed here');
    if (displayName !== undefined && isReservedName(displayName)) throw invalid('display_name', RESERVED);
    if (invite !== undefined) await requireEntry(call, invite);
    else if (settings.signUp === 'invite') throw forbidden('an invite is needed to sign up here');
    const weakness = weaknessOf(password, username);
    if (weakness !== null) throw invalid('password', weakness);
    // Refuses a taken name before the slow hash; the unit decides between two concurrent calls.
    if (isReservedName(username) || (await tx.get(accountByName, username))) throw taken();
    const isFirst = await isFirstPerson(tx);
    return {
      isFirst,
      passwordHash: await passwords.hash(password),
      token: newToken('s_'),
      deviceToken: newToken('d_'),
      defaultChats: await defaultChatIds(tx),
    };
  },
  // Locks the name, so that only one account gets it. All rows but those of the default groups belong to the new account,
  // but for those of an invite and its groups, and the first account looks for all others.
  locks: ({ input, prepared }) =>
    prepared.isFirst || input.invite !== undefined
      ? everything
      : [username(input.username), ...locksToJoinDefaults(prepared.defaultChats)],
  audit: ({ username }, { session }) => ({ actor: username, target: username, details: { session: session.id } }),
  async handle(call, { username, display_name: displayName = username, device, invite }, prepared) {
    const { passwordHash, token, deviceToken } = prepared;
    const entry = invite === undefined ? undefined : await requireEntry(call, invite);
    const role = prepared.isFirst && (await isFirstPerson(call.tx)) ? 'owner' : (entry?.role ?? 'member');
    const isPending = entry?.isPending ?? false;
    const key = await makeHuman(call, { username, displayName, passwordHash, role, isPending });
    const account = key === null ? undefined : await call.tx.get(accountByKey, key);
    if (!account) throw taken();
    // Guests are in the groups of their invite only (ENTER-5).
    if (role !== 'guest') await meetGuide(call, account);
    if (!isPending) await joinDefaultChats(call, account.key, prepared.defaultChats);
    if (entry) await comeIn(call, account, entry);
    return startSession(call, account, device, { token, deviceToken });
  },
});
