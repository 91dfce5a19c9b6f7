import { runsOf } from '@parley/testing/depth.ts';
import { describeWithPostgres, postgresForTests } from '@parley/testing/servers/postgres.ts';
import { searchContract } from '@parley/testing/contracts/search-contract.ts';
import {
  type IndexUnderTest,
  joins,
  recordOf,
  searched,
  type SearchUnderTest,
  storeMessage,
} from '@parley/testing/contracts/searched-messages.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newIdBytes } from '../../core/ids.ts';
import { parseQuery } from '../../rules/search-query.ts';
import { PostgresConnection } from '../../store/engines/postgres.ts';
import { insertMessage, updateMessage } from '../../store/messages.ts';
import { newestMessageKey, reindexMessage } from '../../store/search.ts';
import { defaultBounds, type SearchBounds } from './bounds.ts';
import { named } from '../../store/engines/postgres-search.ts';
import { find, partOf } from './postgres-find.ts';
import { tendOnce } from './postgres-tend.ts';
import { filesQuery, wordsQuery } from './postgres-words.ts';
import { PostgresSearch, READ_SETTINGS } from './postgres-search.ts';

async function opened() {
  const database = await (await postgresForTests()).createDatabase();
  const { url } = database;
  const [store, reader] = [
    await PostgresConnection.open({ url }),
    await PostgresConnection.open({ url, settings: READ_SETTINGS }),
  ];
  return {
    url,
    store,
    reader,
    async close() {
      await Promise.all([store.close(), reader.close()]);
      await database.drop();
    },
  };
}

/** The keys that the index finds for one word, lowest first. */
async function keysOf(reader: PostgresConnection, word: string, last: number, bounds: SearchBounds) {
  const keys: number[] = [];
  for (let part = 0; part <= partOf(last, bounds); part += 1) {
    const sql = 'SELECT message_key AS key FROM message_words WHERE words @@ $1::tsquery ORDER BY 1';
    const terms = { query: [{ terms: [word], isPrefix: false }], chatKeys: [1, 2, 3, 4], senderKey: 0, mark: 0 };
    const found = await reader.all<{ key: number }, [string]>({ sql }, wordsQuery(part, terms));
    keys.push(...found.map(({ key }) => key));
  }
  return keys;
}

async function underTest(): Promise<SearchUnderTest> {
  const { store, reader, close } = await opened();
  return {
    store,
    empty: () =>
      store.exec(
        `DELETE FROM messages; DELETE FROM participants; DELETE FROM hidden; DELETE FROM search_changes;
         DELETE FROM message_words; DELETE FROM search_extent; DELETE FROM files; DELETE FROM message_files;
         DELETE FROM file_texts; DELETE FROM file_text_changes; DELETE FROM file_words; ALTER TABLE messages ALTER COLUMN key RESTART`,
      ),
    async open(bounds) {
      // The service starts the index before the first message. An index that starts later takes up older messages later.
      if (!(await store.get(newestMessageKey))?.key) await tendOnce(store, bounds);
      const index: IndexUnderTest = {
        find: (request, given, now) => find(reader, request, given, now),
        tendOnce: () => tendOnce(store, bounds),
        keysOf: (word, last) => keysOf(reader, word, last, bounds),
        reopen: () => index,
        close: () => {},
      };
      return index;
    },
    close,
  };
}

describeWithPostgres('the search in PostgreSQL', () => {
  searchContract('PostgreSQL', underTest, { numRuns: runsOf(15) });

  let at: Awaited<ReturnType<typeof opened>>;
  const searches: PostgresSearch[] = [];
  beforeEach(async () => {
    at = await opened();
  });
  afterEach(async () => {
    await Promise.all(searches.splice(0).map((search) => search.close()));
    await at.close();
  });

  async function node(): Promise<PostgresSearch> {
    const onFault = (error: Error) => {
      throw error;
    };
    const search = await PostgresSearch.open({ url: at.url, onFault });
    searches.push(search);
    return search;
  }
  const found = async (search: PostgresSearch, query: string) =>
    (await searched(search, { query, account: 1 }, 50)).keys;

  test('SEARCH-14: a message sent or edited on one node is found on all nodes immediately, whichever node updates the index', async () => {
    await joins(at.store, 1, 1);
    const nodes = [await node(), await node()];
    const say = async (text: string) => (await storeMessage(at.store, 1, 1, text)).key;
    const first = await say('one needle');
    for (const search of nodes) expect(await found(search, 'needle')).toEqual([first]);
    await Promise.all(nodes.map((search) => search.tend()));
    const second = await say('another needle');
    for (const search of nodes) expect(await found(search, 'needle')).toEqual([second, first]);
    await at.store.run(updateMessage, first, 'complete', recordOf('hay'));
    await reindexMessage(at.store, first);
    for (const search of nodes) expect(await found(search, 'needle')).toEqual([second]);
    for (const search of nodes) expect(await found(search, 'hay')).toEqual([first]);
    await Promise.all(nodes.map((search) => search.tend()));
    for (const search of nodes) expect(await found(search, 'hay')).toEqual([first]);
  });

  test('SEARCH-10: an index with words in the forms of another version is built anew, however many nodes begin', async () => {
    await joins(at.store, 1, 1);
    const { key } = await storeMessage(at.store, 1, 1, 'needle');
    await at.store.exec(
      `INSERT INTO search_extent (id, from_key, through_key) VALUES (2, 1, ${key});
       INSERT INTO message_words (message_key, words) VALUES (${key}, '''0/1:former''')`,
    );
    const nodes = [await node(), await node()];
    for (const search of nodes) expect(await found(search, 'needle')).toEqual([key]);
    await Promise.all(nodes.map((search) => search.tend()));
    await nodes[0]?.tend();
    expect(await keysOf(at.store, 'needle', key, defaultBounds)).toEqual([key]);
    expect(await keysOf(at.store, 'former', key, defaultBounds)).toEqual([]);
    expect(await at.store.all({ sql: 'SELECT id FROM search_extent' })).toEqual([{ id: 3 }]);
  });

  test('SEARCH-14: nodes that update the index concurrently index every message exactly once', async () => {
    await joins(at.store, 1, 1);
    const nodes = [await node(), await node(), await node()];
    const keys: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const tending = nodes.map((search) => search.tend());
      for (let made = 0; made < 100; made += 1) keys.unshift((await storeMessage(at.store, 1, 1, 'needle')).key);
      await Promise.all(tending);
    }
    await nodes[0]?.tend();
    expect(await keysOf(at.store, 'needle', keys[0] ?? 0, defaultBounds)).toEqual(keys.toReversed());
  });

  test('SEARCH-14: a message whose transaction commits after those of later messages is indexed too', async () => {
    await joins(at.store, 1, 1);
    const search = await node();
    const slow = await PostgresConnection.open({ url: at.url });
    await slow.exec('BEGIN');
    const id = newIdBytes(0);
    const late = await slow.get(insertMessage, id, 1, 0, 0, 1, 'complete', 0, 0, null, null, recordOf('late needle'));
    const early = await storeMessage(at.store, 1, 1, 'early needle');
    expect(late?.key).toBeLessThan(early.key);
    const tending = search.tend();
    expect(await found(search, 'needle')).toEqual([early.key]);
    await slow.exec('COMMIT');
    await tending;
    await search.tend();
    expect(await found(search, 'needle')).toEqual([early.key, late?.key]);
    expect(await keysOf(at.store, 'needle', early.key, defaultBounds)).toEqual([late?.key, early.key]);
    await slow.close();
  });

  test('SEARCH-14: the query uses the word index, even with few messages', async () => {
    const query = parseQuery('needle "in the" hay');
    const terms = { query, chatKeys: [1, 2], senderKey: 3, mark: 256 };
    const [texts, files] = [wordsQuery(0, terms), filesQuery(0, terms)].map((text) => JSON.stringify([text]));
    const statement = { sql: `EXPLAIN ${named.sql}` };
    const plan = await at.reader.all<{ 'QUERY PLAN': string }, (string | number)[]>(
      statement,
      0,
      100,
      1,
      0,
      3,
      0,
      texts ?? '',
      128,
      files ?? '',
    );
    const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(lines).toContain('Bitmap Index Scan on message_words_words');
    expect(lines).toContain('Bitmap Index Scan on file_words_words');
    expect(lines).not.toContain('Seq Scan');
  });

  test('SEARCH-13: the limits per owner and in all also hold on PostgreSQL', async () => {
    const search = await node();
    const request = { query: parseQuery('x'), chatKey: 0, senderKey: 0, has: null, before: 100, after: 0, limit: 10 };
    const outcomeOf = (ownerKey: number) =>
      search.find({ ...request, accountKey: ownerKey, ownerKey }).then(
        () => 'found',
        (error: { code: string }) => error.code,
      );
    const ofOne = await Promise.all(Array.from({ length: 6 }, () => outcomeOf(1)));
    expect(ofOne.toSorted()).toEqual(['found', 'found', 'found', 'found', 'unavailable', 'unavailable']);
    const ofAll = await Promise.all(Array.from({ length: 160 }, (_, n) => outcomeOf(n % 80)));
    expect(ofAll.filter((outcome) => outcome === 'found')).toHaveLength(80);
    await search.close();
    expect(await outcomeOf(1)).toBe('unavailable');
  });
});
