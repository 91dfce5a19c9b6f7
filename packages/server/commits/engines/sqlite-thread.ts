import { Worker } from 'node:worker_threads';
import type { UnitRequest, UnitRunner } from '../unit-runner.ts';
import type { Settings } from '../../core/settings.ts';
import { decodeBatch, type EncodedBatch } from './batch-codec.ts';

export interface StoreThreadOptions {
  file: string;
  sequence: SharedArrayBuffer;
  settings: Settings;
  /** Grows the write-ahead log at the start, which makes commits to a disk faster. Default true. */
  growsLog?: boolean;
  /** Number of pages in the write-ahead log at which they are copied into the database. */
  checkpointPages?: number;
}

export type StartStore = (options: StoreThreadOptions) => Promise<UnitRunner>;

/**
 * Runs units in a separate thread, so that commits and checkpoints never block the sockets (STORE-1). `module` is the
 * thread's program, which contains the handlers of the units.
 */
export async function startStoreThread(module: URL, options: StoreThreadOptions): Promise<UnitRunner> {
  const worker = new Worker(module, { workerData: options });
  return postUnits(worker, 'exit');
}

/** A worker thread, or a message port to one. */
interface UnitPort {
  postMessage(message: unknown): void;
  on(event: string, listener: (value: unknown) => void): unknown;
  once(event: string, listener: (value: unknown) => void): unknown;
}

/**
 * Runs units over a port whose other end calls `serveUnits`. The port emits `endEvent` when the other end has ended.
 */
export async function postUnits(port: UnitPort, endEvent: 'exit' | 'close'): Promise<UnitRunner> {
  const hello = await new Promise((resolve, reject) => {
    port.once('message', resolve);
    port.once('error', reject);
    port.once(endEvent, () => reject(new Error('the store thread ended before it was ready')));
  });
  if (hello !== 'ready') throw new Error(`the store thread did not start: ${String(hello)}`);

  let waiting: UnitRequest[] = [];
  let closed = false;
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
      await new Promise<void>((resolve) => port.once(endEvent, () => resolve()));
    },
  };
  // Sends all requests of a tick in one message.
  const flush = () => {
    if (waiting.length === 0) return;
    const requests = waiting;
    waiting = [];
    port.postMessage(requests);
  };
  // `serveUnits` posts encoded batches, and Node emits errors.
  port.on('message', (batch) => runner.onBatch(decodeBatch(batch as EncodedBatch)));
  port.on('error', (error) => runner.onFailure(error as Error));
  port.on(endEvent, () => {
    if (!closed) runner.onFailure(new Error('the store thread ended'));
  });
  return runner;
}
