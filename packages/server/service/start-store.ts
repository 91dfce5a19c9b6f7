import { type StartStore, startStoreThread } from '../commits/engines/sqlite-thread.ts';

/** Starts the thread that runs the units of this service. */
export const startStore: StartStore = (options, position) =>
  startStoreThread(new URL('./store-worker.ts', import.meta.url), options, position);
