import type { CommitPosition } from './commit-position.ts';

/** A flush by the thread that commits: of each commit, or when it has nothing else to run. */
export interface FlushHere {
  run: () => void;
  when: 'always' | 'idle';
}

/** Brings commits to the disk, for a connection that does not flush them itself (STORE-13). */
export class CommitFlush {
  readonly #position: CommitPosition;
  readonly #flush: FlushHere | null;
  /** `flush` has not been called since the last commit. */
  #isDue = false;

  /** Without `flush` the flush thread flushes every commit, while this thread runs the next units. */
  constructor(position: CommitPosition, flush: FlushHere | null = null) {
    this.#position = position;
    this.#flush = flush;
  }

  /** Called before COMMIT. Blocks until the previous commit is on the disk: only one may be visible and not on it. */
  before(): void {
    this.#position.waitUntilFlushed();
    this.#position.begin();
  }

  /** Called after COMMIT. `flush` must follow. */
  committed(): void {
    this.#position.committed();
    this.#isDue = true;
  }

  /**
   * Flushes the commit, or has the flush thread do so. `isIdle`: this thread has nothing else to run, so to wait for the
   * disk delays no unit that is here, and saves two threads a wake-up. Throws if the flush fails: no answer may follow (STORE-14).
   */
  flush(isIdle: boolean): void {
    if (!this.#isDue) return;
    this.#isDue = false;
    if (!this.#flush || (this.#flush.when === 'idle' && !isIdle)) return this.#position.ask();
    this.#flush.run();
    this.#position.settle(this.#position.begun);
  }

  /** Called if COMMIT failed: nothing of it is visible, so there is nothing to flush. */
  failed(): void {
    this.#position.settle(this.#position.begun);
  }
}
