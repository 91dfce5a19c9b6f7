import type { UnitCall } from '../commits/unit-call.ts';
import { named } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { touchAccessToken } from '../store/access-tokens.ts';

/** Notes that access tokens were used (ACCESS-4). */
export const touchAccessTokens = internalUnit(
  // Serializes this unit: two at once would deadlock on the rows of many tokens.
  { locks: () => [named('access tokens')] },
  async ({ tx, now }: UnitCall, keys: readonly number[]): Promise<void> => {
    for (const key of keys) await tx.run(touchAccessToken, key, now);
  },
);
