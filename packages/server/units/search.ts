import type { UnitCall } from '../commits/unit-call.ts';
import { named } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { forgetChanges } from '../store/search.ts';

/** Deletes the changes that the search index has processed, except the last one. */
export const forgetSearchChanges = internalUnit(
  { locks: () => [named('search changes')] },
  async ({ tx }: UnitCall, input: { before: number }): Promise<void> => {
    await tx.run(forgetChanges, input.before);
  },
);
