import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { deleteExpiredInvites } from '../store/invites.ts';

/** Maximum invites deleted at once, so that other writes do not wait long; the next run deletes more. */
const MAX_AT_ONCE = 5_000;

/** Deletes expired invites (INVITE-11). */
export const forgetInvites = internalUnit({ locks: everything }, async ({ tx, now }: UnitCall): Promise<void> => {
  await tx.run(deleteExpiredInvites, now, MAX_AT_ONCE);
});
