import { nextSlice } from '../core/slices.ts';

/** What is said to one socket alone: one thing after another, each made when the socket is clear of those before it. */
export class Line {
  readonly #isClear: () => boolean;
  #last: Promise<unknown> = Promise.resolve();
  #clear: PromiseWithResolvers<void> | null = null;

  constructor(isClear: () => boolean) {
    this.#isClear = isClear;
  }

  run(task: () => Promise<void>): Promise<void> {
    const done = this.#last.then(async () => {
      while (!this.#isClear()) {
        this.#clear ??= Promise.withResolvers<void>();
        await this.#clear.promise;
        // What the other side has asked for meanwhile has its turn, too.
        await nextSlice();
      }
      await task();
    });
    this.#last = done.catch(() => {}); // whoever asked for it hears of it
    return done;
  }

  /** Perhaps the socket is clear now. */
  look(): void {
    if (!this.#clear || !this.#isClear()) return;
    this.#clear.resolve();
    this.#clear = null;
  }
}
