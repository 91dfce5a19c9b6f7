import { nextSlice } from '../core/slices.ts';

/** Runs the tasks that send to one socket alone. Each begins when the socket has sent the texts of the previous one. */
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
        // Requests that the client sent meanwhile come first.
        await nextSlice();
      }
      await task();
    });
    this.#last = done.catch(() => {}); // the caller of `run` handles the error
    return done;
  }

  /** Called when the socket may have sent everything: the next task may run. */
  look(): void {
    if (!this.#clear || !this.#isClear()) return;
    this.#clear.resolve();
    this.#clear = null;
  }
}
