import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { RESERVED_WORD } from '../rules/reserved-names.ts';
import { accountByName, addAccount } from '../store/accounts.ts';

export const GUIDE_NAME = `${RESERVED_WORD}:guide`;

/** Creates the built-in agent `parley:guide` at the first start (ACCT-5). Returns its key. */
export const ensureGuide = internalUnit({ locks: everything }, async (call: UnitCall): Promise<number> => {
  const known = await call.tx.get(accountByName, GUIDE_NAME);
  if (known) return known.key;
  const guide = {
    username: GUIDE_NAME,
    kind: 'agent',
    displayName: 'Parley guide',
    provider: RESERVED_WORD,
    isPublic: true,
  } as const;
  const made = await addAccount(call, guide);
  if (made === null) throw new Error('the guide could not be made');
  return made;
});
