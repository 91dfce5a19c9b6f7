import { limits } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { deleteExpiredAccessTokens } from '../store/access-tokens.ts';
import { forgetDeletedUsers } from '../store/backends.ts';
import { dropDevicePrefsOfExpired, dropTokensOfExpired } from '../store/notifications.ts';
import { forgetShownOfExpired } from '../store/shown-pushes.ts';
import { dropOidcSessionsOfExpired, dropOldCodes, dropOldLogins, dropOldLogouts } from '../store/oidc.ts';
import { deleteExpiredSessions } from '../store/sessions.ts';

/**
 * Deletes expired access tokens (ACCESS-3), expired sessions with their push tokens and their devices' preferences (AUTH-6,
 * NOTIF-7), deletions that no valid JWT precedes (TOKEN-16), and what is left of sign-ins at issuers that nobody completed (OIDC-3).
 */
export const forgetSessions = internalUnit({ locks: everything }, async ({ tx, now }: UnitCall): Promise<void> => {
  await tx.run(forgetShownOfExpired, now);
  await tx.run(dropTokensOfExpired, now);
  await tx.run(dropDevicePrefsOfExpired, now);
  await tx.run(dropOidcSessionsOfExpired, now);
  await tx.run(deleteExpiredSessions, now);
  await tx.run(deleteExpiredAccessTokens, now);
  await tx.run(dropOldLogins, now);
  await tx.run(dropOldCodes, now);
  await tx.run(dropOldLogouts, now);
  await tx.run(forgetDeletedUsers, now - limits.userTokenSecondsMost * 1_000);
});
