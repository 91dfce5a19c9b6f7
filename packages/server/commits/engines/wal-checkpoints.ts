import { isNoSpace, type SqliteConnection } from '../../store/engines/sqlite.ts';
import { checkpoint, checkpointState } from '../../store/engines/sqlite-file.ts';
import type { CommitPosition } from './commit-position.ts';

/** Pause between two looks at the size of the write-ahead log. */
const LOOK_MS = 50;
/** Pause after the database could not be written for want of space. */
const REST_MS = 1_000;
/** Number of pages that the checkpoint thread may leave to the store thread, which copies them in about a millisecond. */
const REST_PAGES = 250;
/** Maximum passes over a log that grows meanwhile: each copies what came during the one before. */
const MAX_PASSES = 4;

/**
 * The work of the checkpoint thread: copies the write-ahead log into the database when it has grown to `pages`, while
 * the store thread continues. The log starts again from its beginning only when all of it is copied and nothing is
 * added, so the store thread itself copies the few pages that were added during the last pass (STORE-15). `flush`
 * flushes the database, so that the store thread has only those pages to flush. Returns after `position.close()`.
 */
export function serveCheckpoints(
  connection: SqliteConnection,
  position: CommitPosition,
  { pages, flush }: { pages: number; flush: () => void },
): void {
  const rest = Math.min(REST_PAGES, pages / 4);
  let pause = LOOK_MS;
  for (let commit = 0; position.waitForCommits(commit, pause);) {
    commit = position.begun;
    pause = LOOK_MS;
    if (stateOf(connection).log < pages) continue;
    for (let pass = 0; pass < MAX_PASSES && stateOf(connection).left > rest; pass += 1)
      if (!copyLog(connection)) pause = REST_MS;
    if (pause === REST_MS) continue;
    // SQLite flushes the database only after a pass that reached the end of the log.
    flush();
    position.leaveRest();
  }
}

/**
 * Copies the log into the database. Returns false if there is no space: the pages stay in the log. Any other error is
 * one of the disk and ends the process (STORE-14).
 */
export function copyLog(connection: SqliteConnection): boolean {
  try {
    connection.all(checkpoint);
    return true;
  } catch (error) {
    if (isNoSpace(error)) return false;
    throw error;
  }
}

/** The number of pages in the log, and of those that are not in the database yet. */
function stateOf(connection: SqliteConnection): { log: number; left: number } {
  const { log = 0, checkpointed = 0 } = connection.get(checkpointState) ?? {};
  return { log, left: log - checkpointed };
}
