import { parentPort, workerData } from 'node:worker_threads';
import { Sequence } from '../commits/sequence.ts';
import { unitHandlers } from './unit-handlers.ts';
import type { UnitRequest } from '../commits/unit-runner.ts';
import { encodeBatch } from '../commits/engines/batch-codec.ts';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import type { StoreThreadOptions } from '../commits/engines/sqlite-thread.ts';
import { SqliteUnits } from '../commits/engines/sqlite-units.ts';

const port = parentPort;
if (!port) throw new Error('this file is the body of the store thread');

/** Units that commit together at most: more would lengthen everybody's wait without saving much. */
const BATCH = 64;
const options: StoreThreadOptions = workerData;
const connection = new SqliteConnection(options.file);
connection.growLog();
const units = new SqliteUnits(connection, new Sequence(options.sequence), options.settings, unitHandlers);

let queue: UnitRequest[] = [];
let draining = false;
let closing = false;

port.on('message', (message: UnitRequest[] | 'close') => {
  if (message === 'close') closing = true;
  else if (queue.length === 0) queue = message;
  else queue.push(...message);
  if (!draining) {
    draining = true;
    setImmediate(() => void drain());
  }
});

async function drain(): Promise<void> {
  if (queue.length > 0) {
    const batch = queue.slice(0, BATCH);
    queue = queue.slice(BATCH);
    port?.postMessage(encodeBatch(await units.run(batch)));
  }
  if (queue.length > 0) setImmediate(() => void drain());
  else {
    draining = false;
    if (closing) {
      connection.close();
      port?.close();
    }
  }
}

port.postMessage('ready');
