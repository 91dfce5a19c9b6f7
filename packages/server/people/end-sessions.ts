import type { Caller } from '../access/call.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { ServiceError } from '../core/errors.ts';
import { dropDevicePrefsOfSessions, dropTokensOfSessions } from '../store/notifications.ts';
import { forgetShownOfSessions } from '../store/shown-pushes.ts';
import { dropOidcSessions } from '../store/oidc.ts';
import { deleteSessions } from '../store/sessions.ts';

/** Ends sessions with their tokens and push tokens (NOTIF-7), and closes their sockets after the commit (AUTH-7). */
export async function endSessions(
  { tx, intend }: Pick<UnitCall, 'tx' | 'intend'>,
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return;
  await tx.list(forgetShownOfSessions, keys);
  await tx.list(dropTokensOfSessions, keys);
  await tx.list(dropDevicePrefsOfSessions, keys);
  await tx.list(dropOidcSessions, keys);
  await tx.list(deleteSessions, keys);
  intend({ type: 'closeSessions', sessionKeys: keys });
}

/** The caller's session; `dev:` and `mb_` tokens have none (AUTH-4). */
export function requireSession({ sessionKey }: Caller): number {
  if (sessionKey === null) throw new ServiceError('invalid_argument', 'this token has no session');
  return sessionKey;
}
