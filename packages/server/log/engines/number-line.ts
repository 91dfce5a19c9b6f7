import type { Clock, Timer } from '../../core/clock.ts';
import { unavailable } from '../../core/errors.ts';

/** Maximum waiting batches of other nodes; further ones are dropped, and later read from the store. */
const MAX_WAITING = 5_000;
/** Delay before a failed read of the store is retried. */
const RETRY_MS = 250;
/** How long callers of `reach` wait, for example while the store is unavailable. */
const REACH_MS = 5_000;

/** A batch that has its numbers and waits until all lower numbers are applied. */
interface NumberedBatch {
  first: number;
  last: number;
  /** True for a batch of this node: callers wait for it, so it must not be dropped. */
  isOwn: boolean;
  /** Called when all lower numbers are applied. */
  apply: () => void;
  /** Called instead of `apply` if the batch's numbers have been read from the store already. */
  passed: () => void;
}

interface NumberLineNeeds {
  clock: Clock;
  /** How long the line waits for missing numbers before it reads them from the store. */
  patienceMs: number;
  /**
   * Reads the committed numbers after `after` up to `through` from the store and applies them, if `isDue` says that the
   * line is still at `after`. Resolves with the last number applied.
   */
  fill: (after: number, through: number, isDue: () => boolean) => Promise<number>;
  onFault: (error: unknown) => void;
}

/**
 * Applies the batches of all nodes in the order of their numbers (CLUSTER-1). Numbers that do not arrive in time are
 * read from the store (CLUSTER-2).
 */
export class NumberLine {
  readonly #needs: NumberLineNeeds;
  #position: number;
  /** The highest number that is known to be committed. */
  #known: number;
  /** Waiting batches, by their first number. */
  readonly #waiting = new Map<number, NumberedBatch>();
  /** Callers of `reach`. */
  #reaching: { seq: number; resolve: () => void; reject: (error: Error) => void; timer: Timer }[] = [];
  #timer: Timer | null = null;
  #isFilling = false;
  #isClosed = false;

  constructor(position: number, needs: NumberLineNeeds) {
    this.#position = position;
    this.#known = position;
    this.#needs = needs;
  }

  /** The last number that has been applied. */
  get position(): number {
    return this.#position;
  }

  /** True while a number that is known to be committed has not been applied. */
  get isBehind(): boolean {
    return this.#known > this.#position;
  }

  /** Applies a batch, now or when all lower numbers are applied. */
  offer(batch: NumberedBatch): void {
    this.#known = Math.max(this.#known, batch.last);
    const isNext = batch.first === this.#position + 1;
    if (batch.first <= this.#position) this.#attempt(batch.passed);
    else if (isNext || batch.isOwn || this.#waiting.size < MAX_WAITING) this.#waiting.set(batch.first, batch);
    this.#drain();
  }

  /** Notes that numbers up to `seq` are committed. After `patienceMs` those still missing are read from the store. */
  expect(seq: number, patienceMs = this.#needs.patienceMs): void {
    this.#known = Math.max(this.#known, seq);
    if (this.isBehind) this.#expect(patienceMs);
  }

  /** Resolves when a committed number has been applied; rejects after a time limit. */
  reach(seq: number): Promise<void> | undefined {
    if (seq <= this.#position) return undefined;
    return new Promise((resolve, reject) => {
      const timer = this.#needs.clock.setTimer(() => {
        this.#reaching = this.#reaching.filter((one) => one.timer !== timer);
        reject(unavailable('the update log cannot be read; try again'));
      }, REACH_MS);
      this.#reaching.push({ seq, resolve, reject, timer });
      this.expect(seq);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#timer = null;
    const waiting = this.#reaching;
    this.#reaching = [];
    for (const { reject, timer } of waiting) {
      timer.cancel();
      reject(unavailable('the service is stopping'));
    }
  }

  #attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      // A batch that fails must not stop the following ones.
      this.#needs.onFault(error);
    }
  }

  /** Applies the waiting batches that are next, and resolves callers of `reach`. */
  #drain(): void {
    if (this.#isClosed) return;
    for (let next = this.#waiting.get(this.#position + 1); next; next = this.#waiting.get(this.#position + 1)) {
      this.#waiting.delete(next.first);
      this.#attempt(next.apply);
      this.#position = next.last;
    }
    if (this.#reaching.length > 0) {
      const reached = this.#reaching.filter(({ seq }) => seq <= this.#position);
      this.#reaching = this.#reaching.filter(({ seq }) => seq > this.#position);
      for (const { resolve, timer } of reached) {
        timer.cancel();
        resolve();
      }
    }
    if (this.isBehind) this.#expect(this.#needs.patienceMs);
    else {
      this.#timer?.cancel();
      this.#timer = null;
    }
  }

  #expect(patienceMs: number): void {
    if (this.#timer || this.#isFilling || this.#isClosed) return;
    const from = this.#position;
    this.#timer = this.#needs.clock.setTimer(() => {
      this.#timer = null;
      // If the line has advanced, a different number is missing, which gets the full time again.
      if (this.#position === from) void this.#fill();
      else if (this.isBehind) this.#expect(this.#needs.patienceMs);
    }, patienceMs);
  }

  async #fill(): Promise<void> {
    const after = this.#position;
    let through = this.#known;
    for (const first of this.#waiting.keys()) through = Math.min(through, first - 1);
    this.#isFilling = true;
    let isRead = false;
    try {
      const reached = await this.#needs.fill(after, through, () => !this.#isClosed && this.#position === after);
      isRead = true;
      if (this.#position === after) this.#position = reached;
      for (const { first, passed } of this.#waiting.values()) {
        if (first > this.#position) continue;
        this.#waiting.delete(first);
        this.#attempt(passed);
      }
    } catch (error) {
      this.#needs.onFault(error);
    }
    this.#isFilling = false;
    if (this.#isClosed) return;
    this.#drain();
    if (!isRead && this.isBehind) {
      this.#timer?.cancel();
      this.#timer = null;
      this.#expect(RETRY_MS);
    }
  }
}
