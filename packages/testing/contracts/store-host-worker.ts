import { type MessagePort, parentPort } from 'node:worker_threads';
import { serveUnits } from '@parley/server/commits/engines/sqlite-serving.ts';
import type { StoreThreadOptions } from '@parley/server/commits/engines/sqlite-thread.ts';
import { walFlush } from '@parley/server/commits/engines/wal-flush.ts';
import { unitHandlers } from '@parley/server/service/unit-handlers.ts';

// The thread that store-host.ts starts: opens a store for each received port.

interface Opening {
  port: MessagePort;
  options: StoreThreadOptions;
}

parentPort?.on('message', ({ port, options }: Opening) => {
  try {
    serveUnits(port, options, unitHandlers, { run: walFlush(options.file), when: 'always' });
  } catch (error) {
    // Sent instead of 'ready'.
    port.postMessage(String(error));
    port.close();
  }
});
