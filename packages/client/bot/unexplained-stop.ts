import type { Client } from '../client.ts';
import type { Clock, Timer } from '../environment.ts';

/** So long an `events.cancelRun` may be behind the answer of an append. */
const EVENT_MS = 5_000;
/** Cancels are replayed for so long: what has not come by then does not come. */
const REPLAY_MS = 60_000;

/**
 * `cancel_requested` says that a stop was asked for, not by whom: the event does, and it decides. Only where none
 * comes the stop is heeded without it.
 */
export class UnexplainedStop {
  readonly #client: Pick<Client, 'state'>;
  readonly #clock: Clock;
  readonly #heed: () => void;
  #timer: Timer | null = null;
  #seenAt = 0;
  #isExplained = false;

  constructor(client: Pick<Client, 'state'>, clock: Clock, heed: () => void) {
    this.#client = client;
    this.#clock = clock;
    this.#heed = heed;
  }

  see(): void {
    if (this.#isExplained || this.#timer) return;
    this.#seenAt = this.#clock.now();
    this.#wait();
  }

  /** The event has come, or the turn is over. */
  explain(): void {
    this.#isExplained = true;
    this.#timer?.cancel();
    this.#timer = null;
  }

  #wait(): void {
    this.#timer = this.#clock.setTimer(() => {
      const isHeard = this.#client.state === 'live' || this.#clock.now() - this.#seenAt >= REPLAY_MS;
      if (isHeard) this.#heed();
      else this.#wait();
    }, EVENT_MS);
  }
}
