import { limits } from '@parley/protocol';
import { PasswordPauses } from './password-pauses.ts';
import type { Rate, Rates } from './rate-limits.ts';
import type { Awaitable } from '../store/sql.ts';

/** An amount to take from the bucket of a key. */
export interface Taking {
  rate: keyof Rates;
  key: string | number;
  count: number;
}

/** Where the buckets and the pauses after wrong passwords are kept: in this process, or in Redis for all nodes. */
export interface RateBuckets {
  /**
   * Takes all amounts, or none if one does not fit. Returns 0 if they were taken, otherwise the time until they fit.
   * `now` is that of this process's monotonic clock; buckets that several nodes share have a clock of their own.
   * With `pauseKey` the call also waits for that key's pause, and counts as a wrong password until `clearPauses`.
   */
  take(takings: readonly Taking[], now: number, pauseKey?: string): Awaitable<number>;
  /** The password was right: resets the counts of these pauses. */
  clearPauses(keys: readonly string[]): Awaitable<void>;
  /** Undoes the count of a try whose password was not checked; `triedAt` is the time with which it was counted. */
  uncountTry(pauseKey: string, triedAt: number): Awaitable<void>;
}

/** The maximum that a single call may take. */
export const mostAtOnce = (rate: keyof Rates): number => (rate === 'messages' ? limits.messageIds : 1);

/** Buckets in the memory of this process. */
export class OwnBuckets implements RateBuckets {
  readonly #rates: Rates;
  readonly #byRate = new Map<keyof Rates, Buckets<string | number>>();
  readonly #pauses = new PasswordPauses();

  constructor(rates: Rates) {
    this.#rates = rates;
  }

  take(takings: readonly Taking[], now: number, pauseKey?: string): number {
    let waitMs = pauseKey === undefined ? 0 : this.#pauses.waitMs(pauseKey, now);
    for (const { rate, key, count } of takings) waitMs = Math.max(waitMs, this.#of(rate).waitMs(key, now, count));
    if (waitMs > 0) return waitMs;
    for (const { rate, key, count } of takings) this.#of(rate).take(key, now, count);
    if (pauseKey !== undefined) this.#pauses.count(pauseKey, now);
    return 0;
  }

  clearPauses(keys: readonly string[]): void {
    for (const key of keys) this.#pauses.clear(key);
  }

  uncountTry(pauseKey: string, triedAt: number): void {
    this.#pauses.uncount(pauseKey, triedAt);
  }

  #of(rate: keyof Rates): Buckets<string | number> {
    let buckets = this.#byRate.get(rate);
    if (!buckets) this.#byRate.set(rate, (buckets = new Buckets(this.#rates[rate], mostAtOnce(rate))));
    return buckets;
  }
}

/** A rate in terms of time, because a bucket is stored as the moment at which it will be full again. */
interface BucketShape {
  refillMs: number;
  fillMs: number;
  /**
   * Maximum time until a bucket is full again: longer than `fillMs` if one call may take more than a full bucket holds.
   */
  longestMs: number;
}

export const shapeOf = ({ burst, refillMs }: Rate, most = 1): BucketShape => ({
  refillMs,
  fillMs: burst * refillMs,
  longestMs: Math.max(burst, most) * refillMs,
});

/** Maximum keys per generation; above it the oldest are dropped before their buckets are full again. */
const MAX_KEYS = 100_000;

/** Token buckets, each stored as one number: the time at which it will be full again. */
export class Buckets<Key> {
  readonly #shape: BucketShape;
  // Two generations: a bucket that no call has used for as long as it takes to fill is full, and can be dropped.
  #young = new Map<Key, number>();
  #old = new Map<Key, number>();
  #turnAt = 0;

  constructor(rate: Rate, most = 1) {
    this.#shape = shapeOf(rate, most);
  }

  /**
   * Time until `count` can be taken or, if that is more than the bucket holds, until the bucket is full; 0 if it can be
   * now.
   */
  waitMs(key: Key, now: number, count = 1): number {
    const { refillMs, fillMs } = this.#shape;
    const takenMs = Math.min(count * refillMs, fillMs);
    return Math.max(0, this.#fullAt(key, now) + takenMs - fillMs - now);
  }

  take(key: Key, now: number, count = 1): void {
    const { refillMs, longestMs } = this.#shape;
    const fullAt = this.#fullAt(key, now) + count * refillMs;
    if (now >= this.#turnAt || this.#young.size >= MAX_KEYS) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#turnAt = now + longestMs;
    }
    this.#young.set(key, fullAt);
  }

  /** Number of buckets kept; all others are full. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #fullAt(key: Key, now: number): number {
    const known = this.#young.get(key) ?? this.#old.get(key);
    return Math.max(known ?? now, now);
  }
}
