import { describeWithPostgres, postgresForTests } from '@parley/testing/servers/postgres.ts';
import { expect, test } from 'vitest';
import { sections } from '../../exports/sections.ts';
import type { AccountRow } from '../accounts.ts';
import { PostgresConnection } from '../engines/postgres.ts';
import { SqliteConnection } from '../engines/sqlite.ts';
import { migrateSqlite } from '../migrate.ts';
import { references, tables } from './index.ts';

/** A column as an engine describes it; `place`: its place in the primary key, 0 if it is not in it. */
interface Column {
  table: string;
  name: string;
  place: number;
}

interface Shape {
  key: string[];
  /** Named like references. */
  named: string[];
}

/** The shape of each table of a schema. */
function shapesOf(columns: readonly Column[]): Record<string, Shape> {
  const shapes: Record<string, Shape> = {};
  for (const [table, own] of Map.groupBy(columns, ({ table: of }) => of)) {
    const key = own.filter(({ place }) => place > 0).toSorted((one, other) => one.place - other.place);
    const names = own.map(({ name }) => name).toSorted();
    shapes[table] = {
      key: key.map(({ name }) => name),
      named: names.filter((name) => /_(?:key|id)$/.test(name)),
    };
  }
  return shapes;
}

/** The shapes that the declarations promise to an engine. */
function declaredFor(engine: 'sqlite' | 'postgres'): Record<string, Shape> {
  const shapes: Record<string, Shape> = {};
  for (const [name, { key, references: refers = {}, unchecked = {}, engine: only }] of Object.entries(tables))
    if (only === undefined || only === engine)
      shapes[name] = {
        key: [...key],
        named: [...Object.keys(refers), ...Object.keys(unchecked)].toSorted(),
      };
  return shapes;
}

test('ADMIN-12: every table of SQLite is declared, with its key and its columns named like references', () => {
  using connection = disposable();
  const columns = connection.sql.all<Column, []>({
    sql: `SELECT t.name AS "table", c.name, c.pk AS place
      FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
  });
  expect(shapesOf(columns)).toEqual(declaredFor('sqlite'));
});

describeWithPostgres('On PostgreSQL', () => {
  test('ADMIN-12: every table is declared, with its key and its columns named like references', async () => {
    const database = await (await postgresForTests()).createDatabase();
    const connection = await PostgresConnection.open({ url: database.url });
    const columns = await connection.all<Column, []>({
      sql: `SELECT c.table_name AS "table", c.column_name AS name, coalesce(k.ordinal_position, 0) AS place
        FROM information_schema.columns c
        LEFT JOIN information_schema.table_constraints p ON p.table_schema = c.table_schema
          AND p.table_name = c.table_name AND p.constraint_type = 'PRIMARY KEY'
        LEFT JOIN information_schema.key_column_usage k ON k.constraint_name = p.constraint_name
          AND k.table_schema = c.table_schema AND k.column_name = c.column_name
        WHERE c.table_schema = current_schema()`,
    });
    await connection.close();
    await database.drop();
    expect(shapesOf(columns)).toEqual(declaredFor('postgres'));
  });
});

test('EXPORT-2: every section of an export is declared at a table, and every declared section exists', () => {
  using connection = disposable();
  // Nothing is read before a section is iterated, and only the key is asked for.
  const made = sections(connection.sql, { key: 1 } as AccountRow, 0);
  const declared = new Set(
    Object.values(tables).flatMap(({ exported }) => (typeof exported === 'string' ? [] : exported)),
  );
  expect([...declared].toSorted()).toEqual([...Object.keys(made), 'account'].toSorted());
});

test('each description of a dangling reference is used once', () => {
  const descriptions = references.map(({ to }) => to.what);
  expect(new Set(descriptions).size).toBe(descriptions.length);
});

test('only references to accounts are deleted as belongings', () => {
  const others = references.filter(({ to }) => to.onDelete === 'belonging' && to.table !== 'accounts');
  expect(others).toEqual([]);
});

/** An empty database in memory. */
function disposable(): Disposable & { sql: SqliteConnection } {
  const sql = new SqliteConnection(':memory:');
  migrateSqlite(sql);
  return { sql, [Symbol.dispose]: () => sql.close() };
}
