import { parentPort, workerData } from 'node:worker_threads';
import { CommitPosition } from './commit-position.ts';
import type { FlushThreadOptions } from './sqlite-thread.ts';
import { serveFlushes, walFlush } from './wal-flush.ts';

const { file, position }: FlushThreadOptions = workerData;
serveFlushes(new CommitPosition(position), walFlush(file), () => parentPort?.postMessage('flushed'));
