import type { Clock, Timer } from '../../core/clock.ts';
import { unavailable } from '../../core/errors.ts';

/** Batches of other nodes that wait for one before them; more are read from the store when their turn comes. */
const MOST_WAITING = 5_000;
/** What could not be read is tried again this much later. */
const RETRY_MS = 250;
/** While the store is away nobody waits for it without end. */
const REACH_MS = 5_000;

/** A batch on its way to its place. */
export interface Numbered {
  first: number;
  last: number;
  /** Of this node: somebody waits for it. */
  isOwn: boolean;
  /** Its turn has come. */
  apply: () => void;
  /** The line has passed its numbers: what others know of it was read from the store. */
  passed: () => void;
}

interface Ports {
  clock: Clock;
  /** So long what is missing may still be under way before it is read from the store. */
  patienceMs: number;
  /**
   * Does what the store knows of the numbers behind `after` and up to `through`, which are all committed, for as long as
   * `isDue` says that the line still stands at `after`. Resolves with the number up to which it came.
   */
  fill: (after: number, through: number, isDue: () => boolean) => Promise<number>;
  onFault: (error: unknown) => void;
}

/**
 * The numbers of all nodes in one line: each batch has its turn when all before it have had theirs (CLUSTER-1). What does
 * not come in time is read from the store (CLUSTER-2).
 */
export class NumberLine {
  readonly #ports: Ports;
  #position: number;
  /** The highest number known to be given. */
  #known: number;
  /** By their first number. */
  readonly #waiting = new Map<number, Numbered>();
  #reached: { seq: number; resolve: () => void; reject: (error: Error) => void; timer: Timer }[] = [];
  #timer: Timer | null = null;
  #isFilling = false;
  #isClosed = false;

  constructor(position: number, ports: Ports) {
    this.#position = position;
    this.#known = position;
    this.#ports = ports;
  }

  /** Everything up to here has had its turn. */
  get position(): number {
    return this.#position;
  }

  /** True while something that is known to be committed has not had its turn. */
  get isBehind(): boolean {
    return this.#known > this.#position;
  }

  /** Gives a batch its turn, now or later. */
  offer(batch: Numbered): void {
    this.#known = Math.max(this.#known, batch.last);
    const isNext = batch.first === this.#position + 1;
    if (batch.first <= this.#position) this.#attempt(batch.passed);
    else if (isNext || batch.isOwn || this.#waiting.size < MOST_WAITING) this.#waiting.set(batch.first, batch);
    this.#drain();
  }

  /** This number is committed: what is missing up to it is on its way, or is read from the store. */
  expect(seq: number, patienceMs = this.#ports.patienceMs): void {
    this.#known = Math.max(this.#known, seq);
    if (this.isBehind) this.#expect(patienceMs);
  }

  /** Resolves when this number, which is committed, has had its turn; rejects when it has none in time. */
  reach(seq: number): Promise<void> | undefined {
    if (seq <= this.#position) return undefined;
    return new Promise((resolve, reject) => {
      const timer = this.#ports.clock.setTimer(() => {
        this.#reached = this.#reached.filter((one) => one.timer !== timer);
        reject(unavailable('the update log cannot be read; try again'));
      }, REACH_MS);
      this.#reached.push({ seq, resolve, reject, timer });
      this.expect(seq);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#timer = null;
    const waiting = this.#reached;
    this.#reached = [];
    for (const { reject, timer } of waiting) {
      timer.cancel();
      reject(unavailable('the service is stopping'));
    }
  }

  #attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      // One batch that fails must not hold up all that come behind it.
      this.#ports.onFault(error);
    }
  }

  /** What waited and has its turn now, or never. */
  #drain(): void {
    if (this.#isClosed) return;
    for (let next = this.#waiting.get(this.#position + 1); next; next = this.#waiting.get(this.#position + 1)) {
      this.#waiting.delete(next.first);
      this.#attempt(next.apply);
      this.#position = next.last;
    }
    if (this.#reached.length > 0) {
      const reached = this.#reached.filter(({ seq }) => seq <= this.#position);
      this.#reached = this.#reached.filter(({ seq }) => seq > this.#position);
      for (const { resolve, timer } of reached) {
        timer.cancel();
        resolve();
      }
    }
    if (this.isBehind) this.#expect(this.#ports.patienceMs);
    else {
      this.#timer?.cancel();
      this.#timer = null;
    }
  }

  #expect(patienceMs: number): void {
    if (this.#timer || this.#isFilling || this.#isClosed) return;
    const from = this.#position;
    this.#timer = this.#ports.clock.setTimer(() => {
      this.#timer = null;
      // The line has moved meanwhile: what is missing now is another thing, and has its own time.
      if (this.#position === from) void this.#fill();
      else if (this.isBehind) this.#expect(this.#ports.patienceMs);
    }, patienceMs);
  }

  async #fill(): Promise<void> {
    const after = this.#position;
    let through = this.#known;
    for (const first of this.#waiting.keys()) through = Math.min(through, first - 1);
    this.#isFilling = true;
    let isRead = false;
    try {
      const reached = await this.#ports.fill(after, through, () => !this.#isClosed && this.#position === after);
      isRead = true;
      if (this.#position === after) this.#position = reached;
      for (const { first, passed } of this.#waiting.values()) {
        if (first > this.#position) continue;
        this.#waiting.delete(first);
        this.#attempt(passed);
      }
    } catch (error) {
      this.#ports.onFault(error);
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
