/** A counter of changes: hooks load again what the store does not hold when it grows. */
export class Changes {
  #count = 0;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly get = (): number => this.#count;

  note(): void {
    this.#count += 1;
    for (const listener of this.#listeners) listener();
  }
}
