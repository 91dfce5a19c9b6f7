import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import { prepareDatabase } from '../commits/engines/sqlite-start.ts';
import { faults } from '../store/references.ts';
import { references } from '../store/tables/index.ts';

interface Column {
  name: string;
  type: string;
  notnull: 0 | 1;
}

let folder: string;
let connection: SqliteConnection;
let columns: Map<string, Column[]>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-references-'));
  const file = join(folder, 'parley.db');
  prepareDatabase(file);
  connection = new SqliteConnection(file);
  const tables = connection.all<{ name: string }, []>({
    sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  });
  columns = new Map(
    tables.map(({ name }) => [name, connection.all<Column, []>({ sql: `PRAGMA table_info(${name})` })]),
  );
});
afterAll(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

test.each(references)('ADMIN-12: a dangling $table.$column is found', ({ table, column: name, to: { what } }) => {
  const count = () => connection.get(faults[what] ?? expect.fail(`no check for ${what}`))?.count;
  const needed = (columns.get(table) ?? []).filter((one) => one.notnull === 1 || one.name === name);
  const values = needed.map((one) => (one.name === name ? '999' : one.type === 'INTEGER' ? '0' : "''"));
  expect(count()).toBe(0);
  connection.exec('BEGIN');
  connection.exec(`INSERT INTO ${table} (${needed.map((one) => one.name).join(', ')}) VALUES (${values.join(', ')})`);
  expect(count()).toBe(1);
  connection.exec('ROLLBACK');
});
