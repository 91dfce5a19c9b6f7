import type { UnitCall } from '../commits/unit-call.ts';
import { named } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { touchSession } from '../store/sessions.ts';

/** Notes that sessions were used, which extends them (AUTH-6). */
export const touchSessions = internalUnit(
  {
    // Sessions of many accounts: two such units at once would deadlock on their rows.
    locks: () => [named('sessions')],
  },
  async ({ tx, now, settings }: UnitCall, sessionKeys: readonly number[]): Promise<void> => {
    for (const key of sessionKeys) await tx.run(touchSession, key, now, now + settings.sessionLifetimeMs);
  },
);
