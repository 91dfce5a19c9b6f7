import { type Deferred, deferred } from '../deferred.ts';
import type { Changes } from './changes.ts';

/** Maximum entries kept; with more the fetches in progress are made again. */
const MAX_KEPT = 5_000;

/**
 * Events, and answers to the user's own changes, that arrived during a fetch, to be applied again to its result, which may
 * be older. Empty while nothing is being fetched.
 */
export class Journal {
  /** Until the starting position in the log is known, from which no event is missed. */
  #base: Deferred<void> | null = deferred<void>();
  readonly #changes: Changes;
  #entries: (() => void)[] = [];
  #open = 0;
  /** Incremented when entries are missing. */
  #losses = 0;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** Begins the fetches: from now on no event is missed. */
  begin(): void {
    this.#base?.resolve();
    this.#base = null;
  }

  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** Records an event. Running `again` a second time, followed by all later entries, must change nothing. */
  add(again: () => void): void {
    if (this.#open > 0 && this.#entries.push(again) > MAX_KEPT) this.lose();
  }

  /** Events were missed: the answers to requests made until now may lack them. */
  lose(): void {
    this.#losses += 1;
    this.#entries = [];
  }

  /**
   * Fetches, and applies the answer and then what was recorded meanwhile. If events were missed meanwhile, it fetches
   * again. Nothing is fetched before the starting position is known.
   */
  async fetch<Answer>(ask: () => Promise<Answer>, apply: (answer: Answer) => void): Promise<void> {
    if (this.#base) await this.#base.promise;
    for (let isDone = false; !isDone;) {
      const [from, losses] = [this.#entries.length, this.#losses];
      this.#open += 1;
      try {
        const answer = await ask();
        isDone = losses === this.#losses;
        if (isDone)
          this.#changes.run(() => {
            apply(answer);
            for (const again of this.#entries.slice(from)) again();
          });
      } finally {
        this.#open -= 1;
        if (this.#open === 0) this.#entries = [];
      }
    }
  }
}
