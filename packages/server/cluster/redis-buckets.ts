import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { mostAtOnce, OwnBuckets, type RateBuckets, shapeOf, type Taking } from '../rate-buckets.ts';
import type { Rates } from '../rate-limits.ts';
import type { RedisConnection } from './redis-connection.ts';

/** Whoever calls does not wait longer for a Redis that is slow. */
const PATIENCE_MS = 500;

/** As `Buckets`, of all that one call takes. A bucket that is full again is forgotten, a little later. */
const TAKE = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end
local wait, full = 0, {}
for i, key in ipairs(KEYS) do
  local takes, fills, longest = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local known = redis.call('GET', key)
  known = math.min(math.max(known and tonumber(known) or now, now), now + longest)
  wait = math.max(wait, known + math.min(takes, fills) - fills - now)
  full[i] = known + takes
end
if wait <= 0 then
  for i, key in ipairs(KEYS) do
    redis.call('SET', key, string.format('%.3f', full[i]), 'PX', math.ceil(full[i] - now) + 10000)
  end
end
return string.format('%.3f', wait)
`;
const TAKE_HASH = createHash('sha1').update(TAKE).digest('hex');

interface Options {
  rates: Rates;
  connection: RedisConnection;
  prefix: string;
  clock: Clock;
  /** Told once when Redis begins to fail. */
  onFault?: (error: unknown) => void;
  /** Only a test gives the time; else it is Redis' own, which is one for all nodes. */
  isTimeGiven?: boolean;
}

/** The buckets of all nodes, in Redis; while that is away each node has its own (CLUSTER-25). */
export class RedisBuckets implements RateBuckets {
  readonly #options: Options;
  readonly #own: OwnBuckets;
  #isFailing = false;

  constructor(options: Options) {
    this.#options = options;
    this.#own = new OwnBuckets(options.rates);
  }

  async take(takings: readonly Taking[], now: number): Promise<number> {
    const { connection, clock, onFault } = this.#options;
    if (!connection.isUp) return this.#own.take(takings, now);
    const late = Promise.withResolvers<never>();
    const timer = clock.setTimer(() => late.reject(new Error('Redis is slow')), PATIENCE_MS);
    try {
      const waitMs = await Promise.race([this.#ask(takings, now), late.promise]);
      this.#isFailing = false;
      return waitMs;
    } catch (error) {
      if (!this.#isFailing) onFault?.(error);
      this.#isFailing = true;
      return this.#own.take(takings, now);
    } finally {
      timer.cancel();
    }
  }

  async #ask(takings: readonly Taking[], now: number): Promise<number> {
    const { connection, prefix, rates, isTimeGiven } = this.#options;
    const keys = takings.map(({ rate, key }) => `${prefix}:rate:${rate}:${key}`);
    const numbers = takings.flatMap(({ rate, count }) => {
      const { refillMs, fillMs, longestMs } = shapeOf(rates[rate], mostAtOnce(rate));
      return [count * refillMs, fillMs, longestMs].map(String);
    });
    const rest = [String(keys.length), ...keys, isTimeGiven ? String(now) : '', ...numbers];
    try {
      return Number(await connection.command('EVALSHA', TAKE_HASH, ...rest));
    } catch (error) {
      // A Redis that has started anew knows no script.
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return Number(await connection.command('EVAL', TAKE, ...rest));
    }
  }
}
