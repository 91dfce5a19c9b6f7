import type { Caller, UnitCall } from '../../call.ts';
import { ServiceError } from '../../errors.ts';
import { dropDevicePrefsOfSession, dropTokensOfSession } from '../../store/notifications.ts';
import { deleteSession } from '../../store/sessions.ts';

/** Ends sessions: their tokens from now on, those for pushes too (NOTIF-7), their sockets once that is stored (AUTH-7). */
export async function endSessions(
  { tx, intend }: Pick<UnitCall, 'tx' | 'intend'>,
  keys: readonly number[],
): Promise<void> {
  for (const key of keys) {
    await tx.run(dropTokensOfSession, key);
    await tx.run(dropDevicePrefsOfSession, key);
    await tx.run(deleteSession, key);
  }
  if (keys.length > 0) intend({ type: 'closeSessions', sessionKeys: keys });
}

/** The caller's session; `dev:` and `mb_` tokens have none (AUTH-4). */
export function requireSession({ sessionKey }: Caller): number {
  if (sessionKey === null) throw new ServiceError('invalid_argument', 'this token has no session');
  return sessionKey;
}
