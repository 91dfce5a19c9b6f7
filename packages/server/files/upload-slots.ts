import { ServiceError, unavailable } from '../core/errors.ts';

/** Limits the number of concurrent uploads, per human with its bots and in all (FILE-3). */
export class UploadSlots {
  readonly #perOwner: number;
  readonly #inAll: number;
  readonly #taken = new Map<number, number>();
  /** Number of uploads in progress. */
  count = 0;

  constructor(perOwner: number, inAll: number) {
    this.#perOwner = perOwner;
    this.#inAll = inAll;
  }

  /** Takes a slot, or throws; returns a function that frees it. */
  take(ownerKey: number): () => void {
    const own = this.#taken.get(ownerKey) ?? 0;
    if (own >= this.#perOwner)
      throw new ServiceError('rate_limited', `at most ${this.#perOwner} uploads at once`, { retry_after: 1 });
    if (this.count >= this.#inAll) throw unavailable('too many files are being uploaded; try again');
    this.#taken.set(ownerKey, own + 1);
    this.count += 1;
    return () => {
      this.count -= 1;
      const left = (this.#taken.get(ownerKey) ?? 1) - 1;
      if (left > 0) this.#taken.set(ownerKey, left);
      else this.#taken.delete(ownerKey);
    };
  }
}
