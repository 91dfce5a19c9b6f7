import type { UnitCall } from '../commits/unit-call.ts';
import { named } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { forgetTextChanges } from '../store/file-texts.ts';
import { forgetChanges } from '../store/search.ts';

/** Deletes the changes of messages and of the texts of files that the search index has processed, except the last ones. */
export const forgetSearchChanges = internalUnit(
  { locks: () => [named('search changes')] },
  async ({ tx }: UnitCall, input: { changes: number; texts: number }): Promise<void> => {
    await tx.run(forgetChanges, input.changes);
    await tx.run(forgetTextChanges, input.texts);
  },
);
