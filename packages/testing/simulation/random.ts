// The seeded simulation: people, a bot and their clients do permitted things at random, connections break, the service
// restarts and crashes; at the end every client must know exactly what a fresh fetch shows.

/** A pseudo-random sequence determined by a seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Adjacent seeds must not start with similar numbers.
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 up to, not including, `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A random item; undefined if there is none. */
  pick<Item>(items: Iterable<Item>): Item | undefined {
    const all = [...items];
    return all[this.below(all.length)];
  }

  /** A random key with probability proportional to its weight. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const entries = Object.entries<number>(weights) as [Key, number][]; // its own keys
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    const [last] = entries.at(-1) ?? [];
    if (last === undefined) throw new Error('nothing to choose from');
    return last;
  }
}
