import type { UnitCall } from '../commits/unit-call.ts';
import { forgetChanges } from '../store/search.ts';

/** Forgets the changes that the search index has taken up, but for the last one. */
export async function forgetSearchChanges({ tx }: UnitCall, input: { before: number }): Promise<void> {
  await tx.run(forgetChanges, input.before);
}
