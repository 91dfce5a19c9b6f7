import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { forgetCalls as forget } from '../store/tool-calls.ts';

/** How long the ledger says that there was a call whose reply is deleted (CALL-13). */
const KEPT_MS = 90 * 86_400_000;
/** Maximum calls deleted at once, so that other writes do not wait long; the next run deletes more. */
const MAX_AT_ONCE = 5_000;

/** Deletes what the ledger says of calls whose replies were deleted long ago. */
export const forgetCalls = internalUnit({ locks: everything }, async ({ tx, now }: UnitCall): Promise<void> => {
  await tx.run(forget, now - KEPT_MS, MAX_AT_ONCE);
});
