import { unavailable } from '../errors.ts';

/** Searches under way, of all and of one account; one more is refused (SEARCH-13). */
const MOST = 64;
const MOST_OF_ACCOUNT = 4;

export class SearchPlaces {
  readonly #taken = new Map<number, number>();
  #count = 0;

  /** What to call when the search is over. */
  take(accountKey: number): () => void {
    const own = this.#taken.get(accountKey) ?? 0;
    if (this.#count >= MOST || own >= MOST_OF_ACCOUNT) throw unavailable('too many searches at once; try again');
    this.#count += 1;
    this.#taken.set(accountKey, own + 1);
    return () => {
      this.#count -= 1;
      const left = (this.#taken.get(accountKey) ?? 1) - 1;
      if (left > 0) this.#taken.set(accountKey, left);
      else this.#taken.delete(accountKey);
    };
  }
}
