import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit, username } from '../commits/unit-locks.ts';
import { joinDefaultChats, locksToJoinDefaults } from '../conversations/public-chats.ts';
import { isFirstPerson } from '../people/first-owner.ts';
import { makeHuman } from '../people/make-human.ts';
import { accountByName } from '../store/accounts.ts';

/** `defaultChats`: the ids of the groups that new members are in. */
interface NewDevAccount {
  username: string;
  mayBeFirst: boolean;
  defaultChats: readonly string[];
}

/** Creates the account of a `dev:` token on its first use (AUTH-8). Returns its key, or null if it has a password. */
export const ensureDevAccount = internalUnit(
  {
    // Nobody else may become the first person at the same time.
    locks: ({ input }) =>
      input.mayBeFirst ? everything : [username(input.username), ...locksToJoinDefaults(input.defaultChats)],
  },
  async (call: UnitCall, input: NewDevAccount): Promise<number | null> => {
    const role = input.mayBeFirst && (await isFirstPerson(call.tx)) ? 'owner' : 'member';
    const { username } = input;
    const made = await makeHuman(call, { username, displayName: username, passwordHash: null, role });
    if (made !== null) {
      await joinDefaultChats(call, made, input.defaultChats);
      return made;
    }
    const row = await call.tx.get(accountByName, input.username);
    return row && row.kind === 'human' && row.password_hash === null ? row.key : null;
  },
);
