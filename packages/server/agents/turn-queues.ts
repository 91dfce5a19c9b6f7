import type { Clock, Timer } from '../core/clock.ts';

/** Maximum number of queues that are read at once: after a restart very many may have waiting turns. */
const QUEUES_PER_TICK = 64;
/** Delay before a queue whose read failed is read again. */
const RETRY_MS = 1_000;

/**
 * Queues of turns, such as one per agent and human (TURN-11) or one per owner (TURN-18): counts their running turns, and
 * reads those that may have waiting ones. `nameOf` tells one queue from another.
 */
export class TurnQueues<Queue> {
  readonly #nameOf: (queue: Queue) => string;
  readonly #clock: Clock;
  readonly #fill: (queue: Queue) => Promise<void>;
  readonly #onFault: (error: unknown) => void;
  readonly #running = new Map<string, number>();
  readonly #due = new Map<string, Queue>();
  /** Queues that are being read. `isAsked`: read it again afterwards, because a turn arrived after the read began. */
  readonly #looking = new Map<string, { isAsked: boolean }>();
  readonly #failed: Queue[] = [];
  #retry: Timer | null = null;
  #isScheduled = false;
  #isClosed = false;

  constructor(
    clock: Clock,
    nameOf: (queue: Queue) => string,
    fill: (queue: Queue) => Promise<void>,
    onFault: (error: unknown) => void,
  ) {
    this.#nameOf = nameOf;
    this.#clock = clock;
    this.#fill = fill;
    this.#onFault = onFault;
  }

  /** True when no queue is being read or due to be read. */
  get isIdle(): boolean {
    return this.#due.size === 0 && this.#looking.size === 0;
  }

  /** Whether a queue is being read. */
  isLooking(queue: Queue): boolean {
    return this.#looking.has(this.#nameOf(queue));
  }

  runningIn(queue: Queue): number {
    return this.#running.get(this.#nameOf(queue)) ?? 0;
  }

  began(queue: Queue): void {
    this.#running.set(this.#nameOf(queue), this.runningIn(queue) + 1);
  }

  ended(queue: Queue): void {
    const left = this.runningIn(queue) - 1;
    if (left > 0) this.#running.set(this.#nameOf(queue), left);
    else this.#running.delete(this.#nameOf(queue));
  }

  /**
   * Schedules a read of queues that may have waiting turns. All calls within a tick lead to one read per queue, in the
   * next tick.
   */
  wake(queues: Iterable<Queue>): void {
    for (const queue of queues) this.#due.set(this.#nameOf(queue), queue);
    if (this.#isScheduled || this.#due.size === 0 || this.#looking.size >= QUEUES_PER_TICK) return;
    this.#isScheduled = true;
    setImmediate(() => this.#lookAtDue());
  }

  /** Reads a queue immediately, or once more after the read in progress. */
  look(queue: Queue): void {
    const name = this.#nameOf(queue);
    this.#due.delete(name);
    const underWay = this.#looking.get(name);
    if (underWay) underWay.isAsked = true;
    else void this.#look(name, queue);
  }

  /** Cancels scheduled reads and retries. */
  close(): void {
    this.#isClosed = true;
    this.#due.clear();
    this.#retry?.cancel();
  }

  async #look(name: string, queue: Queue): Promise<void> {
    const look = { isAsked: true };
    this.#looking.set(name, look);
    try {
      while (look.isAsked) {
        look.isAsked = false;
        await this.#fill(queue);
      }
    } catch (error) {
      if (this.#isClosed) return;
      this.#onFault(error);
      this.#failed.push(queue);
      this.#retry ??= this.#clock.setTimer(() => this.#lookAgain(), RETRY_MS);
    } finally {
      this.#looking.delete(name);
      this.wake([]);
    }
  }

  #lookAgain(): void {
    this.#retry = null;
    this.wake(this.#failed.splice(0));
  }

  #lookAtDue(): void {
    this.#isScheduled = false;
    for (const queue of this.#due.values()) {
      if (this.#looking.size >= QUEUES_PER_TICK) return;
      this.look(queue);
    }
  }
}
