import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { deleteExpiredInvites } from '../store/invites.ts';

/** At once, so that nobody waits long; what is left goes the next time. */
const MOST = 5_000;

/** Expired invites let nobody in: their rows may go (INVITE-11). */
export const forgetInvites = internalUnit({ locks: everything }, async ({ tx, now }: UnitCall): Promise<void> => {
  await tx.run(deleteExpiredInvites, now, MOST);
});
