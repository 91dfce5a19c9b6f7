import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../core/clock.ts';
import { unavailable } from '../../core/errors.ts';
import type { Found, MessageSearch, SearchRequest } from '../message-search.ts';
import { SearchTurns } from '../search-turns.ts';

export interface SearchThreadOptions {
  databaseFile: string;
  indexFile: string;
  /** The memory of the store's CommitPosition. */
  position: SharedArrayBuffer;
  /** Whether files are searched. */
  withFiles: boolean;
}

export type ToWorker = { id: number; request: SearchRequest } | 'tend' | 'close';
/** The changes that the index contains: of messages, and of the texts of files. */
interface Tended {
  changes: number;
  texts: number;
}
export type FromWorker =
  | 'ready'
  | { id: number; found: Found }
  | { id: number; error: string }
  | { tendedTo: Tended }
  | { tendError: string };

interface Waiting {
  resolve: (found: Found) => void;
  reject: (error: Error) => void;
}

/** Delay before a failed thread is started again. */
const REST_MS = 10_000;

/**
 * The embedded engine: a thread that reads the database and owns the index, so that searches block neither the sockets
 * nor commits. It is started on first use, and again after a failure.
 */
export class SearchThread implements MessageSearch {
  readonly #options: SearchThreadOptions;
  readonly #clock: Clock;
  readonly #onTended: (tended: Tended) => void;
  readonly #onFault: (error: Error) => void;
  /** The thread runs one search at a time; the others wait here, where accounts take turns. */
  readonly #turns = new SearchTurns(1);
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #tending: PromiseWithResolvers<void> | null = null;
  #nextId = 1;
  #restUntil = -Infinity;
  #isClosed = false;

  constructor(
    options: SearchThreadOptions,
    needs: { clock: Clock; onTended: (tended: Tended) => void; onFault: (error: Error) => void },
  ) {
    this.#options = options;
    this.#clock = needs.clock;
    this.#onTended = needs.onTended;
    this.#onFault = needs.onFault;
  }

  async find(request: SearchRequest): Promise<Found> {
    return this.#turns.run(request.ownerKey, async () => {
      const worker = this.#started();
      const id = this.#nextId;
      this.#nextId += 1;
      return new Promise<Found>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        post(worker, { id, request });
      });
    });
  }

  async tend(): Promise<void> {
    const worker = this.#started();
    if (!this.#tending) {
      this.#tending = Promise.withResolvers();
      post(worker, 'tend');
    }
    await this.#tending.promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (worker) {
      worker.ref();
      post(worker, 'close');
      await once(worker, 'exit');
    }
    this.#end(unavailable('the service is stopping'));
  }

  #started(): Worker {
    if (this.#isClosed) throw unavailable('the service is stopping');
    if (this.#worker) return this.#worker;
    if (this.#clock.monotonic() < this.#restUntil) throw unavailable('the search is unavailable; try again');
    const worker = new Worker(new URL('./search-worker.ts', import.meta.url), { workerData: this.#options });
    this.#worker = worker;
    worker.on('message', (message: FromWorker) => this.#take(message));
    worker.on('error', (error: Error) => {
      this.#restUntil = this.#clock.monotonic() + REST_MS;
      this.#onFault(error);
    });
    worker.on('exit', () => {
      this.#worker = null;
      if (!this.#isClosed) this.#end(unavailable('the search has failed; try again'));
    });
    // The thread must not keep the process alive: `close` waits for it. Called last, because adding listeners refs it.
    worker.unref();
    return worker;
  }

  #take(message: FromWorker): void {
    if (message === 'ready') return;
    if ('id' in message) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if ('found' in message) waiting?.resolve(message.found);
      else {
        this.#onFault(new Error(message.error));
        waiting?.reject(unavailable('the search has failed; try again'));
      }
      return;
    }
    const tending = this.#tending;
    this.#tending = null;
    if ('tendedTo' in message) {
      this.#onTended(message.tendedTo);
      tending?.resolve();
    } else {
      this.#onFault(new Error(message.tendError));
      tending?.reject(unavailable('the search index could not be updated'));
    }
  }

  #end(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#tending?.reject(error);
    this.#tending = null;
  }
}

const post = (worker: Worker, message: ToWorker): void => worker.postMessage(message);
