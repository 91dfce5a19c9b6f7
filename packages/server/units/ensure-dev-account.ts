import type { UnitCall } from '../commits/unit-call.ts';
import { internalUnit, username } from '../commits/unit-locks.ts';
import { accountByName } from '../store/accounts.ts';
import { makeHuman } from '../people/make-human.ts';

/** Creates the account of a `dev:` token on its first use (AUTH-8). Returns its key, or null if it has a password. */
export const ensureDevAccount = internalUnit(
  { locks: ({ input }) => [username(input.username)] },
  async (call: UnitCall, input: { username: string }): Promise<number | null> => {
    const made = await makeHuman(call, { username: input.username, displayName: input.username, passwordHash: null });
    if (made !== null) return made;
    const row = await call.tx.get(accountByName, input.username);
    return row && row.kind === 'human' && row.password_hash === null ? row.key : null;
  },
);
