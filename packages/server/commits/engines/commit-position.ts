/**
 * Counts the embedded store's commits, and those of them that are on disk, in memory that its threads share (STORE-13).
 * The store thread commits without a flush and the flush thread flushes, so other connections see a commit before a
 * power cut could no longer take it back. At most one commit is in that state at a time.
 */
export class CommitPosition {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: BigInt64Array;
  #waiting: PromiseWithResolvers<void> | null = null;

  constructor(buffer = new SharedArrayBuffer(CELLS * 8)) {
    this.buffer = buffer;
    this.#cells = new BigInt64Array(buffer);
  }

  /** Number of commits that may be visible to other connections. */
  get begun(): number {
    return Number(Atomics.load(this.#cells, BEGUN));
  }

  /** Number of commits that no power cut can take back. */
  get flushed(): number {
    return Number(Atomics.load(this.#cells, FLUSHED));
  }

  /** True if everything that this thread has read so far is on disk. */
  get isFlushed(): boolean {
    return Atomics.load(this.#cells, FLUSHED) === Atomics.load(this.#cells, BEGUN);
  }

  /** Called by the store thread before COMMIT: from now on the commit may be visible. */
  begin(): void {
    Atomics.add(this.#cells, BEGUN, 1n);
  }

  /** Called by the store thread after COMMIT: wakes the flush thread. */
  ask(): void {
    Atomics.store(this.#cells, ASKED, Atomics.load(this.#cells, BEGUN));
    Atomics.notify(this.#cells, ASKED);
  }

  /** Called when the commits up to `commit` are on disk, or when a COMMIT has failed and nothing of it is visible. */
  settle(commit: number): void {
    Atomics.store(this.#cells, FLUSHED, BigInt(commit));
    Atomics.notify(this.#cells, FLUSHED);
  }

  /** Blocks this thread until everything that it has read or committed so far is on disk. */
  waitUntilFlushed(): void {
    const begun = Atomics.load(this.#cells, BEGUN);
    for (;;) {
      const flushed = Atomics.load(this.#cells, FLUSHED);
      if (flushed >= begun) return;
      Atomics.wait(this.#cells, FLUSHED, flushed);
    }
  }

  /** Blocks the flush thread until there is a commit to flush; returns its number, or null after `close`. */
  nextAsked(): number | null {
    for (;;) {
      const asked = Atomics.load(this.#cells, ASKED);
      if (asked === CLOSED) return null;
      if (asked > Atomics.load(this.#cells, FLUSHED)) return Number(asked);
      Atomics.wait(this.#cells, ASKED, asked);
    }
  }

  /** Ends the flush thread. */
  close(): void {
    Atomics.store(this.#cells, ASKED, CLOSED);
    Atomics.notify(this.#cells, ASKED);
  }

  /** Resolves at the next `release`, without blocking the thread. */
  nextRelease(): Promise<void> {
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** Called on the main thread when it has learned of a flush: reads that waited for it go on. */
  release(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve();
  }
}

const [BEGUN, FLUSHED, ASKED] = [0, 1, 2];
const CELLS = 3;
/** In the place of a number that was asked for. */
const CLOSED = -1n;
