import { createHash } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { mostAtOnce, OwnBuckets, type RateBuckets, shapeOf, type Taking } from '../calls/rate-buckets.ts';
import { FIRST_PAUSE_MS, FORGET_MS, FREE_TRIES, LONGEST_PAUSE_MS, MAX_PAUSE_KEYS } from '../calls/password-pauses.ts';
import type { Rates } from '../calls/rate-limits.ts';
import type { RedisConnection } from './redis-connection.ts';

/** Maximum time that a call waits for Redis. */
const PATIENCE_MS = 500;

/**
 * The rules of `Buckets` and `PasswordPauses` as a script, for all tokens that one call takes. Redis has no monotonic
 * clock, so each bucket is stored with the time at which it was written: if that is yet to come, Redis's clock was set
 * back, and everything that is stored is moved back by as much. A bucket expires shortly after it is full. KEYS: the counts of wrong passwords by pause key, the times of the last tries, the times of the
 * tries before those (each with the time of the last try by its node's clock), then the buckets. The last argument is
 * the time by this node's clock.
 */
const TAKE = `
local now, who = tonumber(ARGV[1]), ARGV[2]
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end
local wait, wrong, at, full, moved = 0, 0, 0, {}, {}
if who ~= '' then
  at = tonumber(redis.call('ZSCORE', KEYS[2], who) or '0')
  if at > now then
    at = now
    redis.call('ZADD', KEYS[2], 'XX', string.format('%.3f', now), who)
  end
  if now - at < ${FORGET_MS} then wrong = tonumber(redis.call('HGET', KEYS[1], who) or '0') end
  if wrong > ${FREE_TRIES} then
    local pause = math.min(${LONGEST_PAUSE_MS}, ${FIRST_PAUSE_MS} * 2 ^ (wrong - ${FREE_TRIES} - 1))
    wait = math.max(wait, math.min(pause, at + pause - now))
  end
end
for i = 4, #KEYS do
  local takes, fills = tonumber(ARGV[2 * i - 5]), tonumber(ARGV[2 * i - 4])
  local known, written = string.match(redis.call('GET', KEYS[i]) or '', '^(%S+) (%S+)$')
  known, written = tonumber(known or now), tonumber(written or now)
  if written > now then
    known = known - (written - now)
    moved[i] = known
  end
  known = math.max(known, now)
  wait = math.max(wait, known + math.min(takes, fills) - fills - now)
  full[i] = known + takes
end
local function keep(i, at)
  local value = string.format('%.3f %.3f', at, now)
  redis.call('SET', KEYS[i], value, 'PX', math.max(1, math.ceil(at - now)) + 10000)
end
if wait <= 0 then
  for i = 4, #KEYS do
    keep(i, full[i])
  end
  if who ~= '' then
    redis.call('HSET', KEYS[1], who, wrong + 1)
    redis.call('ZADD', KEYS[2], string.format('%.3f', now), who)
    redis.call('HSET', KEYS[3], who, string.format('%.3f', at) .. ' ' .. ARGV[#ARGV])
    if redis.call('ZCARD', KEYS[2]) > ${MAX_PAUSE_KEYS} then
      local oldest = redis.call('ZPOPMIN', KEYS[2])[1]
      redis.call('HDEL', KEYS[1], oldest)
      redis.call('HDEL', KEYS[3], oldest)
    end
    for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ${FORGET_MS}) end
  end
else
  for i, at in pairs(moved) do keep(i, at) end
end
return string.format('%.3f', wait)
`;
const TAKE_HASH = createHash('sha1').update(TAKE).digest('hex');

/**
 * Takes back one try of a key, unless the key was cleared or has expired. If no later try followed, the time of the
 * last try becomes that of the previous try again.
 */
const UNCOUNT = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
local known = redis.call('HGET', KEYS[3], ARGV[1]) or ''
local before, tried = string.match(known, '^(%S+) (%S+)$')
if tried == ARGV[2] then redis.call('ZADD', KEYS[2], 'XX', before, ARGV[1]) end
return 1
`;

interface Options {
  rates: Rates;
  connection: RedisConnection;
  prefix: string;
  clock: Clock;
  /** Called once when Redis begins to fail. */
  onFault?: (error: unknown) => void;
  /** Uses the given time instead of Redis's clock, which all nodes share; for tests only. */
  isTimeGiven?: boolean;
}

/** The buckets of all nodes, kept in Redis; while it is unavailable each node has its own (CLUSTER-25). */
export class RedisBuckets implements RateBuckets {
  readonly #options: Options;
  readonly #own: OwnBuckets;
  #isFailing = false;

  constructor(options: Options) {
    this.#options = options;
    this.#own = new OwnBuckets(options.rates);
  }

  take(takings: readonly Taking[], now: number, pauseKey?: string): Promise<number> {
    return this.#ask(
      () => this.#take(takings, now, pauseKey),
      () => this.#own.take(takings, now, pauseKey),
    );
  }

  async clearPauses(keys: readonly string[]): Promise<void> {
    this.#own.clearPauses(keys);
    const [counts, times, timesBefore] = this.#pauseKeys();
    const clear = () =>
      Promise.all([
        this.#options.connection.command('HDEL', counts, ...keys),
        this.#options.connection.command('ZREM', times, ...keys),
        this.#options.connection.command('HDEL', timesBefore, ...keys),
      ]);
    await this.#ask<unknown>(clear, () => undefined);
  }

  async uncountTry(pauseKey: string, triedAt: number): Promise<void> {
    const keys = this.#pauseKeys();
    const given = [String(keys.length), ...keys, pauseKey, String(triedAt)];
    const uncount = () => this.#options.connection.command('EVAL', UNCOUNT, ...given);
    await this.#ask<unknown>(uncount, () => this.#own.uncountTry(pauseKey, triedAt));
  }

  /** Resolves with the answer of Redis, or with that of this process's own buckets if Redis is unavailable or slow. */
  async #ask<Value>(ask: () => Promise<Value>, here: () => Value): Promise<Value> {
    const { connection, clock, onFault } = this.#options;
    if (!connection.isUp) return here();
    const late = Promise.withResolvers<never>();
    const timer = clock.setTimer(() => late.reject(new Error('Redis is slow')), PATIENCE_MS);
    try {
      const value = await Promise.race([ask(), late.promise]);
      this.#isFailing = false;
      return value;
    } catch (error) {
      if (!this.#isFailing) onFault?.(error);
      this.#isFailing = true;
      return here();
    } finally {
      timer.cancel();
    }
  }

  async #take(takings: readonly Taking[], now: number, pauseKey = ''): Promise<number> {
    const { connection, prefix, rates, isTimeGiven } = this.#options;
    const keys = [...this.#pauseKeys(), ...takings.map(({ rate, key }) => `${prefix}:rate:${rate}:${key}`)];
    const numbers = takings.flatMap(({ rate, count }) => {
      const { refillMs, fillMs } = shapeOf(rates[rate], mostAtOnce(rate));
      return [count * refillMs, fillMs].map(String);
    });
    const rest = [String(keys.length), ...keys, isTimeGiven ? String(now) : '', pauseKey, ...numbers, String(now)];
    try {
      return Number(await connection.command('EVALSHA', TAKE_HASH, ...rest));
    } catch (error) {
      // A restarted Redis has no cached scripts.
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return Number(await connection.command('EVAL', TAKE, ...rest));
    }
  }

  #pauseKeys(): [counts: string, times: string, timesBefore: string] {
    const { prefix } = this.#options;
    return [`${prefix}:pauses`, `${prefix}:pauses:at`, `${prefix}:pauses:before`];
  }
}
