import { parentPort, workerData } from 'node:worker_threads';
import { serveUnits } from '../commits/engines/sqlite-serving.ts';
import { unitHandlers } from './unit-handlers.ts';

if (!parentPort) throw new Error('this file must run as a worker thread');
serveUnits(parentPort, workerData, unitHandlers);
