// The thread that reads texts; see reader-thread.ts.
import { parentPort } from 'node:worker_threads';
import { type ReadingTask, readings } from './readings.ts';

const port = parentPort;
if (!port) throw new Error('this file must run as a worker thread');
port.on('message', ({ name, given }: ReadingTask) => {
  // ReaderThread.run is typed so that each reading gets its own argument.
  const read = readings[name] as (given: unknown) => unknown;
  port.postMessage(read(given));
});
