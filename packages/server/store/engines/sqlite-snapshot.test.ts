import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { statement } from '../sql.ts';
import { SqliteConnection } from './sqlite.ts';

const count = statement<{ rows: number }>('SELECT count(*) AS rows FROM pages');
const checkpoint = statement<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
const rowsSeen = () => reader.get(count)?.rows;

let folder: string;
let writer: SqliteConnection;
let reader: SqliteConnection;
let commits: { newest: number | null };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-snapshot-'));
  writer = new SqliteConnection(join(folder, 'parley.db'));
  writer.exec('CREATE TABLE pages (key INTEGER PRIMARY KEY)');
  commits = { newest: 0 };
  reader = new SqliteConnection(join(folder, 'parley.db'), { readOnly: true, commits });
});

afterEach(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

const insert = () => writer.exec('INSERT INTO pages DEFAULT VALUES');

test('STORE-16: reads share a snapshot until the number of the newest commit changes', () => {
  expect(rowsSeen()).toBe(0);
  insert();
  expect(rowsSeen()).toBe(0);
  commits.newest = 1;
  expect(rowsSeen()).toBe(1);
});

test('STORE-16: while a commit is becoming visible each read opens its own snapshot', () => {
  expect(rowsSeen()).toBe(0);
  commits.newest = null;
  for (const rows of [1, 2, 3]) {
    insert();
    expect(rowsSeen()).toBe(rows);
  }
});

test('STORE-16: a snapshot ends within a turn of the event loop, so that the write-ahead log can restart', async () => {
  insert();
  expect(rowsSeen()).toBe(1);
  writer.exec('PRAGMA busy_timeout = 0');
  expect(writer.get(checkpoint)).toMatchObject({ busy: 1 });
  await turn();
  expect(writer.get(checkpoint)).toMatchObject({ busy: 0 });
});

test('STORE-16: reads go on after one whose error has ended the transaction', async () => {
  expect(rowsSeen()).toBe(0);
  // As SQLite does by itself when it finds no space for a sort, or cannot read a page.
  reader.exec('ROLLBACK');
  insert();
  commits.newest = 1;
  expect(rowsSeen()).toBe(1);
  reader.exec('ROLLBACK');
  await turn();
  insert();
  commits.newest = 2;
  expect(rowsSeen()).toBe(2);
});
