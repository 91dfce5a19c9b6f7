import { parentPort, workerData } from 'node:worker_threads';
import { Sequence } from '../../events/sequence.ts';
import { unitHandlers } from '../../operations/unit-handlers.ts';
import type { UnitRequest } from '../../units.ts';
import { SqliteConnection } from './sqlite.ts';
import type { StoreThreadOptions } from './sqlite-thread.ts';
import { SqliteUnits } from './sqlite-units.ts';

const port = parentPort;
if (!port) throw new Error('this file is the body of the store thread');

/** Units that commit together at most: more would lengthen everybody's wait without saving much. */
const BATCH = 64;
/** Fewer than this are not worth a commit of their own. */
const SMALL_BATCH = 16;

/** Of a short queue about half: while it commits and goes out, the main thread and the clients have work already. */
const batchSize = (queued: number): number => Math.min(BATCH, Math.max(SMALL_BATCH, Math.ceil(queued / 2)));

const options: StoreThreadOptions = workerData;
const connection = new SqliteConnection(options.file);
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
    const size = batchSize(queue.length);
    const batch = queue.slice(0, size);
    queue = queue.slice(size);
    port?.postMessage(await units.run(batch));
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
