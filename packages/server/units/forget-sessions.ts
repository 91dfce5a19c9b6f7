import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { dropDevicePrefsOfExpired, dropTokensOfExpired } from '../store/notifications.ts';
import { forgetShownOfExpired } from '../store/shown-pushes.ts';
import { deleteExpiredSessions } from '../store/sessions.ts';

/** Deletes expired sessions, their push tokens and their devices' preferences (AUTH-6, NOTIF-7). */
export const forgetSessions = internalUnit({ locks: everything }, async ({ tx, now }: UnitCall): Promise<void> => {
  await tx.run(forgetShownOfExpired, now);
  await tx.run(dropTokensOfExpired, now);
  await tx.run(dropDevicePrefsOfExpired, now);
  await tx.run(deleteExpiredSessions, now);
});
