import { defaultChatIds } from '../conversations/public-chats.ts';
import { isFirstPerson } from '../people/first-owner.ts';
import type { Clock } from '../core/clock.ts';
import type { AccountTexts } from '../rendering/account-texts.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import { ArrivalLimits } from './arrival-limits.ts';
import { Authenticator } from './authenticate.ts';
import type { RateBuckets } from './rate-buckets.ts';
import { TokenUses } from './token-uses.ts';
import { type Rates, RateLimits } from './rate-limits.ts';

interface RoomsAbove {
  config: { devTokens: boolean; rateLimits: boolean; rates: Rates };
  clock: Clock;
  readNow: Sql;
  flushed: () => Awaitable<void>;
  accounts: AccountTexts;
  units: {
    ensureDevAccount: (input: {
      username: string;
      mayBeFirst: boolean;
      defaultChats: readonly string[];
    }) => Promise<number | null>;
  };
  /** Undefined in a single process, which counts for itself. */
  rateBuckets: RateBuckets | undefined;
}

/** Who calls, and how often. */
export function openCalls({ config, clock, readNow, flushed, accounts, units, rateBuckets }: RoomsAbove) {
  /** Keys of sessions in use since housekeeping last stored them. */
  const touchedSessions = new Set<number>();
  const authenticator = new Authenticator({
    read: readNow,
    flushed,
    accounts,
    clock,
    devTokens: config.devTokens,
    makeDevAccount: async (username) =>
      units.ensureDevAccount({
        username,
        mayBeFirst: await isFirstPerson(readNow),
        defaultChats: await defaultChatIds(readNow),
      }),
    touchSession: (sessionKey) => void touchedSessions.add(sessionKey),
  });
  return {
    authenticator,
    touchedSessions,
    tokenUses: new TokenUses(),
    rateLimits: config.rateLimits ? new RateLimits(config.rates, rateBuckets) : null,
    arrivals: config.rateLimits ? new ArrivalLimits(config.rates, () => clock.monotonic()) : null,
  };
}
