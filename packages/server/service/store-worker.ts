import { parentPort } from 'node:worker_threads';
import { serveUnits } from '../commits/engines/sqlite-serving.ts';
import { unitHandlers } from './unit-handlers.ts';

const port = parentPort;
if (!port) throw new Error('this file must run as a worker thread');
port.once('message', (options) => serveUnits(port, options, unitHandlers));
