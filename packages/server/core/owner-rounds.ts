import type { Clock } from './clock.ts';

/** An owner key below all others: the next owner after it is the first. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

interface RoundsNeeds<Item> {
  clock: Clock;
  /** No further item is begun in the same tick of the housekeeping after this time. */
  busyMs: number;
  /** The next item of the next owner after the given one. */
  next: (owner: number) => Promise<Item | undefined>;
  /** Returns false if nothing can be done at the moment: the others wait for the next tick. */
  take: (item: Item, isEnding: () => boolean) => Promise<boolean>;
}

/**
 * Work that waits in the store, done one item after another. Owners take turns: one with many items delays others by one
 * item each.
 */
export class OwnerRounds<Item extends { readonly owner_key: number }> {
  readonly #needs: RoundsNeeds<Item>;
  #running: Promise<void> | null = null;
  #owner = BEFORE_ALL;
  #isClosed = false;

  constructor(needs: RoundsNeeds<Item>) {
    this.#needs = needs;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Works for a while. */
  tend(isPaused: () => boolean = () => false): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#running ??= this.#work(() => this.#isClosed || isPaused()).finally(() => (this.#running = null));
    return this.#running;
  }

  /** `stop` ends what is being done. */
  async close(stop: () => void): Promise<void> {
    this.#isClosed = true;
    stop();
    await this.#running?.catch(() => {});
  }

  async #work(isEnding: () => boolean): Promise<void> {
    const { clock, busyMs, take } = this.#needs;
    const until = clock.monotonic() + busyMs;
    do {
      const item = await this.#next();
      if (!item || this.#isClosed || !(await take(item, isEnding))) return;
    } while (clock.monotonic() < until && !isEnding());
  }

  async #next(): Promise<Item | undefined> {
    const { next } = this.#needs;
    const item = (await next(this.#owner)) ?? (await next(BEFORE_ALL));
    if (item) this.#owner = item.owner_key;
    return item;
  }
}
