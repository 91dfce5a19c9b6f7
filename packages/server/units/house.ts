import {
  type HouseProvider,
  type HouseTerms,
  prepareHouse,
  removeHouse,
  type SealedKey,
  setHouse,
  type ShownHouse,
  shownHouse,
} from '../agents/house.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit, nothing } from '../commits/unit-locks.ts';
import { notFound } from '../core/errors.ts';
import type { AdminInput } from './admin-requests.ts';
import { shellUnit } from './shell-unit.ts';

/** Makes the account for which the key is sealed; null if a person has the service's own name. Changes no setting. */
const prepareHouseAgent = shellUnit(
  { locks: everything, audit: null },
  async (call: UnitCall, { provider }: { provider: HouseProvider }) => (await prepareHouse(call, provider)) ?? null,
);

/** `house set` (ADMIN-23). */
const setHouseAgent = shellUnit(
  {
    locks: everything,
    audit: ({ provider, model, dailyTokens, dailyTokensOfAll }) => ({
      command: 'house set',
      details: { provider, model, daily_tokens: dailyTokens, daily_tokens_all: dailyTokensOfAll },
    }),
  },
  async (call: UnitCall, { key, ...terms }: AdminInput<'setHouseAgent'>): Promise<void> =>
    setHouse(call, { terms, key, source: 'command' }),
);

const removeHouseAgent = shellUnit(
  { locks: everything, audit: () => ({ command: 'house remove' }) },
  async (call: UnitCall): Promise<void> => {
    if (!(await removeHouse(call))) throw notFound('house agent');
  },
);

const showHouseAgent = shellUnit(
  { locks: nothing, audit: () => ({ command: 'house show' }) },
  async ({ tx, now }: UnitCall): Promise<ShownHouse | null> => (await shownHouse(tx, now)) ?? null,
);

export const houseUnits = { prepareHouseAgent, removeHouseAgent, setHouseAgent, showHouseAgent } as const;

/**
 * What the environment says at a start: its terms and key replace those that are stored. Without them an agent that it had
 * set is switched off, and one that the admin command has set stays (HOUSE-2).
 */
export const applyHouse = internalUnit(
  { locks: everything },
  async (call: UnitCall, given: { terms: HouseTerms; key: SealedKey } | null): Promise<void> => {
    if (given) await setHouse(call, { ...given, source: 'environment' });
    else if ((await shownHouse(call.tx, call.now))?.source === 'environment') await removeHouse(call);
  },
);
