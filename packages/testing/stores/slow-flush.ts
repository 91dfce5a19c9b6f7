import { type StartStore, startStoreThread } from '@parley/server/commits/engines/sqlite-thread.ts';

const storeThread = new URL(import.meta.resolve('@parley/server/service/store-worker.ts'));
const flushThread = new URL('./slow-flush-worker.ts', import.meta.url);

/** The store of the service, in threads of its own, on a disk whose flush takes 3 ms: for `createWorld({ startStore })`. */
export const storeOnSlowDisk: StartStore = (options, position) =>
  startStoreThread(storeThread, { ...options, growsLog: false, flushesIdle: false }, position, flushThread);
