import { parentPort } from 'node:worker_threads';
import { serveUnits } from '../commits/engines/sqlite-serving.ts';
import type { StoreThreadOptions } from '../commits/engines/sqlite-thread.ts';
import { walFlush } from '../commits/engines/wal-flush.ts';
import { unitHandlers } from './unit-handlers.ts';

const port = parentPort;
if (!port) throw new Error('this file must run as a worker thread');
port.once('message', (options: StoreThreadOptions) => {
  const { file, flushesIdle = true } = options;
  serveUnits(port, options, unitHandlers, flushesIdle ? { run: walFlush(file), when: 'idle' } : null);
});
