/** Numbers that are reserved on disk at a time, so that a number is never used again after a crash (LOG-2). */
export const RESERVE_BLOCK = 1_000_000;

/**
 * The counter of the log's numbers, in memory that both threads share (LOG-1, LOG-2). The store thread takes the
 * numbers of a batch just before COMMIT. The main thread may take numbers for transient events only if every batch that
 * took numbers has been published; otherwise it requests some (`wanted`), and the next batch brings them.
 */
export class Sequence {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: BigInt64Array;

  constructor(buffer = new SharedArrayBuffer(24)) {
    this.buffer = buffer;
    this.#cells = new BigInt64Array(buffer);
  }

  /** The last number that was taken. */
  get taken(): number {
    return Number(Atomics.load(this.#cells, 0));
  }

  /** The last number that is reserved on disk: higher ones must not be used. */
  get reserved(): number {
    return Number(Atomics.load(this.#cells, 1));
  }

  set reserved(seq: number) {
    Atomics.store(this.#cells, 1, BigInt(seq));
  }

  startAt(seq: number): void {
    Atomics.store(this.#cells, 0, BigInt(seq));
  }

  /** Takes `count` numbers and returns the first. */
  take(count: number): number {
    return Number(Atomics.add(this.#cells, 0, BigInt(count))) + 1;
  }

  /** Takes `count` numbers if `published` is still the last one taken and enough are reserved. Returns the first or 0. */
  takeIfIdle(published: number, count: number): number {
    if (published + count > this.reserved) return 0;
    const expected = BigInt(published);
    return Atomics.compareExchange(this.#cells, 0, expected, expected + BigInt(count)) === expected ? published + 1 : 0;
  }

  /**
   * How many transient events wait for numbers. Only the main thread sets it; the store thread takes that many numbers
   * in addition to each batch's own. Numbers that are not needed when the batch arrives stay unused.
   */
  get wanted(): number {
    return Number(Atomics.load(this.#cells, 2));
  }

  set wanted(count: number) {
    Atomics.store(this.#cells, 2, BigInt(count));
  }
}
