import { describeWithPostgres, postgresForTests } from '@parley/testing/servers/postgres.ts';
import { expect, test } from 'vitest';
import { PostgresConnection } from './engines/postgres.ts';
import { SqliteConnection } from './engines/sqlite.ts';
import { FORMS_ANEW } from './forms-anew.ts';
import { migratePostgres, migrateSqlite, migrations, postgresDialect, sqliteDialect } from './migrate.ts';

/** As an earlier version stored them. */
const stored = [
  `INSERT INTO accounts (key, username, kind, display_name, search_name, created_at)
   VALUES (1, 'zoe', 'human', 'Zoë Łuk', 'zoë łuk', 0), (2, 'ann', 'human', 'Ann', 'ann', 0)`,
  `INSERT INTO accounts (key, username, kind, display_name, search_name, created_at, deleted_at)
   VALUES (3, 'gone', 'human', 'Deleted account', '', 0, 1)`,
  `INSERT INTO reactions (message_key, emoji, account_key, created_at, key)
   VALUES (1, '❤', 1, 0, 1), (1, '❤\u{fe0f}', 1, 0, 2), (1, '❤', 2, 0, 3), (1, '👍', 2, 0, 4), (2, 'ok', 1, 0, 1)`,
];
const names = { sql: 'SELECT username, search_name FROM accounts WHERE key < 4 ORDER BY key' };
const reactions = {
  sql: 'SELECT message_key, emoji, account_key FROM reactions ORDER BY message_key, account_key, emoji',
};
const now = [
  [
    { username: 'zoe', search_name: 'zoe luk' },
    { username: 'ann', search_name: 'ann' },
    { username: 'gone', search_name: '' },
  ],
  [
    { message_key: 1, emoji: '❤\u{fe0f}', account_key: 1 },
    { message_key: 1, emoji: '❤\u{fe0f}', account_key: 2 },
    { message_key: 1, emoji: '👍', account_key: 2 },
    { message_key: 2, emoji: 'ok', account_key: 1 },
  ],
];

test('ACCT-6, REACT-7: an upgrade writes stored names and emoji in the form in which they are compared, on SQLite', () => {
  const connection = new SqliteConnection(':memory:');
  for (const { number, sql } of migrations(sqliteDialect)) if (number < FORMS_ANEW) connection.exec(sql);
  for (const sql of stored) connection.exec(sql);
  connection.exec(`PRAGMA user_version = ${FORMS_ANEW - 1}`);
  migrateSqlite(connection);
  expect([connection.all(names), connection.all(reactions)]).toEqual(now);
  connection.close();
});

describeWithPostgres('on PostgreSQL', () => {
  test('ACCT-6, REACT-7: an upgrade writes names and emoji in the form in which they are compared', async () => {
    const database = await (await postgresForTests()).createDatabase();
    const connection = await PostgresConnection.open({ url: database.url });
    // The database is up to date: its template was.
    const empty = 'DROP SCHEMA public CASCADE; CREATE SCHEMA public';
    await connection.exec(`${empty}; CREATE TABLE migrations (number INTEGER PRIMARY KEY)`);
    for (const { number, sql } of migrations(postgresDialect))
      if (number < FORMS_ANEW) await connection.exec(`${sql};\nINSERT INTO migrations (number) VALUES (${number})`);
    for (const sql of stored) await connection.exec(sql);
    await migratePostgres(connection);
    expect([await connection.all(names), await connection.all(reactions)]).toEqual(now);
    await connection.close();
    await database.drop();
  });
});
