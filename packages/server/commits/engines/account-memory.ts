/** More accounts than these are looked up anew. */
const MOST_KEPT = 20_000;

/**
 * What a connection knows of accounts. Only a batch that runs beside nothing else changes one: while the number of such
 * batches (`lone_batches`), read with the locks, is the same, all that was read under it holds.
 */
export class AccountMemory {
  /** Accounts as wire JSON, by key. */
  readonly json = new Map<number, string>();
  /** Those that may call. */
  readonly admitted = new Set<number>();
  #loneBatches = -1;

  /** Whether what it knows holds after so many; it has forgotten it if not. */
  holds(loneBatches: number): boolean {
    const isSame = loneBatches === this.#loneBatches;
    this.#loneBatches = loneBatches;
    if (!isSame || this.json.size > MOST_KEPT) this.json.clear();
    if (!isSame || this.admitted.size > MOST_KEPT) this.admitted.clear();
    return isSame;
  }
}
