import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newIdBytes } from '../../ids.ts';
import { parseQuery } from '../../rules/search-query.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { buryMessage, hideMessage, insertMessage, updateMessage } from '../../store/messages.ts';
import { deleteParticipant, insertParticipant } from '../../store/chats.ts';
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
import { adopt, lagOf, tendOnce } from './tend.ts';

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

type Status = 'complete' | 'streaming';
interface Stored {
  key: number;
  chat: number;
  sender: number;
  text: string;
  status: Status;
  isDeleted: boolean;
  isNotice: boolean;
}

const recordOf = (content: string) => JSON.stringify({ content });

function store(chat: number, sender: number, text: string, more: Partial<Stored> = {}): Stored {
  const { status = 'complete', isNotice = false } = more;
  const marks = isNotice ? 4 : 0;
  const made = database.get(
    insertMessage,
    newIdBytes(0),
    chat,
    0,
    0,
    sender,
    status,
    marks,
    0,
    null,
    null,
    recordOf(text),
  );
  return { key: made?.key ?? 0, chat, sender, text, status, isDeleted: false, isNotice };
}

function joins(chat: number, account: number): void {
  database.run(insertParticipant, chat, account, 'member', null, 0);
}

/** Counts the messages that a search has a look at. */
class CountingConnection extends SqliteConnection {
  looks = 0;

  override all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Row[] {
    if (statement.sql === searchedBetween.sql) this.looks += 1;
    return super.all(statement, ...params);
  }
}

interface Asked {
  query: string;
  account: number;
  chat?: number;
  sender?: number;
  before?: number;
  after?: number;
}

/** All pages of a search, each with its number of hits. */
function searched(
  index: IndexFile,
  asked: Asked,
  limit: number,
  bounds: SearchBounds,
  now?: () => number,
  connection = database,
) {
  const keys: number[] = [];
  const pages: number[] = [];
  let before = asked.before ?? Number.MAX_SAFE_INTEGER;
  for (;;) {
    const request = {
      accountKey: asked.account,
      query: parseQuery(asked.query),
      chatKey: asked.chat ?? 0,
      senderKey: asked.sender ?? 0,
      before,
      after: asked.after ?? 0,
      limit,
    };
    const { hits, next } = find(connection, index, request, bounds, now);
    keys.push(...hits.map(({ key }) => key));
    pages.push(hits.length);
    if (next === null) return { keys, pages };
    if (next >= before) throw new Error('a page goes down');
    before = next;
  }
}

const vocabulary = ['red', 'reddish', 'green', 'greener', 'blue', 'b', 'the', 'theory'];
const words = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 5 }).map((list) => list.join(' '));
const chat = fc.integer({ min: 1, max: 4 });
const account = fc.integer({ min: 1, max: 3 });
const which = fc.nat(200);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('send' as const), chat, account, words }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('stream' as const, 'notice' as const), chat, account, words }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit' as const), which, words }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hide' as const), which, account }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('join' as const, 'leave' as const), chat, account }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('tend' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('forget' as const, 'reopen' as const) }) },
);
const query = fc.oneof(
  fc.constantFrom('red', 'gree', 'b', 'th blu', 'theory', 'the', 'green red'),
  fc.constantFrom('"red green"', '"the"', 'b "blue b"'),
);
const asked = fc.record({
  query,
  account,
  chat: fc.option(chat, { nil: undefined }),
  sender: fc.option(account, { nil: undefined }),
  range: fc.option(fc.tuple(fc.nat(40), fc.nat(40)), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 4 }),
});

const small: SearchBounds = {
  partKeys: 8,
  blockKeys: 3,
  blockBytes: 120,
  tailAtFirst: 4,
  lookedAt: 1_000,
  bytes: 1_000_000,
  budgetMs: 3,
  tailKeys: 3,
  candidates: 2,
  chatsAtOnce: 1,
};

/** What the index names for one word, part by part. */
function keysOf(index: IndexFile, word: string, last: number): number[] {
  const keys: number[] = [];
  for (let top = last; top > 0; top = index.firstOfPart(top) - 1)
    keys.push(
      ...index.keys(
        { query: [{ terms: [word], isPrefix: false }], chatKeys: null, senderKey: 0 },
        index.firstOfPart(top),
        top,
        1_000,
      ),
    );
  return keys.toReversed();
}

/** What a person would find by reading everything. */
function naive({ text }: Stored, asked: string): boolean {
  const found = text.split(' ');
  const quoted = [...asked.matchAll(/"([^"]+)"/g)].map(([, phrase]) => phrase ?? '');
  const loose = asked
    .replaceAll(/"[^"]+"/g, '')
    .split(' ')
    .filter(Boolean);
  return (
    quoted.every((phrase) => ` ${text} `.includes(` ${phrase} `)) &&
    loose.every((word) => found.some((one) => (word.length > 1 ? one.startsWith(word) : one === word)))
  );
}

test('SEARCH-1, SEARCH-2, SEARCH-7, SEARCH-11: a search finds what reading everything finds, whatever happened, however far the index is', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60, size: 'max' }),
      fc.array(asked, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(small, { ...small, chatsAtOnce: 2 }, { ...small, chatsAtOnce: 8 }),
      fc.boolean(),
      (steps, searches, bounds, isSlow) => {
        database.exec('DELETE FROM messages; DELETE FROM participants; DELETE FROM hidden; DELETE FROM search_changes');
        const file = join(folder, `${newIdBytes(0).toString()}.db`);
        let index = new IndexFile(file, bounds);
        adopt(database, index, bounds);
        const stored: Stored[] = [];
        const members = new Set<string>();
        for (const one of [1, 2, 3])
          for (const where of [1, 2, 3, 4].filter((where) => where !== one)) {
            members.add(`${where} ${one}`);
            joins(where, one);
          }
        const hidden = new Set<string>();
        const pick = (at: number) => stored[at % Math.max(1, stored.length)];
        for (const one of steps) {
          if (one.do === 'send') stored.push(store(one.chat, one.account, one.words));
          if (one.do === 'stream') stored.push(store(one.chat, one.account, one.words, { status: 'streaming' }));
          if (one.do === 'notice') stored.push(store(one.chat, one.account, one.words, { isNotice: true }));
          if (one.do === 'edit') {
            const message = pick(one.which);
            if (!message || message.isDeleted) continue;
            Object.assign(message, { text: one.words, status: 'complete' });
            database.run(updateMessage, message.key, 'complete', recordOf(one.words));
            void reindexMessage(database, message.key);
          }
          if (one.do === 'delete') {
            const message = pick(one.which);
            if (!message) continue;
            message.isDeleted = true;
            database.run(buryMessage, message.key, 'complete', recordOf(''), 1);
            void reindexMessage(database, message.key);
          }
          if (one.do === 'hide') {
            const message = pick(one.which);
            if (!message) continue;
            hidden.add(`${one.account} ${message.key}`);
            database.run(hideMessage, one.account, message.key);
          }
          if (one.do === 'join') {
            members.add(`${one.chat} ${one.account}`);
            joins(one.chat, one.account);
          }
          if (one.do === 'leave') {
            members.delete(`${one.chat} ${one.account}`);
            database.run(deleteParticipant, one.chat, one.account);
          }
          if (one.do === 'tend') tendOnce(database, index, bounds);
          if (one.do === 'forget') database.run(forgetChanges, index.extent?.changes ?? 0);
          if (one.do === 'reopen') {
            index.close();
            index = new IndexFile(file, bounds);
            adopt(database, index, bounds);
          }
        }
        for (const { range, limit, ...what } of searches) {
          const [before, after] = range ?? [Number.MAX_SAFE_INTEGER, 0];
          const expected = stored
            .filter(({ key }) => key < before && key > after)
            .filter((one) => members.has(`${one.chat} ${what.account}`) && !hidden.has(`${what.account} ${one.key}`))
            .filter((one) => !one.isDeleted && !one.isNotice && one.status === 'complete')
            .filter((one) => (what.chat ?? one.chat) === one.chat && (what.sender ?? one.sender) === one.sender)
            .filter((one) => naive(one, what.query))
            .map(({ key }) => key)
            .toReversed();
          let time = 0;
          const given: Asked = { query: what.query, account: what.account, before, after };
          if (what.chat !== undefined) given.chat = what.chat;
          if (what.sender !== undefined) given.sender = what.sender;
          const found = searched(index, given, limit, isSlow ? { ...bounds, lookedAt: 2 } : bounds, () =>
            isSlow ? (time += 1) : 0,
          );
          expect(found.keys).toEqual(expected);
          if (!isSlow) for (const hits of found.pages.slice(0, -1)) expect(hits).toBe(limit);
          if (!isSlow && expected.length > 0) expect(found.pages.at(-1)).toBeGreaterThan(0);
        }
        while (tendOnce(database, index, bounds));
        expect(lagOf(database, index)).toBe(0);
        // Nothing is left in the index of what a message said before.
        for (const word of vocabulary) {
          const said = stored.filter((one) => !one.isDeleted && !one.isNotice && one.status === 'complete');
          const keys = said.filter(({ text }) => text.split(' ').includes(word)).map(({ key }) => key);
          expect(keysOf(index, word, stored.at(-1)?.key ?? 0)).toEqual(keys);
        }
        index.close();
      },
    ),
    { numRuns: 100 },
  );
});

test('SEARCH-10: a store that was never indexed is searched from its newest messages on, and in time as a whole', () => {
  joins(1, 1);
  const stored = Array.from({ length: 40 }, () => store(1, 1, 'needle'));
  const index = new IndexFile(join(folder, 'search.db'), small);
  adopt(database, index, small);
  const found = () => searched(index, { query: 'needle', account: 1 }, 100, { ...small, budgetMs: 1_000 }).keys;
  expect(found()).toEqual(
    stored
      .slice(-4)
      .map(({ key }) => key)
      .toReversed(),
  );
  let least = found().length;
  while (tendOnce(database, index, small)) {
    expect(found().length).toBeGreaterThanOrEqual(least);
    least = found().length;
  }
  expect(found()).toEqual(stored.map(({ key }) => key).toReversed());
  index.close();
});

const indexed = (file: string) => {
  const index = new IndexFile(file);
  adopt(database, index);
  while (tendOnce(database, index));
  return index;
};

test('SEARCH-10: the index of another database, and one that has missed changes, are made anew', () => {
  const file = join(folder, 'search.db');
  joins(1, 1);
  const first = store(1, 1, 'needle');
  indexed(file).close();
  const found = () => {
    const index = indexed(file);
    const { keys } = searched(index, { query: 'needle', account: 1 }, 10, defaultBounds);
    index.close();
    return keys;
  };
  expect(found()).toEqual([first.key]);
  // Changes that nobody took up, and that are forgotten.
  database.run(updateMessage, first.key, 'complete', recordOf('other'));
  for (let at = 0; at < 3; at += 1) void reindexMessage(database, first.key);
  database.run(forgetChanges, database.get(endsOfChanges)?.last ?? 0);
  database.run(updateMessage, first.key, 'complete', recordOf('needle again'));
  expect(found()).toEqual([first.key]);
  // The same positions with other messages.
  database.exec('DELETE FROM messages; DELETE FROM search_changes');
  store(1, 1, 'hay');
  const second = store(1, 1, 'needle');
  expect(found()).toEqual([second.key]);
});

test('SEARCH-10: a damaged index is made anew', async () => {
  const { writeFileSync } = await import('node:fs');
  const file = join(folder, 'search.db');
  joins(1, 1);
  const { key } = store(1, 1, 'needle');
  indexed(file).close();
  writeFileSync(file, 'this is no database, and never was one');
  const index = indexed(file);
  expect(searched(index, { query: 'needle', account: 1 }, 10, defaultBounds).keys).toEqual([key]);
  index.close();
});

test('SEARCH-11: the last change stays when the others are forgotten, so that no number is given twice', () => {
  const { key } = store(1, 1, 'x');
  for (let at = 0; at < 3; at += 1) void reindexMessage(database, key);
  const last = database.get(endsOfChanges)?.last ?? 0;
  database.run(forgetChanges, last);
  void reindexMessage(database, key);
  expect(database.all(changesAfter, 0, 10).map((change) => change.key)).toEqual([last, last + 1]);
});

test('SEARCH-9: messages are read by their positions alone, whatever is known of their conversations', () => {
  for (const { sql } of [searchedBetween, indexedBetween]) {
    const plan = database.all<{ detail: string }, []>({ sql: `EXPLAIN QUERY PLAN ${sql}` });
    expect(plan[0]?.detail).toBe('SEARCH m USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
  }
});

test('SEARCH-9: a common word in foreign conversations is not looked at', () => {
  joins(1, 1);
  const own = store(1, 1, 'common');
  for (let at = 0; at < 2_000; at += 1) store(2, 2, 'common');
  const index = indexed(join(folder, 'search.db'));
  // The page would end with the third message that is looked at.
  const bounds = { ...defaultBounds, lookedAt: 3 };
  expect(searched(index, { query: 'common', account: 1 }, 10, bounds)).toEqual({ keys: [own.key], pages: [1] });
  index.close();
});

test('SEARCH-9: that others use a word costs no look at a message, in however many conversations one is', () => {
  for (const own of [1, 40, 300, 1_200]) {
    database.exec('DELETE FROM messages; DELETE FROM participants');
    for (let chat = 1; chat <= own; chat += 1) joins(chat, 1);
    const foreign = own + 1;
    for (let at = 0; at < 500; at += 1) store(foreign, 2, 'secretly common');
    const mine = store(own, 1, 'common');
    const index = indexed(join(folder, `search-${own}.db`));
    const counted = new CountingConnection(join(folder, 'parley.db'));
    const lookedAt = (query: string) => {
      counted.looks = 0;
      const found = searched(index, { query, account: 1 }, 10, { ...defaultBounds, lookedAt: 3 }, () => 0, counted);
      return { ...found, looks: counted.looks };
    };
    expect([own, lookedAt('common')]).toEqual([own, { keys: [mine.key], pages: [1], looks: 1 }]);
    expect([own, lookedAt('secretly')]).toEqual([own, lookedAt('nobodysays')]);
    counted.close();
    index.close();
  }
});
