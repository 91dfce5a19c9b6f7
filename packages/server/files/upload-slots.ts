import { ServiceError, unavailable } from '../errors.ts';

/** How many uploads are under way at once: of one account, and in all (FILE-3). */
export class UploadSlots {
  readonly #perAccount: number;
  readonly #inAll: number;
  readonly #taken = new Map<number, number>();
  /** Uploads that are under way. */
  count = 0;

  constructor(perAccount: number, inAll: number) {
    this.#perAccount = perAccount;
    this.#inAll = inAll;
  }

  /** Takes a place, or throws; answers what gives it back. */
  take(accountKey: number): () => void {
    const own = this.#taken.get(accountKey) ?? 0;
    if (own >= this.#perAccount)
      throw new ServiceError('rate_limited', `at most ${this.#perAccount} uploads at once`, { retry_after: 1 });
    if (this.count >= this.#inAll) throw unavailable('too many files are being uploaded');
    this.#taken.set(accountKey, own + 1);
    this.count += 1;
    return () => {
      this.count -= 1;
      const left = (this.#taken.get(accountKey) ?? 1) - 1;
      if (left > 0) this.#taken.set(accountKey, left);
      else this.#taken.delete(accountKey);
    };
  }
}
