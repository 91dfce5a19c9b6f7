import { unavailable } from '../core/errors.ts';

/** Maximum searches of one owner, a human with its bots, that wait or run (SEARCH-13). */
const MAX_OF_OWNER = 4;
/**
 * Maximum searches in all. Above it only an owner without searches is admitted, and another owner's search is refused.
 */
const MAX_SEARCHES = 64;
/** Maximum owners with searches that wait or run. */
const MAX_OWNERS = 1_000;

interface Owner {
  /** Searches waiting or running. */
  count: number;
  /** Waiting searches, oldest first. */
  readonly waiting: PromiseWithResolvers<void>[];
}

const tooMany = () => unavailable('too many searches at once; try again');

/**
 * Runs a few searches at a time, taking turns between owners (SEARCH-15): a flooding owner waits for its own searches,
 * any other owner for at most one search of each flooding owner.
 */
export class SearchTurns {
  readonly #atOnce: number;
  readonly #owners = new Map<number, Owner>();
  /** Owners with waiting searches, in the order of their turns. */
  readonly #order = new Set<number>();
  #count = 0;
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run<Result>(ownerKey: number, search: () => Promise<Result>): Promise<Result> {
    const owner = this.#admit(ownerKey);
    owner.count += 1;
    this.#count += 1;
    try {
      if (this.#running < this.#atOnce) this.#running += 1;
      else await this.#turnOf(ownerKey, owner);
      try {
        return await search();
      } finally {
        this.#passOn();
      }
    } finally {
      owner.count -= 1;
      this.#count -= 1;
      if (owner.count === 0) this.#owners.delete(ownerKey);
    }
  }

  /** Throws if this owner may not start another search. */
  #admit(ownerKey: number): Owner {
    const known = this.#owners.get(ownerKey);
    if (known && (known.count >= MAX_OF_OWNER || this.#count >= MAX_SEARCHES)) throw tooMany();
    if (known) return known;
    if (this.#owners.size >= MAX_OWNERS) throw tooMany();
    if (this.#count >= MAX_SEARCHES) this.#dropOne();
    const owner: Owner = { count: 0, waiting: [] };
    this.#owners.set(ownerKey, owner);
    return owner;
  }

  /** Refuses the newest waiting search of the owner with the most searches, if it has more than one. */
  #dropOne(): void {
    let greatest: [ownerKey: number, owner: Owner] | undefined;
    for (const entry of this.#owners) if (entry[1].count > (greatest?.[1].count ?? 1)) greatest = entry;
    if (!greatest) return;
    const [ownerKey, { waiting }] = greatest;
    waiting.pop()?.reject(tooMany());
    if (waiting.length === 0) this.#order.delete(ownerKey);
  }

  #turnOf(ownerKey: number, { waiting }: Owner): Promise<void> {
    const turn = Promise.withResolvers<void>();
    waiting.push(turn);
    this.#order.add(ownerKey);
    return turn.promise;
  }

  /** Hands the slot of a finished search to the next owner. */
  #passOn(): void {
    const [next] = this.#order;
    const waiting = next === undefined ? undefined : this.#owners.get(next)?.waiting;
    const turn = waiting?.shift();
    if (next === undefined || !turn) {
      this.#running -= 1;
      return;
    }
    this.#order.delete(next);
    if (waiting && waiting.length > 0) this.#order.add(next);
    turn.resolve();
  }
}
