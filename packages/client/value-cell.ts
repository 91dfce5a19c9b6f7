import type { Cell } from './cell.ts';

/** A Cell whose owner sets it. */
export class ValueCell<Value> implements Cell<Value> {
  #value: Value;
  readonly #listeners = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  readonly get = (): Value => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    // One function that subscribes twice is told twice, and each of its ends ends one.
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  };

  set(value: Value): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of Array.from(this.#listeners)) listener();
  }
}
