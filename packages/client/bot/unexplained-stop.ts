import type { Client } from '../client.ts';
import type { Clock, Timer } from '../environment.ts';

/** How long after the answer to an append an `events.cancelRun` may still arrive. */
const EVENT_MS = 5_000;
/** How long a cancel is replayed to a reconnecting daemon; after that no event will arrive. */
const REPLAY_MS = 60_000;

/**
 * `cancel_requested` says that a stop was requested, but only the event says by whom. So the turn waits for the event,
 * and stops without it only if none arrives.
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
    this.#seenAt = this.#clock.monotonic();
    this.#wait();
  }

  /** Called when the event has arrived or the turn is over. */
  explain(): void {
    this.#isExplained = true;
    this.#timer?.cancel();
    this.#timer = null;
  }

  #wait(): void {
    this.#timer = this.#clock.setTimer(() => {
      const isHeard = this.#client.state === 'live' || this.#clock.monotonic() - this.#seenAt >= REPLAY_MS;
      if (isHeard) this.#heed();
      else this.#wait();
    }, EVENT_MS);
  }
}
