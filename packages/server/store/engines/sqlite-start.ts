import { Sequence } from '../../events/sequence.ts';
import { getMeta } from '../log.ts';
import { migrateSqlite } from '../migrate.ts';
import { SqliteConnection } from './sqlite.ts';

/** Migrates, and sets the counter above every number ever given (LOG-2). */
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
