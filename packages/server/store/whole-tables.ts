// Statements over whole tables, for restored databases and for moves between engines, whose texts are built from the
// schema.
import { type SqlValue, type Statement, statement } from './sql.ts';
import { emptiedTables } from './tables/index.ts';

/** Empty what names events and pushes that clients have seen since a backup was made. */
export const emptyRestored: readonly Statement[] = emptiedTables.map((name) => statement(`DELETE FROM ${name}`));

/** A table of the schema, with the columns that its statements need. */
interface TableColumns {
  readonly name: string;
  readonly columns: readonly { readonly name: string }[];
  /** The columns of its primary key. */
  readonly key: readonly string[];
}

const names = ({ columns }: TableColumns): string => columns.map(({ name }) => name).join(', ');
const order = ({ key }: TableColumns, limit: number): string => `ORDER BY ${key.join(', ')} LIMIT ${limit}`;

/** The first rows of a table, in the order of its primary key. */
export const firstRows = (table: TableColumns, limit: number): Statement<Record<string, SqlValue>> =>
  statement(`SELECT ${names(table)} FROM ${table.name} ${order(table, limit)}`);

/** The rows after the primary key in the parameters. */
export const nextRows = (table: TableColumns, limit: number): Statement<Record<string, SqlValue>> =>
  statement(
    `SELECT ${names(table)} FROM ${table.name}
     WHERE (${table.key.join(', ')}) > (${table.key.map((_, at) => `$${at + 1}`).join(', ')}) ${order(table, limit)}`,
  );

/** Inserts some rows; the parameters are their values, row by row. */
export function insertRows(table: TableColumns, count: number): Statement {
  const width = table.columns.length;
  const places = Array.from(
    { length: count },
    (_, row) => `(${table.columns.map((_column, at) => `$${row * width + at + 1}`).join(', ')})`,
  );
  return statement(`INSERT INTO ${table.name} (${names(table)}) VALUES ${places.join(', ')}`);
}

/** Finds one row if the table has any. */
export const anyRow = ({ name }: Pick<TableColumns, 'name'>): Statement<{ found: number }> =>
  statement(`SELECT 1 AS found FROM ${name} LIMIT 1`);

/** On PostgreSQL: makes the sequence of a table's key continue above the rows that the table has. */
export const raiseSequence = (table: string): Statement<unknown, [sequence: string]> =>
  statement(`SELECT setval($1::regclass, greatest(max(key), 1)) FROM ${table} HAVING max(key) > 0`);
