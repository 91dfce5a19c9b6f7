import type { CommitPosition } from './commit-position.ts';

/** Brings commits to the disk, for a connection that does not flush them itself (STORE-13). */
export class CommitFlush {
  readonly #position: CommitPosition;
  readonly #flushHere: (() => void) | null;

  /** The flush thread flushes while this thread runs the next units. With `flushHere` this thread flushes instead. */
  constructor(position: CommitPosition, flushHere: (() => void) | null = null) {
    this.#position = position;
    this.#flushHere = flushHere;
  }

  /** Called before COMMIT. Blocks until the previous commit is on the disk: only one may be visible and not on it. */
  before(): void {
    this.#position.waitUntilFlushed();
    this.#position.begin();
  }

  /** Called after COMMIT: flushes it, or has the flush thread do so. */
  committed(): void {
    if (!this.#flushHere) return this.#position.ask();
    this.#flushHere();
    this.#position.settle(this.#position.begun);
  }

  /** Called if COMMIT failed: nothing of it is visible, so there is nothing to flush. */
  failed(): void {
    this.#position.settle(this.#position.begun);
  }
}
