import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Batch, UnitRequest, UnitRunner } from '../unit-runner.ts';
import type { Held } from '../../core/held-thread.ts';
import type { Settings } from '../../core/settings.ts';
import { reach, unitPoints } from '../../core/unit-points.ts';
import { decodeBatch, type EncodedBatch, encodeRequests } from './batch-codec.ts';
import { openStoreThread } from './early-store.ts';
import { CHECKPOINT_PAGES } from '../../store/engines/sqlite.ts';
import type { CommitPosition } from './commit-position.ts';

export interface StoreThreadOptions {
  file: string;
  sequence: SharedArrayBuffer;
  /** The memory of a CommitPosition. */
  position: SharedArrayBuffer;
  settings: Settings;
  /** Grows the write-ahead log at the start, which makes commits to a disk faster. Default true. */
  growsLog?: boolean;
  /** Whether the store thread flushes a commit itself when no other unit waits. Otherwise the flush thread does. Default true. */
  flushesIdle?: boolean;
  /** Number of pages in the write-ahead log at which they are copied into the database. */
  checkpointPages?: number;
}

export type FlushThreadOptions = Pick<StoreThreadOptions, 'file' | 'position'>;

/**
 * `pages`: the size of the write-ahead log at which it is copied into the database; `descriptor`: the open database
 * file.
 */
export type CheckpointThreadOptions = FlushThreadOptions & { pages: number; descriptor: number };

/** `position` is the caller's view of `options.position`. */
export type StartStore = (options: StoreThreadOptions, position: CommitPosition) => Promise<UnitRunner>;

/** A batch, and the number of the commit that must be on disk before the batch is handed over. */
export type CommittedBatch = [commit: number, batch: EncodedBatch];

/**
 * Runs units in a thread that commits them; two more flush the commits and copy the write-ahead log into the database.
 * So neither commits nor a slow disk block the sockets, and the disk holds up no unit (STORE-1, STORE-13, STORE-15).
 * `module` is the program of the store thread, which contains the handlers of the units.
 */
export async function startStoreThread(
  module: URL,
  options: StoreThreadOptions,
  position: CommitPosition,
  flushModule = new URL('./flush-worker.ts', import.meta.url),
): Promise<UnitRunner> {
  const { file, checkpointPages: pages = CHECKPOINT_PAGES } = options;
  const shared: FlushThreadOptions = { file, position: options.position };
  const flusher = new Worker(flushModule, { workerData: shared });
  const store = openStoreThread(module, options);
  const workers = [flusher, store];
  const ended = [endOf(flusher), endOf(store)];
  try {
    const runner = await postUnits(store, 'exit', position, flusher);
    // Closed after the connections of the threads: closing it drops the locks that they have on the file.
    const descriptor = openSync(file, 'r+');
    const checkpointer = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: { ...shared, pages, descriptor } satisfies CheckpointThreadOptions,
    });
    workers.push(checkpointer);
    ended.push(endOf(checkpointer));
    let closing: Promise<void> | null = null;
    // The threads wait for each other, so after a failure of one the others would never end.
    const abort = (): void => {
      position.abort();
      for (const worker of workers) void worker.terminate();
    };
    for (const worker of workers) {
      worker.on('error', abort);
      worker.on('exit', () => {
        if (!closing) abort();
      });
    }
    const close = runner.close.bind(runner);
    runner.close = () =>
      (closing ??= (async () => {
        await close();
        position.close();
        await Promise.all(ended);
        closeSync(descriptor);
      })());
    checkpointer.on('error', (error) => runner.onFailure(error as Error));
    checkpointer.on('exit', () => {
      if (!closing) runner.onFailure(new Error('the checkpoint thread ended'));
    });
    return runner;
  } catch (error) {
    await Promise.all(workers.map((worker) => worker.terminate()));
    throw error;
  }
}

const endOf = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    worker.once('exit', () => resolve());
  });

/** A worker thread, or a message port to one. */
interface UnitPort {
  postMessage(message: unknown): void;
  on(event: string, listener: (value: unknown) => void): unknown;
  once(event: string, listener: (value: unknown) => void): unknown;
}

/**
 * Runs units over a port whose other end calls `serveUnits`. The port emits `endEvent` when the other end has ended.
 * `flusher` sends a message after each flush; without it commits are flushed before their batch is sent.
 */
export async function postUnits(
  port: UnitPort,
  endEvent: 'exit' | 'close',
  position: CommitPosition,
  flusher?: Pick<UnitPort, 'on'>,
): Promise<UnitRunner> {
  const hello = await new Promise((resolve, reject) => {
    port.once('message', resolve);
    port.once('error', reject);
    port.once(endEvent, () => reject(new Error('the store thread ended before it was ready')));
  });
  if (hello !== 'ready') throw new Error(`the store thread did not start: ${String(hello)}`);

  let waiting: UnitRequest[] = [];
  let closed = false;
  const ended = new Promise<void>((resolve) => port.once(endEvent, () => resolve()));
  /** Batches whose commits are not on disk yet. */
  const held: { commit: number; batch: Batch }[] = [];
  const handOver = (): void => {
    position.release();
    for (let first = held[0]; first && first.commit <= position.flushed; first = held[0]) {
      held.shift();
      runner.onBatch(first.batch);
    }
  };
  const runner: UnitRunner = {
    onBatch: () => {},
    onFailure: () => {},
    post(requests) {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(...requests);
    },
    async close() {
      if (closed) return;
      closed = true;
      flush();
      port.postMessage('close');
      await ended;
      // The store has waited for its last flush.
      handOver();
    },
  };
  // Sends all requests of a tick in one message.
  const flush = () => {
    if (waiting.length === 0) return;
    const requests = waiting;
    waiting = [];
    if (unitPoints.hasSubscribers) reach({ point: 'posted', ids: requests.map(({ id }) => id) });
    port.postMessage(encodeRequests(requests));
  };
  // `serveUnits` posts committed batches and what held its thread, and Node emits errors.
  port.on('message', (message) => {
    if (!Array.isArray(message)) return runner.onHeld?.(message as Held);
    const [commit, batch] = message as CommittedBatch;
    const decoded = decodeBatch(batch);
    if (unitPoints.hasSubscribers) reach({ point: 'returned', ids: decoded.outcomes.map(({ id }) => id) });
    held.push({ commit, batch: decoded });
    handOver();
  });
  const fail = (error: unknown): void => runner.onFailure(error as Error);
  port.on('error', fail);
  port.on(endEvent, () => {
    if (!closed) fail(new Error('the store thread ended'));
  });
  flusher?.on('message', handOver);
  // After a failed flush it is unknown what is on the disk: nothing more may be acknowledged (STORE-14).
  flusher?.on('error', fail);
  flusher?.on('exit', () => {
    if (!closed) fail(new Error('the flush thread ended'));
  });
  return runner;
}
