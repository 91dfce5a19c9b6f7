import type { CommitPosition } from './commit-position.ts';

/** Brings commits to the disk, for a connection that does not flush them by itself (STORE-13). */
export interface CommitFlush {
  /** Called before COMMIT: blocks until the commit before is on disk, since at most one may be visible that is not. */
  before(): void;
  /** Called after COMMIT: requests its flush. */
  committed(): void;
  /** Called if COMMIT failed: there is nothing to flush. */
  failed(): void;
}

/** Flushes in another thread, while this one runs the next units. */
export class FlushElsewhere implements CommitFlush {
  readonly #position: CommitPosition;

  constructor(position: CommitPosition) {
    this.#position = position;
  }

  before(): void {
    this.#position.waitUntilFlushed();
    this.#position.begin();
  }

  committed(): void {
    this.#position.ask();
  }

  failed(): void {
    this.#position.settle(this.#position.begun);
  }
}

/** Flushes in the thread of the units, which waits for the disk. */
export class FlushHere implements CommitFlush {
  readonly #position: CommitPosition;
  readonly #flush: () => void;

  constructor(position: CommitPosition, flush: () => void) {
    this.#position = position;
    this.#flush = flush;
  }

  before(): void {
    this.#position.begin();
  }

  committed(): void {
    this.#flush();
    this.#position.settle(this.#position.begun);
  }

  failed(): void {
    this.#position.settle(this.#position.begun);
  }
}
