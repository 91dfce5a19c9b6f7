import type { World } from '@parley/testing';
import type { SqlValue } from '../../store/sql.ts';

/** The number of rows; `what` is a table name, optionally with a WHERE. */
export async function rowsIn({ service: { read } }: World, what: string): Promise<number> {
  const row = await read.get<{ count: number }, []>({ sql: `SELECT count(*) AS count FROM ${what}` });
  return Number(row?.count);
}

type Row = Record<string, SqlValue>;

/** The rows of each table. */
export async function allRows(world: World): Promise<[table: string, rows: Row[]][]> {
  const names = world.isShared
    ? `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
    : `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`;
  const tables = await world.sql<{ name: string }>(names);
  return world.withSql((sql) =>
    Promise.all(
      tables.map(async ({ name }): Promise<[string, Row[]]> => [
        name,
        await sql.all({ sql: `SELECT * FROM "${name}"` }),
      ]),
    ),
  );
}

/** Tables of the update log, which drops rows by age. */
const LOG = new Set(['events', 'log_intents']);

/** The content of all tables except the update log, as one text. */
export async function allText(world: World): Promise<string> {
  const tables = (await allRows(world)).filter(([name]) => !LOG.has(name));
  return tables.map(([, rows]) => JSON.stringify(rows)).join('\n');
}
