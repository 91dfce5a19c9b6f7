import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchContract } from '@parley/testing/contracts/search-contract.ts';
import {
  type IndexUnderTest,
  joins as joinsIn,
  recordOf,
  searched,
  storeMessage,
} from '@parley/testing/contracts/searched-messages.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newIdBytes } from '../../core/ids.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { foundAmong, updateMessage } from '../../store/messages.ts';
import { migrateSqlite } from '../../store/migrate.ts';
import type { SqlValue, Statement } from '../../store/sql.ts';
import {
  changesAfter,
  endsOfChanges,
  forgetChanges,
  indexedBetween,
  reindexMessage,
  searchedBetween,
} from '../../store/search.ts';
import { defaultBounds, type SearchBounds } from './bounds.ts';
import { find } from './find.ts';
import { IndexFile } from './index-file.ts';
import { adopt, lagOf, putFiles, tendOnce } from './tend.ts';

let folder: string;
let database: SqliteConnection;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-search-'));
  database = new SqliteConnection(join(folder, 'parley.db'));
  migrateSqlite(database);
  database.exec('PRAGMA synchronous = OFF');
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const store = (chat: number, sender: number, text: string) => storeMessage(database, chat, sender, text);
const joins = (chat: number, account: number) => void joinsIn(database, chat, account);
const askedOf = (index: IndexFile, connection = database): Pick<IndexUnderTest, 'find'> => ({
  find: (request, bounds, now) => find(connection, index, request, bounds, now),
});

/** Counts the messages that a search examines. */
class CountingConnection extends SqliteConnection {
  looks = 0;

  override all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Row[] {
    if (statement.sql === searchedBetween.sql) this.looks += 1;
    return super.all(statement, ...params);
  }
}

/** The keys that the index finds for one word, part by part. */
function keysOf(index: IndexFile, word: string, last: number): number[] {
  const keys: number[] = [];
  for (let top = last; top > 0; top = index.firstOfPart(top) - 1)
    keys.push(
      ...index.keys(
        { query: [{ terms: [word], isPrefix: false }], chatKeys: null, senderKey: 0, mark: 0 },
        index.firstOfPart(top),
        top,
        1_000,
      ),
    );
  return keys.toReversed();
}

function underTest(file: string, bounds: SearchBounds): IndexUnderTest {
  const index = new IndexFile(file, bounds);
  adopt(database, index, bounds);
  return {
    find: (request, given, now) => find(database, index, request, given, now),
    tendOnce: () => tendOnce(database, index, bounds),
    keysOf: (word, last) => keysOf(index, word, last),
    reopen() {
      database.run(forgetChanges, index.extent?.changes ?? 0);
      index.close();
      return underTest(file, bounds);
    },
    close: () => index.close(),
  };
}

searchContract('the embedded engine', async () => ({
  store: database,
  empty: () =>
    database.exec(
      `DELETE FROM messages; DELETE FROM participants; DELETE FROM hidden; DELETE FROM search_changes; DELETE FROM files;
       DELETE FROM message_files; DELETE FROM file_texts; DELETE FROM file_text_changes`,
    ),
  open: (bounds) => underTest(join(folder, `${newIdBytes(0).toString()}.db`), bounds),
  close: () => {},
}));

const indexed = (file: string) => {
  const index = new IndexFile(file);
  adopt(database, index);
  while (tendOnce(database, index));
  return index;
};

test('SEARCH-10: an index of another database, or one that missed changes, is rebuilt', async () => {
  const file = join(folder, 'search.db');
  joins(1, 1);
  const first = await store(1, 1, 'needle');
  indexed(file).close();
  const found = async () => {
    const index = indexed(file);
    const { keys } = await searched(askedOf(index), { query: 'needle', account: 1 }, 10);
    index.close();
    return keys;
  };
  expect(await found()).toEqual([first.key]);
  // Changes that were deleted before the index processed them.
  database.run(updateMessage, first.key, 'complete', recordOf('other'));
  for (let at = 0; at < 3; at += 1) void reindexMessage(database, first.key);
  database.run(forgetChanges, database.get(endsOfChanges)?.last ?? 0);
  database.run(updateMessage, first.key, 'complete', recordOf('needle again'));
  expect(await found()).toEqual([first.key]);
  // The same keys with other messages.
  database.exec('DELETE FROM messages; DELETE FROM search_changes');
  await store(1, 1, 'hay');
  const second = await store(1, 1, 'needle');
  expect(await found()).toEqual([second.key]);
});

test('SEARCH-10: a damaged index is rebuilt', async () => {
  const { writeFileSync } = await import('node:fs');
  const file = join(folder, 'search.db');
  joins(1, 1);
  const { key } = await store(1, 1, 'needle');
  indexed(file).close();
  writeFileSync(file, 'this is no database, and never was one');
  const index = indexed(file);
  expect((await searched(askedOf(index), { query: 'needle', account: 1 }, 10)).keys).toEqual([key]);
  index.close();
});

/** The number of segments of the words of the first part. */
function piecesOf(file: string): number {
  const pieces = new SqliteConnection(file);
  const [row] = pieces.all<{ count: number }, []>({ sql: 'SELECT count(DISTINCT segid) AS count FROM part0_idx' });
  pieces.close();
  return row?.count ?? Infinity;
}

test('SEARCH-23: what many blocks leave is merged, and found as before', async () => {
  const file = join(folder, 'search.db');
  joins(1, 1);
  const index = new IndexFile(file);
  adopt(database, index);
  const keys: number[] = [];
  for (let block = 0; block < 30; block += 1) {
    keys.unshift((await store(1, 1, `needle ${block}`)).key);
    while (tendOnce(database, index));
  }
  expect(piecesOf(file)).toBeLessThan(5);
  expect((await searched(askedOf(index), { query: 'needle', account: 1 }, 10)).keys).toEqual(keys);
  index.close();
});

test('SEARCH-23: blocks are merged although a message arrives in every pause', async () => {
  const file = join(folder, 'search.db');
  joins(1, 1);
  const index = new IndexFile(file);
  adopt(database, index);
  const keys: number[] = [];
  for (let call = 0; call < 200; call += 1) {
    keys.unshift((await store(1, 1, `needle ${call}`)).key);
    expect(tendOnce(database, index)).toBe(true);
    expect(lagOf(database, index)).toBeLessThan(2);
    // Without merging, FTS5 keeps up to 64.
    expect(piecesOf(file)).toBeLessThan(30);
  }
  expect((await searched(askedOf(index), { query: 'needle', account: 1 }, 10)).keys).toEqual(keys);
  index.close();
});

const breaks = [0, 1, 2].flatMap((steps) => [true, false].map((restarts) => ({ steps, restarts })));
test.for(breaks)(
  'SEARCH-23: a merge that breaks after $steps steps loses nothing, and is done again (restart: $restarts)',
  async ({ steps, restarts }) => {
    const file = join(folder, 'search.db');
    joins(1, 1);
    let index = new IndexFile(file);
    adopt(database, index);
    const keys: number[] = [];
    const say = async () => {
      const many = Array.from({ length: 900 }, (_, at) => `w${keys.length}x${at}`);
      keys.unshift((await store(1, 1, `needle ${many.join(' ')}`)).key);
      tendOnce(database, index);
    };
    const expectAll = async () => {
      expect((await searched(askedOf(index), { query: 'needle', account: 1 }, 10)).keys).toEqual(keys);
      expect(keysOf(index, 'needle', keys[0] ?? 0)).toEqual(keys.toReversed());
    };
    for (let block = 0; block < 12; block += 1) await say();
    expect(piecesOf(file)).toBeGreaterThan(5);
    for (let step = 0; step < steps; step += 1) {
      expect(tendOnce(database, index)).toBe(true);
      await expectAll();
    }
    index.beforeCommit = () => {
      throw new Error('broken off');
    };
    expect(() => tendOnce(database, index)).toThrow('broken off');
    index.beforeCommit = () => {};
    if (restarts) {
      index.close();
      index = new IndexFile(file);
      adopt(database, index);
    }
    await expectAll();
    // The merge begins anew, and a message is put between two of its steps.
    expect(tendOnce(database, index)).toBe(true);
    await say();
    await expectAll();
    while (tendOnce(database, index));
    await expectAll();
    expect(piecesOf(file)).toBeLessThan(5);
    index.close();
  },
);

test('SEARCH-23: a block of files leaves one piece', async () => {
  const file = join(folder, 'search.db');
  const index = new IndexFile(file);
  adopt(database, index);
  const entry = { chatKey: 1, senderKey: 1, marks: [], place: 0 };
  const { extent } = index;
  if (!extent) throw new Error('no index');
  index.write(extent, () => {
    putFiles(index, new Map([30, 20, 10].map((key) => [key, [{ ...entry, key, terms: [`w${key}`] }]])));
  });
  const pieces = new SqliteConnection(file);
  expect(pieces.all({ sql: 'SELECT count(DISTINCT segid) AS count FROM files0_idx' })).toEqual([{ count: 1 }]);
  pieces.close();
  index.close();
});

test('SEARCH-11: the last change is kept when the others are deleted, so that no number is reused', async () => {
  const { key } = await store(1, 1, 'x');
  for (let at = 0; at < 3; at += 1) void reindexMessage(database, key);
  const last = database.get(endsOfChanges)?.last ?? 0;
  database.run(forgetChanges, last);
  void reindexMessage(database, key);
  expect(database.all(changesAfter, 0, 10).map((change) => change.key)).toEqual([last, last + 1]);
});

test('SEARCH-9: messages are read by key, not by conversation', () => {
  for (const { sql } of [searchedBetween, indexedBetween]) {
    const plan = database.all<{ detail: string }, []>({ sql: `EXPLAIN QUERY PLAN ${sql}` });
    expect(plan[0]?.detail).toBe('SEARCH m USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
  }
  const plan = database.list<{ detail: string }, [number]>({ sql: `EXPLAIN QUERY PLAN ${foundAmong.sql}` }, [1, 2], 3);
  expect(plan[0]?.detail).toBe('SEARCH m USING INTEGER PRIMARY KEY (rowid=?)');
});

test('SEARCH-9: other accounts’ messages with the word are not examined, however many conversations the caller is in', async () => {
  for (const own of [1, 40, 300, 1_200]) {
    database.exec('DELETE FROM messages; DELETE FROM participants');
    for (let chat = 1; chat <= own; chat += 1) joins(chat, 1);
    const foreign = own + 1;
    for (let at = 0; at < 500; at += 1) await store(foreign, 2, 'secretly common');
    const mine = await store(own, 1, 'common');
    const index = indexed(join(folder, `search-${own}.db`));
    const counted = new CountingConnection(join(folder, 'parley.db'));
    const lookedAt = async (query: string) => {
      counted.looks = 0;
      const bounds = { ...defaultBounds, lookedAt: 3 };
      const found = await searched(askedOf(index, counted), { query, account: 1 }, 10, bounds, () => 0);
      return { ...found, looks: counted.looks };
    };
    expect([own, await lookedAt('common')]).toEqual([own, { keys: [mine.key], pages: [1], looks: 1 }]);
    expect([own, await lookedAt('secretly')]).toEqual([own, await lookedAt('nobodysays')]);
    counted.close();
    index.close();
  }
});
