import { limits } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { forgetDeletedUsers } from '../store/backends.ts';
import { dropDevicePrefsOfExpired, dropTokensOfExpired } from '../store/notifications.ts';
import { forgetShownOfExpired } from '../store/shown-pushes.ts';
import { deleteExpiredSessions } from '../store/sessions.ts';

/**
 * Deletes expired sessions, their push tokens and their devices' preferences (AUTH-6, NOTIF-7), and deletions that no
 * valid JWT precedes (TOKEN-16).
 */
export const forgetSessions = internalUnit({ locks: everything }, async ({ tx, now }: UnitCall): Promise<void> => {
  await tx.run(forgetShownOfExpired, now);
  await tx.run(dropTokensOfExpired, now);
  await tx.run(dropDevicePrefsOfExpired, now);
  await tx.run(deleteExpiredSessions, now);
  await tx.run(forgetDeletedUsers, now - limits.userTokenSecondsMost * 1_000);
});
