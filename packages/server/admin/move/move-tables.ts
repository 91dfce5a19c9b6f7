// move/: moves an installation from one engine to another. This file lists the tables, `table-rows.ts` reads and writes
// them through the store's port, `sides.ts` describes source and target, `dump.ts` is the folder in between,
// `export.ts` and `import.ts` are the two steps.
import { tableNames, columnsOf } from '../../store/engines/sqlite-file.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { migrateSqlite } from '../../store/migrate.ts';

export interface Column {
  name: string;
  type: 'int' | 'text' | 'blob';
}

export interface Table {
  name: string;
  columns: Column[];
  /** The columns of the primary key. */
  key: string[];
}

/** Tables that are not moved: specific to an engine, or rebuilt from other tables. */
const STAY = new Set(['meta', 'events_by_scope']);

const TYPES: Readonly<Record<string, Column['type']>> = { INTEGER: 'int', TEXT: 'text', BLOB: 'blob' };

/** The tables of an empty embedded database after all migrations; both engines have the same. */
export function tablesToMove(): Table[] {
  const connection = new SqliteConnection(':memory:');
  try {
    migrateSqlite(connection);
    return connection
      .all(tableNames)
      .filter(({ name }) => !STAY.has(name))
      .map(({ name }) => tableOf(name, connection.all(columnsOf, name)));
  } finally {
    connection.close();
  }
}

function tableOf(name: string, rows: { name: string; type: string; pk: number }[]): Table {
  const key = rows.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  if (key.length === 0) throw new Error(`the table ${name} has no primary key, so it cannot be moved`);
  const columns = rows.map((row): Column => {
    const type = TYPES[row.type];
    if (type === undefined) throw new Error(`the column ${name}.${row.name} has a type that cannot be moved`);
    return { name: row.name, type };
  });
  return { name, columns, key: key.map((row) => row.name) };
}
