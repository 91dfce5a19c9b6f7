// move/: moves an installation from one engine to another. This file lists the tables, `table-rows.ts` reads and writes
// them through the store's port, `sides.ts` describes source and target, `dump.ts` is the folder in between,
// `export.ts` and `import.ts` are the two steps.
import { columnsOf } from '../../store/engines/sqlite-file.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { migrateSqlite } from '../../store/migrate.ts';
import { movedTables, type TableName, tables } from '../../store/tables/index.ts';

export interface Column {
  name: string;
  type: 'int' | 'text' | 'blob';
}

export interface Table {
  name: string;
  columns: Column[];
  /** The columns of the primary key. */
  key: readonly string[];
}

const TYPES: Readonly<Record<string, Column['type']>> = { INTEGER: 'int', TEXT: 'text', BLOB: 'blob' };

/** The tables that are moved, with the columns of an empty embedded database; both engines have the same. */
export const tablesToMove = (): Table[] => tablesOf(movedTables);

/** Tables of the embedded engine, with their columns. */
export function tablesOf(names: readonly TableName[]): Table[] {
  const connection = new SqliteConnection(':memory:');
  try {
    migrateSqlite(connection);
    return names.map((name) => tableOf(name, connection.all(columnsOf, name)));
  } finally {
    connection.close();
  }
}

function tableOf(name: TableName, rows: { name: string; type: string }[]): Table {
  const columns = rows.map((row): Column => {
    const type = TYPES[row.type];
    if (type === undefined) throw new Error(`the column ${name}.${row.name} has a type that cannot be moved`);
    return { name: row.name, type };
  });
  return { name, columns, key: tables[name].key };
}
