import { RESERVE_BLOCK, Sequence } from '../sequence.ts';
import { getMeta, setMeta } from '../../store/log.ts';
import { migrateSqlite } from '../../store/migrate.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';

/** Runs the migrations, and starts the counter above every number that may have been used (LOG-2). */
export function prepareConnection(connection: SqliteConnection): Sequence {
  migrateSqlite(connection);
  const reserved = Number(connection.get(getMeta, 'seq_reserved')?.value ?? 0);
  // Flushed by this connection, so that transient events have numbers from the start, and what a killed process wrote
  // without flushing it is on the disk before anyone reads it.
  connection.run(setMeta, 'seq_reserved', String(reserved + RESERVE_BLOCK));
  const sequence = new Sequence();
  sequence.startAt(reserved);
  sequence.reserved = reserved + RESERVE_BLOCK;
  return sequence;
}

/** The same for a file that no connection is open on. */
export function prepareDatabase(file: string): Sequence {
  const connection = new SqliteConnection(file);
  try {
    return prepareConnection(connection);
  } finally {
    connection.close();
  }
}
