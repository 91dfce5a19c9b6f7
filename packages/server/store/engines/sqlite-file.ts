// Statements about a SQLite file: its version, its tables, its integrity.
import { statement } from '../sql.ts';

export const fileVersion = statement<{ user_version: number }>('PRAGMA user_version');
export const metaTable = statement<{ name: string }>(
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'meta'",
);
interface CheckpointState {
  busy: number;
  /** Number of pages in the write-ahead log, and how many of them are in the database. */
  log: number;
  checkpointed: number;
}
/** Copies what it can from the write-ahead log into the database, without waiting for readers or for the writer. */
export const checkpoint = statement<CheckpointState>('PRAGMA wal_checkpoint(PASSIVE)');
/** The state of the write-ahead log; copies nothing. */
export const checkpointState = statement<CheckpointState>('PRAGMA wal_checkpoint(NOOP)');

export const integrityCheck = statement<{ integrity_check: string }>('PRAGMA integrity_check(20)');

export const columnsOf = statement<{ name: string; type: string; pk: number }, [table: string]>(
  'SELECT name, type, pk FROM pragma_table_info($1) ORDER BY cid',
);
