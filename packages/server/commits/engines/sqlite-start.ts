import { Sequence } from '../sequence.ts';
import { getMeta } from '../../store/log.ts';
import { migrateSqlite } from '../../store/migrate.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';

/** Runs the migrations, and starts the counter above every number that may have been used (LOG-2). */
export function prepareDatabase(file: string): Sequence {
  const connection = new SqliteConnection(file);
  migrateSqlite(connection);
  const reserved = Number(connection.get(getMeta, 'seq_reserved')?.value ?? 0);
  connection.close();
  const sequence = new Sequence();
  sequence.startAt(reserved);
  sequence.reserved = reserved;
  return sequence;
}
