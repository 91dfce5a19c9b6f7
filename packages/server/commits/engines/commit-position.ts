import { unavailable } from '../../core/errors.ts';
import type { CommitCounter } from '../../store/engines/sqlite.ts';

/**
 * Counts the embedded store's commits, and those of them that are on disk, in memory that its threads share (STORE-13).
 * The store thread commits, and then it or the flush thread flushes, so other connections see a commit before a power
 * cut could no longer take it back. At most one commit is in that state at a time.
 */
export class CommitPosition implements CommitCounter {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: BigInt64Array;
  #waiting: PromiseWithResolvers<void> | null = null;
  #isLost = false;

  constructor(buffer = new SharedArrayBuffer(CELLS * 8)) {
    this.buffer = buffer;
    this.#cells = new BigInt64Array(buffer);
  }

  /** Number of commits that may be visible to other connections. */
  get begun(): number {
    return Number(Atomics.load(this.#cells, BEGUN));
  }

  /** Number of the newest commit; null while the store thread commits, and so perhaps makes another one visible. */
  get newest(): number | null {
    const begun = Atomics.load(this.#cells, BEGUN);
    // A failed COMMIT is settled at once.
    const isOver = Atomics.load(this.#cells, COMMITTED) === begun || Atomics.load(this.#cells, FLUSHED) === begun;
    return isOver ? Number(begun) : null;
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
    Atomics.notify(this.#cells, BEGUN);
  }

  /** Called by the store thread after COMMIT. */
  committed(): void {
    Atomics.store(this.#cells, COMMITTED, Atomics.load(this.#cells, BEGUN));
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

  /** Blocks the checkpoint thread until a commit after `commit` has begun, and then for `ms`. False after `close`. */
  waitForCommits(commit: number, ms: number): boolean {
    const seen = BigInt(commit);
    // With a time limit, because `close` may be called between the check and the wait.
    while (Atomics.load(this.#cells, BEGUN) === seen && !this.#isClosed)
      Atomics.wait(this.#cells, BEGUN, seen, LOOK_MS);
    Atomics.wait(this.#cells, CLOSING, 0n, ms);
    return !this.#isClosed;
  }

  /** Called by the checkpoint thread when it has copied all but the newest pages of the log into the database. */
  leaveRest(): void {
    Atomics.store(this.#cells, REST, 1n);
  }

  /** True once after each `leaveRest`: the store thread must then copy the rest. */
  takeRest(): boolean {
    return Atomics.exchange(this.#cells, REST, 0n) === 1n;
  }

  /** Ends the flush thread and the checkpoint thread. */
  close(): void {
    Atomics.store(this.#cells, CLOSING, 1n);
    Atomics.store(this.#cells, ASKED, CLOSED);
    for (const cell of [CLOSING, ASKED, BEGUN]) Atomics.notify(this.#cells, cell);
  }

  get #isClosed(): boolean {
    return Atomics.load(this.#cells, CLOSING) === 1n;
  }

  /** Returns a value that the main thread has just read: now, or when all that it may contain is on the disk. */
  whenFlushed<Value>(value: Value): Value | Promise<Value> {
    return this.isFlushed ? value : this.#later(value, this.begun);
  }

  async #later<Value>(value: Value, commit: number): Promise<Value> {
    while (this.flushed < commit) {
      if (this.#isLost) throw unavailable('the store has failed');
      this.#waiting ??= Promise.withResolvers();
      await this.#waiting.promise;
    }
    return value;
  }

  /** Called on the main thread after the store has failed: rejects the reads and calls that wait for a flush. */
  abort(): void {
    this.#isLost = true;
    this.release();
  }

  /** Called on the main thread after a flush: resumes the reads and calls that wait for it. */
  release(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve();
  }
}

const [BEGUN, FLUSHED, ASKED, CLOSING, REST, COMMITTED] = [0, 1, 2, 3, 4, 5];
const CELLS = 6;
/** How often a thread that waits for commits checks whether `close` was called. */
const LOOK_MS = 1_000;
/** The value of ASKED after `close`. */
const CLOSED = -1n;
