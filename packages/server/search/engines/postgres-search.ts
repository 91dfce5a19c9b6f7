import { ServiceError, unavailable } from '../../core/errors.ts';
import { nextSlice } from '../../core/slices.ts';
import { PostgresPool } from '../../store/engines/postgres-pool.ts';
import { ReopeningConnection } from '../../store/engines/postgres-reopening.ts';
import type { Found, MessageSearch, SearchRequest } from '../message-search.ts';
import { SearchTurns } from '../search-turns.ts';
import { defaultBounds, type SearchBounds } from './bounds.ts';
import { find } from './postgres-find.ts';
import { tendOnce } from './postgres-tend.ts';

interface PostgresSearchOptions {
  url: string;
  /** Whether files are searched. */
  withFiles?: boolean;
  onFault: (error: Error) => void;
}

/**
 * Each part and block costs a round trip, so pages get more time and blocks are larger. The cost of a query of the word
 * index grows with the square of the conversations it names, and each query has a cost of its own.
 */
const postgresBounds: SearchBounds = {
  ...defaultBounds,
  blockKeys: 512,
  blockBytes: 1024 * 1024,
  budgetMs: 100,
  chatsAtOnce: 4,
  fileChatsAtOnce: 32,
};

/**
 * Plans every search separately, because the range of keys decides the plan; allows bitmap scans, the only way to use
 * the word index; and limits the time for one part.
 */
export const READ_SETTINGS =
  "SET enable_bitmapscan = on; SET plan_cache_mode = force_custom_plan; SET statement_timeout = '2s';";
/** A power cut may lose the last writes, and the stored extent with them: those messages are then indexed again. */
const TEND_SETTINGS = 'SET synchronous_commit = off;';
const CONNECTIONS = 2;

/** The index in PostgreSQL. Each node queries it over its own connections; one node at a time updates it. */
export class PostgresSearch implements MessageSearch {
  readonly #options: PostgresSearchOptions;
  readonly #store: PostgresPool;
  readonly #bounds: SearchBounds;
  readonly #turns = new SearchTurns(CONNECTIONS);
  #tending: Promise<void> | null = null;
  readonly #tender: ReopeningConnection;
  #isClosed = false;

  private constructor(options: PostgresSearchOptions, store: PostgresPool) {
    this.#options = options;
    this.#store = store;
    this.#bounds = { ...postgresBounds, withFiles: options.withFiles ?? true };
    this.#tender = new ReopeningConnection({ url: options.url, name: 'parley search index', settings: TEND_SETTINGS });
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
        return await find(this.#store, request, this.#bounds);
      } catch (error) {
        throw this.#asServiceError(error, 'the search has failed; try again');
      }
    });
  }

  /** May run on several nodes at once: each indexes messages that the others have not indexed. */
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
      // One block per tick of the event loop, because this runs on the main thread.
      while (!this.#isClosed && (await tendOnce(await this.#tender.get(), this.#bounds))) await nextSlice();
    } catch (error) {
      throw this.#asServiceError(error, 'the search index could not be updated');
    }
  }

  #assertOpen(): void {
    if (this.#isClosed) throw unavailable('the service is stopping');
  }

  #asServiceError(error: unknown, what: string): ServiceError {
    if (error instanceof ServiceError) return error;
    if (this.#isClosed) return unavailable('the service is stopping');
    this.#options.onFault(error instanceof Error ? error : new Error(String(error)));
    return unavailable(what);
  }
}
