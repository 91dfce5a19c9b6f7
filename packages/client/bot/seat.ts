import { deferred } from '../deferred.ts';

/** What to do before a turn gives its place in the queue away, and after it has it again. */
export interface Pause {
  leave(): Promise<void>;
  enter(): Promise<void>;
}

/** The place of a turn in the queue, which it gives to others while it waits for people. */
export class Seat {
  #left = deferred<void>();
  #entered = deferred<void>();

  /** Resolves when the turn gives its place away. */
  get left(): Promise<void> {
    return this.#left.promise;
  }

  leave(): void {
    this.#entered = deferred();
    this.#left.resolve();
  }

  /** Called when the queue has the turn run again. */
  enter(): void {
    this.#left = deferred();
    this.#entered.resolve();
  }

  /** Resolves when the turn has a place again. */
  get entered(): Promise<void> {
    return this.#entered.promise;
  }
}
