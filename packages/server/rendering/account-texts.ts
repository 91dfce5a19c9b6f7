// rendering/: rows as the records of the wire: accounts, messages, conversations. Reads what a record needs beside its
// row; its statements are in the store.
import type { Clock } from '../core/clock.ts';
import type { Sql } from '../store/sql.ts';

/** Maximum number of accounts kept, of a few hundred bytes each. */
const MAX_KEPT = 20_000;
/** How long a text of an account that has changed is not cached: longer than any read takes. */
const SETTLE_MS = 30_000;

/**
 * A cache of accounts as wire JSON text, by key. `accountJson` fills it; code that changes an account must call
 * `forget`. With the cache, a page of messages renders each sender once, and most messages need only their own row.
 */
export class AccountTexts {
  readonly #texts = new Map<number, string>();
  readonly #maxKept: number;
  readonly #clock: Clock | null;
  /** When accounts changed, oldest first. */
  readonly #changedAt = new Map<number, number>();

  /** `clock` is needed if reads take time: an answer may then arrive after its account has changed. */
  constructor({ maxKept = MAX_KEPT, clock = null }: { maxKept?: number; clock?: Clock | null } = {}) {
    this.#maxKept = maxKept;
    this.#clock = clock;
  }

  /** False if the cache keeps no texts. */
  get keeps(): boolean {
    return this.#maxKept > 0;
  }

  get(accountKey: number): string | undefined {
    return this.#texts.get(accountKey);
  }

  /** Caches a text; if the cache is full, the oldest entry is evicted. */
  set(accountKey: number, text: string): void {
    if (this.#maxKept === 0 || this.#hasJustChanged(accountKey)) return;
    if (this.#texts.size >= this.#maxKept && !this.#texts.has(accountKey)) {
      const [oldest] = this.#texts.keys();
      if (oldest !== undefined) this.#texts.delete(oldest);
    }
    this.#texts.set(accountKey, text);
  }

  forget(accountKey: number): void {
    this.#texts.delete(accountKey);
    if (!this.#clock) return;
    this.#changedAt.delete(accountKey);
    this.#changedAt.set(accountKey, this.#clock.monotonic());
    for (const key of this.#changedAt.keys()) {
      if (this.#hasJustChanged(key)) break;
      this.#changedAt.delete(key);
    }
  }

  #hasJustChanged(accountKey: number): boolean {
    const changedAt = this.#changedAt.get(accountKey);
    return changedAt !== undefined && (this.#clock?.monotonic() ?? 0) - changedAt < SETTLE_MS;
  }

  clear(): void {
    this.#texts.clear();
  }
}

/** Needed to render accounts, messages and conversations; every `Call` has both. */
export interface RenderSource {
  readonly tx: Sql;
  readonly accounts: AccountTexts;
}

/** Caches nothing: for data that other nodes may change without notice, and for single reads. */
export const noAccountTexts = new AccountTexts({ maxKept: 0 });
