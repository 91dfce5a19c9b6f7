import type { UnitCall } from '../commits/unit-call.ts';
import { touchSession } from '../store/sessions.ts';

/** Notes that sessions were used: their expiry slides (AUTH-6). */
export async function touchSessions({ tx, now, settings }: UnitCall, sessionKeys: readonly number[]): Promise<void> {
  for (const key of sessionKeys) await tx.run(touchSession, key, now, now + settings.sessionLifetimeMs);
}
