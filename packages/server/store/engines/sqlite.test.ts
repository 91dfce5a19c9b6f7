import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeContract, type StoreUnderTest } from '@parley/testing/contracts/store-contract.ts';
import { expect, test, vi } from 'vitest';
import { migrateSqlite, migrationFiles, migrations, sqliteDialect } from '../migrate.ts';
import { statement } from '../sql.ts';
import { SqliteConnection } from './sqlite.ts';

// Every statement of the service, even if not exported, is created by this function when its file is loaded.
const texts = vi.hoisted(() => new Set<string>());
vi.mock(import('../sql.ts'), async (original) => ({
  ...(await original()),
  statement: (sql: string) => {
    texts.add(sql);
    return { sql };
  },
}));
await Promise.all([
  import('../../service/service.ts'),
  import('../../operations/index.ts'),
  import('../../units/index.ts'),
]);
const ofTheService = new Set([...texts].filter((text) => !/\bscratch\b/.test(text)));

async function open(): Promise<StoreUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-store-'));
  const sql = new SqliteConnection(join(folder, 'parley.db'));
  migrateSqlite(sql);
  return {
    sql,
    dialect: sqliteDialect,
    async transaction(work) {
      sql.exec('BEGIN IMMEDIATE');
      try {
        const value = await work();
        sql.exec('COMMIT');
        return value;
      } catch (error) {
        sql.exec('ROLLBACK');
        throw error;
      }
    },
    async close() {
      sql.close();
      rmSync(folder, { recursive: true });
    },
  };
}

storeContract('SQLite', open, ofTheService);

test('STORE-9: all statements of the service were found, for the contract suite to run', () => {
  expect(ofTheService.size).toBeGreaterThan(300);
});

test('SQLite stores NUL in a text', async () => {
  const { sql, close } = await open();
  const name = 'a\0b';
  await sql.run(statement<never, [string]>("INSERT INTO meta (name, value) VALUES ($1, 'x')"), name);
  expect(await sql.get(statement<{ name: string }>("SELECT name FROM meta WHERE value = 'x'"))).toEqual({ name });
  await close();
});

test('a connection that flushes by itself returns from COMMIT when the row is on the disk', async () => {
  const { sql, close } = await open();
  expect(await sql.get({ sql: 'PRAGMA synchronous' })).toEqual({ synchronous: 2 });
  expect(await sql.get({ sql: 'PRAGMA journal_mode' })).toEqual({ journal_mode: 'wal' });
  await close();
});

test('STORE-8: migrations are numbered, each runs once, and a failed one is rolled back', async () => {
  const all = [...new Set(migrationFiles().map(({ number }) => number))];
  expect(all).toEqual(all.map((_, at) => at + 1));
  // Two files with one number would run as one; where the first has run already, the second would never run.
  const forAll = migrationFiles().flatMap(({ number, engine }) => (engine === undefined ? [number] : []));
  expect(forAll).toEqual([...new Set(forAll)]);
  const last = migrations(sqliteDialect).at(-1)?.number;
  const folder = mkdtempSync(join(tmpdir(), 'parley-store-'));
  const sql = new SqliteConnection(join(folder, 'parley.db'));
  const state = () => [
    sql.get({ sql: 'PRAGMA user_version' }),
    sql.all({ sql: "SELECT name FROM sqlite_schema WHERE type = 'table'" }),
  ];
  // Makes the first migration fail near its end.
  sql.exec('CREATE TABLE turns (key INTEGER)');
  const before = state();
  expect(() => migrateSqlite(sql)).toThrow(/turns/);
  expect(state()).toEqual(before);
  sql.exec('DROP TABLE turns');
  migrateSqlite(sql);
  expect(state()[0]).toEqual({ user_version: last });
  sql.exec("INSERT INTO meta (name, value) VALUES ('a', 'b')");
  const after = state();
  migrateSqlite(sql);
  expect(state()).toEqual(after);
  expect(sql.get({ sql: "SELECT value FROM meta WHERE name = 'a'" })).toEqual({ value: 'b' });
  sql.close();
  rmSync(folder, { recursive: true });
});
