import type { Cell } from '../cell.ts';
import type { Changes } from './changes.ts';
import { isSame } from './same.ts';

/** Maximum cells kept without subscribers; those above it are created again when needed. */
const MAX_IDLE_CELLS = 2_000;

/** Values by key, each with its own subscribers. A key without a value has the empty value. */
export class CellFamily<Value> {
  readonly #changes: Changes;
  readonly #empty: (key: string) => Value;
  readonly #onSubscribe: ((key: string, isFirst: boolean) => void) | undefined;
  readonly #show: (value: Value) => Value;
  readonly #values = new Map<string, Value>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #cells = new Map<string, Cell<Value>>();

  /**
   * `empty` must return the identical value for the same key. `onSubscribe` is called after each subscription of a cell,
   * for values that are loaded when they are shown; `isFirst`: the key had no subscribers. `show` is what a cell shows
   * of a value: identical for an identical value.
   */
  constructor(
    changes: Changes,
    empty: (key: string) => Value,
    onSubscribe?: (key: string, isFirst: boolean) => void,
    show: (value: Value) => Value = (value) => value,
  ) {
    this.#changes = changes;
    this.#empty = empty;
    this.#onSubscribe = onSubscribe;
    this.#show = show;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value {
    return this.#values.has(key) ? (this.#values.get(key) as Value) : this.#empty(key); // has() was checked
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  keys(): string[] {
    return [...this.#values.keys()];
  }

  /** The values that are not empty. */
  values(): NonNullable<Value>[] {
    return [...this.#values.values()].filter((value) => value !== null && value !== undefined);
  }

  /** Returns false, and keeps the former value, if the new one is equal to it. */
  set(key: string, value: Value): boolean {
    const former = this.get(key);
    const isKept = isSame(former, value);
    this.#values.set(key, isKept ? former : value);
    if (!isKept) this.#notify(key);
    return !isKept;
  }

  /** Stores a value that may equal the former one: what its cell shows has changed. */
  renew(key: string, value: Value): void {
    this.#values.set(key, value);
    this.#notify(key);
  }

  delete(key: string): void {
    const former = this.get(key);
    this.#values.delete(key);
    if (!Object.is(former, this.get(key))) this.#notify(key);
  }

  isObserved(key: string): boolean {
    return this.#listeners.has(key);
  }

  observed(): string[] {
    return [...this.#listeners.keys()];
  }

  /** Returns the same cell for the same key while it has subscribers. */
  cell(key: string): Cell<Value> {
    const known = this.#cells.get(key);
    if (known) return known;
    if (this.#cells.size >= MAX_IDLE_CELLS + this.#listeners.size)
      for (const idle of this.#cells.keys()) if (!this.#listeners.has(idle)) this.#cells.delete(idle);
    const cell: Cell<Value> = {
      get: () => this.#show(this.get(key)),
      subscribe: (listener) => {
        const isFirst = !this.isObserved(key);
        const end = this.subscribe(key, listener);
        this.#onSubscribe?.(key, isFirst);
        return end;
      },
    };
    this.#cells.set(key, cell);
    return cell;
  }

  subscribe(key: string, listener: () => void): () => void {
    const own = (): void => listener();
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key);
    };
  }

  #notify(key: string): void {
    const listeners = this.#listeners.get(key);
    if (listeners) this.#changes.notify(listeners);
  }
}
