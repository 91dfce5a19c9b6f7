/** Events of a simulation, the earliest first; those of one time in the order in which they were added. */
export class EventQueue {
  readonly #heap: { at: number; order: number; run: (now: number) => void }[] = [];
  #added = 0;

  add(at: number, run: (now: number) => void): void {
    const heap = this.#heap;
    heap.push({ at, order: (this.#added += 1), run });
    for (let child = heap.length - 1; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(child, parent)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  /** Runs events until `end`; later ones stay. */
  runUntil(end: number): void {
    for (let first = this.#heap[0]; first && first.at <= end; first = this.#heap[0]) {
      this.#removeFirst();
      first.run(first.at);
    }
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (heap.length === 0 || !last) return;
    heap[0] = last;
    for (let parent = 0; ;) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2])
        if (child < heap.length && this.#isBefore(child, least)) least = child;
      if (least === parent) return;
      this.#swap(least, parent);
      parent = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (!one || !other) return false;
    return one.at === other.at ? one.order < other.order : one.at < other.at;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (!one || !other) return;
    this.#heap[a] = other;
    this.#heap[b] = one;
  }
}

/** Something that does one thing at a time: a core, a lock. Times are in µs. */
export class Station {
  #freeAt = 0;
  /** The work that it was given so far. */
  busy = 0;

  /** Takes work at a time; returns when it is done. */
  take(at: number, work: number): number {
    this.busy += work;
    this.#freeAt = Math.max(this.#freeAt, at) + work;
    return this.#freeAt;
  }
}

/** Numbers that look random, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A count with this mean, as independent arrivals have it. */
export function poisson(mean: number, random: () => number): number {
  if (mean > 50) {
    // Close enough to the normal distribution.
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  let count = 0;
  for (let product = random(); product > Math.exp(-mean); product *= random()) count += 1;
  return count;
}
