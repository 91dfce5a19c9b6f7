import { Worker } from 'node:worker_threads';
import type { StoreThreadOptions } from './sqlite-thread.ts';

/** A store thread whose modules are loaded, or about to be, and which waits for its options. */
let early: { module: string; worker: Worker; error: Error | null } | null = null;

/** Loads the modules of the store thread while the main thread loads its own, which takes as long (OPS-4). */
export function loadStoreThread(module: URL): void {
  const worker = new Worker(module);
  // A start that fails ends the process.
  worker.unref();
  const own: NonNullable<typeof early> = { module: module.href, worker, error: null };
  worker.once('error', (error: Error) => (own.error = error));
  early = own;
}

/** Starts the store thread, unless it has been loaded, and gives it its options. */
export function openStoreThread(module: URL, options: StoreThreadOptions): Worker {
  if (early?.error) throw early.error;
  const worker = early?.module === module.href ? early.worker : new Worker(module);
  if (early && early.worker !== worker) void early.worker.terminate();
  early = null;
  worker.ref();
  worker.postMessage(options);
  return worker;
}
