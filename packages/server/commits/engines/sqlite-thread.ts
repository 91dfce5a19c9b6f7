import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { UnitRequest, UnitRunner } from '../unit-runner.ts';
import type { Settings } from '../../core/settings.ts';
import { decodeBatch, type EncodedBatch } from './batch-codec.ts';

export interface StoreThreadOptions {
  file: string;
  sequence: SharedArrayBuffer;
  settings: Settings;
}

/** Runs units in a thread of their own, so that commits and checkpoints never stop the sockets (STORE-1). */
export async function startStoreThread(options: StoreThreadOptions): Promise<UnitRunner> {
  const worker = new Worker(new URL('../../service/store-worker.ts', import.meta.url), { workerData: options });
  const [hello] = await once(worker, 'message');
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
      worker.postMessage('close');
      await once(worker, 'exit');
    },
  };
  // One message for all that a turn of the loop brought.
  const flush = () => {
    if (waiting.length === 0) return;
    const requests = waiting;
    waiting = [];
    worker.postMessage(requests);
  };
  worker.on('message', (batch: EncodedBatch) => runner.onBatch(decodeBatch(batch)));
  worker.on('error', (error: Error) => runner.onFailure(error));
  worker.on('exit', () => {
    if (!closed) runner.onFailure(new Error('the store thread ended'));
  });
  return runner;
}
