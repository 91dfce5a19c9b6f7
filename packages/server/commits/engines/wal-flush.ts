import { fdatasyncSync, openSync } from 'node:fs';
import type { CommitPosition } from './commit-position.ts';

/**
 * Returns a function that flushes the write-ahead log of a SQLite file whose connection commits without flushing: when
 * it returns, everything written to the log so far is on disk. After an error that is unknown, because the system may
 * count pages that it could not write as written: do not try again.
 */
export function walFlush(databaseFile: string): () => void {
  let descriptor: number | null = null;
  return () => {
    // The log exists from the first commit on, and as long as the store's connection is open it stays the same file.
    descriptor ??= openSync(`${databaseFile}-wal`, 'r+');
    fdatasyncSync(descriptor);
  };
}

/**
 * The work of the flush thread: flushes what the store thread commits, which meanwhile runs the next units. Returns
 * after `position.close()`. An error ends the thread, and with it the process (STORE-14).
 */
export function serveFlushes(position: CommitPosition, flush: () => void, onFlush: () => void): void {
  for (let commit = position.nextAsked(); commit !== null; commit = position.nextAsked()) {
    flush();
    position.settle(commit);
    onFlush();
  }
}
