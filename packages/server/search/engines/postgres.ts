import { ServiceError, unavailable } from '../../core/errors.ts';
import { nextSlice } from '../../core/slices.ts';
import { PostgresPool } from '../../store/engines/postgres-pool.ts';
import { PostgresSeat } from '../../store/engines/postgres-seat.ts';
import type { Found, MessageSearch, SearchRequest } from '../message-search.ts';
import { SearchTurns } from '../turns.ts';
import { defaultBounds, type SearchBounds } from './bounds.ts';
import { find } from './postgres-find.ts';
import { tendOnce } from './postgres-tend.ts';

export interface PostgresSearchOptions {
  url: string;
  onFault: (error: Error) => void;
}

/**
 * A part and a block are ways to the server and back: a page has time for more of those, and these are larger. What a
 * query costs grows with the square of the conversations it names.
 */
export const postgresBounds: SearchBounds = {
  ...defaultBounds,
  blockKeys: 512,
  blockBytes: 1024 * 1024,
  budgetMs: 100,
  chatsAtOnce: 32,
};

/**
 * Plans of their own for each search, as how much there is between two keys decides; by bitmaps, for the index of words
 * has no other way; and nobody waits longer than this for one part.
 */
export const READ_SETTINGS =
  "SET enable_bitmapscan = on; SET plan_cache_mode = force_custom_plan; SET statement_timeout = '2s';";
/** What a power cut takes of the index is done again: how far it goes is lost with it. */
export const TEND_SETTINGS = 'SET synchronous_commit = off;';
const CONNECTIONS = 2;

/** The index in PostgreSQL: each node asks it, on connections of its own; one of them brings it up to date. */
export class PostgresSearch implements MessageSearch {
  readonly #options: PostgresSearchOptions;
  readonly #store: PostgresPool;
  readonly #turns = new SearchTurns(CONNECTIONS);
  #tending: Promise<void> | null = null;
  readonly #tender: PostgresSeat;
  #isClosed = false;

  private constructor(options: PostgresSearchOptions, store: PostgresPool) {
    this.#options = options;
    this.#store = store;
    this.#tender = new PostgresSeat({ url: options.url, name: 'parley search index', settings: TEND_SETTINGS });
  }

  static async open(options: PostgresSearchOptions): Promise<PostgresSearch> {
    const pool = { url: options.url, name: 'parley search', size: CONNECTIONS, settings: READ_SETTINGS };
    return new PostgresSearch(options, await PostgresPool.open(pool));
  }

  async find(request: SearchRequest): Promise<Found> {
    this.#assertOpen();
    return this.#turns.run(request.ownerKey, async () => {
      this.#assertOpen();
      try {
        return await find(this.#store, request, postgresBounds);
      } catch (error) {
        throw this.#told(error, 'the search has failed; try again');
      }
    });
  }

  /** On any node; where two do it at once, each does what the other has not. */
  async tend(): Promise<void> {
    this.#assertOpen();
    this.#tending ??= this.#tendAll().finally(() => (this.#tending = null));
    await this.#tending;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#tending?.catch(() => {});
    await this.#tender.close();
    await this.#store.close();
  }

  async #tendAll(): Promise<void> {
    try {
      // One block, and the next in a later turn of the loop: this is the thread that talks.
      while (!this.#isClosed && (await tendOnce(await this.#tender.get(), postgresBounds))) await nextSlice();
    } catch (error) {
      throw this.#told(error, 'the index could not be brought up to date');
    }
  }

  #assertOpen(): void {
    if (this.#isClosed) throw unavailable('the service is stopping');
  }

  #told(error: unknown, what: string): ServiceError {
    if (error instanceof ServiceError) return error;
    if (this.#isClosed) return unavailable('the service is stopping');
    this.#options.onFault(error instanceof Error ? error : new Error(String(error)));
    return unavailable(what);
  }
}
