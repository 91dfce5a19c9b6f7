/** Counts acknowledged messages; callers can wait until a given number more has been acknowledged. */
export class Tally {
  acknowledged = 0;
  retries = 0;
  /** Tells load generators to finish their current work and start nothing new. */
  isStopping = false;
  readonly #waiting = new Set<{ count: number; resolve: () => void }>();

  acknowledge(): void {
    this.acknowledged += 1;
    for (const wait of this.#waiting)
      if (this.acknowledged >= wait.count) {
        this.#waiting.delete(wait);
        wait.resolve();
      }
  }

  /** Resolves when this many more have been acknowledged. */
  more(count: number): Promise<void> {
    return new Promise((resolve) => void this.#waiting.add({ count: this.acknowledged + count, resolve }));
  }
}
