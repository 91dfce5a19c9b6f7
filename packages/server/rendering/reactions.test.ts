import { expect, test } from 'vitest';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import { noAccountTexts } from './account-texts.ts';
import { messageJson } from './messages.ts';
import { mark, type ShownRow } from '../store/messages.ts';
import { migrateSqlite } from '../store/migrate.ts';
import type { SqlValue, Statement } from '../store/sql.ts';

class CountingConnection extends SqliteConnection {
  rows = 0;
  override all<Row, Params extends readonly SqlValue[]>(what: Statement<Row, Params>, ...params: Params) {
    const found = super.all(what, ...params);
    this.rows += found.length;
    return found;
  }
}

const row: ShownRow = {
  key: 1,
  sender_key: 1,
  status: 'complete',
  marks: mark.reactions,
  deleted_at: null,
  record: '{"id":"1"}',
};

test('MSG-15: with very many reactions, only the reactors that are shown are read, in the order in which they reacted', async () => {
  using store = Object.assign(new CountingConnection(':memory:'), {
    [Symbol.dispose]() {
      store.close();
    },
  });
  migrateSqlite(store);
  store.exec('BEGIN');
  for (let key = 1; key <= 200; key += 1) {
    store.run(
      {
        sql: `INSERT INTO accounts (key, username, kind, display_name, search_name, created_at)
              VALUES ($1, $2, 'human', $2, $2, 0)`,
      },
      key,
      `p${key}`,
    );
  }
  let place = 0;
  const react = (emoji: string, account: number) => {
    place += 1;
    store.run(
      { sql: 'INSERT INTO reactions (message_key, emoji, account_key, created_at, key) VALUES (1, $1, $2, 0, $3)' },
      emoji,
      account,
      place,
    );
  };
  // The emoji that sorts last, and the accounts with the highest keys, react first.
  for (let account = 200; account > 0; account -= 1) react('z', account);
  react('a', 7);
  const { reactions } = JSON.parse((await messageJson({ tx: store, accounts: noAccountTexts }, row)).text) as {
    reactions: { emoji: string; count: number; reactors: { username: string }[] }[];
  };
  expect(reactions.map(({ emoji, count }) => [emoji, count])).toEqual([
    ['z', 200],
    ['a', 1],
  ]);
  expect(reactions[0]?.reactors.map(({ username }) => username)).toEqual(
    Array.from({ length: 50 }, (_, at) => `p${200 - at}`),
  );
  expect(reactions[1]?.reactors).toEqual([{ username: 'p7', kind: 'human', display_name: 'p7' }]);
  // The first statement finds out whether there are more reactions than are shown.
  expect(store.rows).toBe(51 + 2 + 51);
});
