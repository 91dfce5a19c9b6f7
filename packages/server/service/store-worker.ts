import { parentPort, workerData } from 'node:worker_threads';
import { serveUnits } from '../commits/engines/sqlite-serving.ts';
import type { StoreThreadOptions } from '../commits/engines/sqlite-thread.ts';
import { walFlush } from '../commits/engines/wal-flush.ts';
import { unitHandlers } from './unit-handlers.ts';

if (!parentPort) throw new Error('this file must run as a worker thread');
const options: StoreThreadOptions = workerData;
const { file, flushesIdle = true } = options;
serveUnits(parentPort, options, unitHandlers, flushesIdle ? { run: walFlush(file), when: 'idle' } : null);
