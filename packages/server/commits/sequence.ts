/**
 * The one counter of the service, in memory that both threads share (LOG-1, LOG-2).
 * The store takes a batch's numbers just before COMMIT. The main thread may take numbers for transient
 * events only while no batch is between its numbers and its publication; otherwise it asks for some
 * (`wanted`), and the next batch brings them.
 */
export class Sequence {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: BigInt64Array;

  constructor(buffer = new SharedArrayBuffer(24)) {
    this.buffer = buffer;
    this.#cells = new BigInt64Array(buffer);
  }

  /** The last number given to anything. */
  get taken(): number {
    return Number(Atomics.load(this.#cells, 0));
  }

  /** Numbers up to this one are reserved on disk: none above it may be given out. */
  get reserved(): number {
    return Number(Atomics.load(this.#cells, 1));
  }

  set reserved(seq: number) {
    Atomics.store(this.#cells, 1, BigInt(seq));
  }

  startAt(seq: number): void {
    Atomics.store(this.#cells, 0, BigInt(seq));
  }

  /** Takes `count` numbers and answers the first. */
  take(count: number): number {
    return Number(Atomics.add(this.#cells, 0, BigInt(count))) + 1;
  }

  /** Takes `count` numbers if `published` is still the last one given; answers the first, or 0. */
  takeIfIdle(published: number, count: number): number {
    if (published + count > this.reserved) return 0;
    const expected = BigInt(published);
    return Atomics.compareExchange(this.#cells, 0, expected, expected + BigInt(count)) === expected ? published + 1 : 0;
  }

  /**
   * How many transient events wait for numbers. Only the main thread writes it; the store gives each batch that
   * many numbers to spare. Some of them may no longer be needed when the batch arrives: that leaves a gap, no more.
   */
  get wanted(): number {
    return Number(Atomics.load(this.#cells, 2));
  }

  set wanted(count: number) {
    Atomics.store(this.#cells, 2, BigInt(count));
  }
}
