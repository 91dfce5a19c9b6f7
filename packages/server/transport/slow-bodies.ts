import type { IncomingMessage } from 'node:http';
import type { Clock, Timer } from '../clock.ts';

/** A body that is no file has to come within this time. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 10_000;

/**
 * Watches over bodies that are on their way. The server's own limit has room for a large file on a slow line; all other
 * requests are given up sooner (FILE-3).
 */
export class SlowBodies {
  readonly #clock: Clock;
  readonly #giveUp: (request: IncomingMessage) => void;
  /** Since when each one comes. */
  readonly #begun = new Map<IncomingMessage, number>();
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(clock: Clock, giveUp: (request: IncomingMessage) => void) {
    this.#clock = clock;
    this.#giveUp = giveUp;
  }

  begin(request: IncomingMessage): void {
    this.#begun.set(request, this.#clock.now());
    this.#arm();
  }

  /** It is there. */
  end(request: IncomingMessage): void {
    this.#begun.delete(request);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#timer = null;
  }

  #arm(): void {
    if (this.#isClosed) return;
    this.#timer ??= this.#clock.setTimer(() => {
      this.#timer = null;
      this.#look();
      if (this.#begun.size > 0) this.#arm();
    }, LOOK_MS);
  }

  #look(): void {
    const now = this.#clock.now();
    for (const [request, begunAt] of this.#begun) {
      const isGone = request.destroyed || request.complete;
      if (!isGone && now - begunAt < PATIENCE_MS) continue;
      this.#begun.delete(request);
      if (!isGone) this.#giveUp(request);
    }
  }
}
