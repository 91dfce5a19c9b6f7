import { parentPort, workerData } from 'node:worker_threads';
import { CommitPosition } from '@parley/server/commits/engines/commit-position.ts';
import type { FlushThreadOptions } from '@parley/server/commits/engines/sqlite-thread.ts';
import { serveFlushes, walFlush } from '@parley/server/commits/engines/wal-flush.ts';

// The flush thread of slow-flush.ts.

/** How long a flush takes at least. */
const FLUSH_MS = 3;
const { file, position }: FlushThreadOptions = workerData;
const flush = walFlush(file);
const never = new Int32Array(new SharedArrayBuffer(4));
serveFlushes(
  new CommitPosition(position),
  () => {
    Atomics.wait(never, 0, 0, FLUSH_MS);
    flush();
  },
  () => parentPort?.postMessage('flushed'),
);
