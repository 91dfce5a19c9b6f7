import { MAX_PARTS } from '../core/parse-json.ts';
import { Buckets } from './rate-buckets.ts';
import { type Rate, type Rates, refuseFor } from './rate-limits.ts';

/** JSON with at most this many values and keys is never refused: reading it costs no more than any other call does. */
const FREE_PARTS = 100;
/** Values and keys of the JSON that one owner may send: parsing them takes about 2% of the event loop. */
const parts: Rate = { burst: 500_000, refillMs: 1_000 / 50_000 };

/**
 * Counts what arrives, before and besides the rates of operations (LIMIT-28). Each node counts for itself: these limits
 * protect its event loop.
 */
export class ArrivalLimits {
  readonly #parts = new Buckets<string>(parts, MAX_PARTS);
  readonly #refusals: Buckets<string>;
  readonly #monotonic: () => number;

  constructor({ refusals }: Pick<Rates, 'refusals'>, monotonic: () => number) {
    this.#refusals = new Buckets(refusals);
    this.#monotonic = monotonic;
  }

  /** Counts JSON that is about to be parsed, or throws rate_limited without counting it. */
  admitJson(owner: string, count: number): void {
    if (count > FREE_PARTS) take(this.#parts, owner, this.#monotonic(), count);
  }

  /** Counts a call that is about to be refused for its shape or its caller, or throws rate_limited in place of that refusal. */
  countRefusal(owner: string): void {
    take(this.#refusals, owner, this.#monotonic(), 1);
  }
}

function take(buckets: Buckets<string>, owner: string, now: number, count: number): void {
  refuseFor(buckets.waitMs(owner, now, count));
  buckets.take(owner, now, count);
}
