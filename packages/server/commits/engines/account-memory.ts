import { AccountTexts } from '../../rendering/account-texts.ts';

/** Maximum number of callers remembered as admitted; above it all are forgotten and looked up again. */
const MAX_ADMITTED = 20_000;

/**
 * The accounts that a writer connection has read. Only a batch that runs exclusively changes accounts, so the cache is
 * valid as long as the number of such batches (`lone_batches`), which is read with the locks, stays the same.
 */
export class AccountMemory {
  readonly texts = new AccountTexts();
  /** Accounts that are neither deleted nor disabled. */
  readonly admitted = new Set<number>();
  #loneBatches = -1;

  /** Whether the cache is still valid after `loneBatches` exclusive batches; otherwise it is emptied. */
  isValidAfter(loneBatches: number): boolean {
    const isSame = loneBatches === this.#loneBatches;
    this.#loneBatches = loneBatches;
    if (!isSame) this.texts.clear();
    if (!isSame || this.admitted.size > MAX_ADMITTED) this.admitted.clear();
    return isSame;
  }
}
