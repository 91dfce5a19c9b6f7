import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { dropExpiredPasswordLinks } from '../store/account-roles.ts';
import { dropExpiredServiceInvites } from '../store/service-invites.ts';
import { deleteExpiredInvites } from '../store/invites.ts';

/** Maximum invites deleted at once, so that other writes do not wait long; the next run deletes more. */
const MAX_AT_ONCE = 5_000;

/** Deletes expired invites and links for a password (INVITE-11, ENTER-9). */
export const forgetInvites = internalUnit({ locks: everything }, async ({ tx, now }: UnitCall): Promise<void> => {
  await tx.run(deleteExpiredInvites, now, MAX_AT_ONCE);
  for (const removal of dropExpiredServiceInvites) await tx.run(removal, now);
  await tx.run(dropExpiredPasswordLinks, now);
});
