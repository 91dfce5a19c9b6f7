import type { StartStore } from '../../commits/engines/sqlite-thread.ts';
import { startStore } from '../../service/start-store.ts';
import type { UnitRunner } from '../../commits/unit-runner.ts';

/** A store that can hold batches back: they are committed, but the service does not learn of it yet. */
export class HeldStore {
  #waiting: (() => void)[] | null = null;
  #came = Promise.withResolvers<void>();

  /** For `createWorld({ startStore })`. */
  readonly start: StartStore = async (options, position) => {
    const thread = await startStore(options, position);
    const runner: UnitRunner = {
      onBatch: () => {},
      onFailure: (error) => {
        throw error;
      },
      post: (requests) => thread.post(requests),
      close: () => thread.close(),
    };
    thread.onBatch = (batch) => {
      if (!this.#waiting) return runner.onBatch(batch);
      this.#waiting.push(() => runner.onBatch(batch));
      return this.#came.resolve();
    };
    return runner;
  };

  /** Holds later batches back; resolves when the first one waits. */
  hold(): Promise<void> {
    this.#waiting = [];
    this.#came = Promise.withResolvers<void>();
    return this.#came.promise;
  }

  release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const take of waiting) take();
  }
}
