import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import { checkpoint, checkpointState } from '../../store/engines/sqlite-file.ts';
import type { CommitPosition } from './commit-position.ts';

/** Pause between two looks at the size of the write-ahead log. */
const LOOK_MS = 50;
/** Maximum pages that the store thread is left to copy: they hold it up for one or two milliseconds. */
const REST_PAGES = 250;
/** Maximum passes over a log that grows meanwhile; each leaves a fraction of the one before. */
const MOST_PASSES = 4;
/** SQLite's code for a full disk: the pages stay in the log, and are copied once there is space. */
const DISK_FULL = 13;

/**
 * The work of the checkpoint thread: copies the write-ahead log into the database when it has grown to `pages`, while
 * the store thread goes on. The log starts again from its beginning only when all of it is copied and nothing is added,
 * so the store thread itself copies the few pages that were added during the last pass (STORE-15). Returns after
 * `position.close()`.
 */
export function serveCheckpoints(connection: SqliteConnection, position: CommitPosition, pages: number): void {
  const rest = Math.min(REST_PAGES, pages / 4);
  for (let commit = 0; position.waitForCommits(commit, LOOK_MS);) {
    commit = position.begun;
    if (uncopied(connection) < pages) continue;
    for (let pass = 0; pass < MOST_PASSES && uncopied(connection) > rest; pass += 1) copyLog(connection);
    position.leaveRest();
  }
}

/** Copies the log into the database. Any error but a full disk is one of the disk itself, and ends the process. */
export function copyLog(connection: SqliteConnection): void {
  try {
    connection.all(checkpoint);
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== DISK_FULL) throw error; // as node:sqlite throws it
  }
}

function uncopied(connection: SqliteConnection): number {
  const { log = 0, checkpointed = 0 } = connection.get(checkpointState) ?? {};
  return log - checkpointed;
}
