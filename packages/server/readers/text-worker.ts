// The thread that reads long texts of messages; see text-reader.ts.
import { parentPort } from 'node:worker_threads';
import { readingOf } from '../rules/text-reading.ts';

const port = parentPort;
if (!port) throw new Error('this file must run as a worker thread');
port.on('message', (text: string) => port.postMessage(readingOf(text)));
