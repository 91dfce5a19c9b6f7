import { cpuMs } from '@parley/testing/clocks/linear-time.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteConnection } from './engines/sqlite.ts';
import { migrateSqlite } from './migrate.ts';
import { statement } from './sql.ts';
import { visibleBefore, visibleFrom } from './timelines.ts';

const MESSAGES = 100_000;
const PAGE = 50;
/** A chat and its member. */
const [CHAT, MEMBER] = [1, 1];
const place = [CHAT, 0, 0, MEMBER] as const;

let connection: SqliteConnection;
beforeEach(() => {
  connection = new SqliteConnection(':memory:');
  migrateSqlite(connection);
  connection.exec(
    `INSERT INTO participants (chat_key, account_key, role, joined_at) VALUES (${CHAT}, ${MEMBER}, 'member', 0);
     WITH RECURSIVE keys (key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM keys WHERE key < ${MESSAGES})
     INSERT INTO messages (key, id, chat_key, channel_key, thread_key, sender_key, status, marks, created_at, record)
       SELECT key, CAST(key AS BLOB), ${CHAT}, 0, 0, ${MEMBER}, 'complete', 0, key, '{}' FROM keys`,
  );
});
afterEach(() => connection.close());

const clearThrough = (key: number): number =>
  connection.run(statement<never, [number]>('UPDATE participants SET cleared_key = $1'), key);

/** The least processor time of several pages from or before a key. */
function timeOfPage(read: typeof visibleFrom, key: number): number {
  const times = Array.from({ length: 5 }, () => {
    const start = cpuMs();
    for (let times = 0; times < 10; times += 1) connection.all(read, ...place, key, PAGE);
    return cpuMs() - start;
  });
  return Math.min(...times);
}

test.each([
  ['from', visibleFrom],
  ['before', visibleBefore],
] as const)('HIST-12: a page %s a place takes as long, wherever it is in a long history, cleared or not', (_, read) => {
  const least = timeOfPage(read, PAGE + 1);
  const most = 4 * least + 10;
  for (const share of [0.5, 0.99]) expect(timeOfPage(read, MESSAGES * share)).toBeLessThan(most);
  clearThrough(MESSAGES - 2 * PAGE);
  for (const key of [1, MESSAGES / 2, MESSAGES - PAGE]) expect(timeOfPage(read, key)).toBeLessThan(most);
});

test('HIST-4: a page from a place begins after what the account has cleared', () => {
  const keysFrom = (key: number) => connection.all(visibleFrom, ...place, key, 2).map((row) => row.key);
  expect(keysFrom(10)).toEqual([10, 11]);
  clearThrough(10);
  expect([1, 10, 11, 12].map(keysFrom)).toEqual([
    [11, 12],
    [11, 12],
    [11, 12],
    [12, 13],
  ]);
});
