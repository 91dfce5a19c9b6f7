/** Maximum accounts in the cache; above it the cache is emptied. */
const MAX_CACHED = 20_000;

/**
 * The accounts that a writer connection has read. Only a batch that runs exclusively changes accounts, so the cache is
 * valid as long as the number of such batches (`lone_batches`), which is read with the locks, stays the same.
 */
export class AccountMemory {
  /** Accounts as wire JSON, by key. */
  readonly json = new Map<number, string>();
  /** Accounts that are neither deleted nor disabled. */
  readonly admitted = new Set<number>();
  #loneBatches = -1;

  /** Whether the cache is still valid after `loneBatches` exclusive batches; otherwise it is emptied. */
  isValidAfter(loneBatches: number): boolean {
    const isSame = loneBatches === this.#loneBatches;
    this.#loneBatches = loneBatches;
    if (!isSame || this.json.size > MAX_CACHED) this.json.clear();
    if (!isSame || this.admitted.size > MAX_CACHED) this.admitted.clear();
    return isSame;
  }
}
