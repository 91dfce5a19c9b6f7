import { type MessagePort, parentPort } from 'node:worker_threads';
import { serveUnits } from '@parley/server/commits/engines/sqlite-serving.ts';
import type { StoreThreadOptions } from '@parley/server/commits/engines/sqlite-thread.ts';
import { unitHandlers } from '@parley/server/service/unit-handlers.ts';

// The body of the thread that store-host.ts starts: a store for each port that comes.

interface Opening {
  port: MessagePort;
  options: StoreThreadOptions;
}

parentPort?.on('message', ({ port, options }: Opening) => {
  try {
    serveUnits(port, options, unitHandlers);
  } catch (error) {
    // Instead of 'ready'.
    port.postMessage(String(error));
    port.close();
  }
});
