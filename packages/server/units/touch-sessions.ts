import type { UnitCall } from '../commits/unit-call.ts';
import { named } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { touchSession } from '../store/sessions.ts';

/** Notes that sessions were used, which extends them (AUTH-6). */
export const touchSessions = internalUnit(
  {
    // Serializes this unit: two at once would deadlock on the rows of many accounts' sessions.
    locks: () => [named('sessions')],
  },
  async ({ tx, now, settings }: UnitCall, sessionKeys: readonly number[]): Promise<void> => {
    for (const key of sessionKeys) await tx.run(touchSession, key, now, now + settings.sessionLifetimeMs);
  },
);
