// Renders and compresses the documents in a thread of its own: that takes longer than the event loop may wait (ERR-12).
import { parentPort, workerData } from 'node:worker_threads';
import type { GuideSection } from '../guide.ts';
import { packPage } from './packed-page.ts';
import { renderPages, SOME_ORIGIN } from './render-pages.ts';

if (!parentPort) throw new Error('this file must run as a worker thread');
const guide = workerData as readonly GuideSection[]; // as pages.ts starts this thread
const pages = Object.entries(renderPages(guide)).map(([path, text]) => [path, packPage(text, SOME_ORIGIN)] as const);
parentPort.postMessage(Object.fromEntries(pages));
