import { constants } from 'node:sqlite';
import { expect, test } from 'vitest';
import { statement } from '../sql.ts';
import { SqliteConnection } from './sqlite.ts';

test('STORE-9: a statement is compiled once, whatever limits it runs with', () => {
  const connection = new SqliteConnection(':memory:');
  connection.exec('CREATE TABLE words (key INTEGER PRIMARY KEY, word TEXT)');
  for (let key = 1; key <= 9; key += 1)
    connection.run(statement<never, [number]>('INSERT INTO words (key) VALUES ($1)'), key);
  const newest = statement<{ key: number }, [below: number, limit: number]>(
    'SELECT key FROM words WHERE key < $1 ORDER BY key DESC LIMIT $2',
  );
  const first = statement<{ key: number }, [limit: number]>(
    'SELECT key FROM (SELECT key FROM words ORDER BY key LIMIT $1) AS w ORDER BY key DESC LIMIT 2',
  );
  // SQLite calls the authorizer when it compiles a statement, not when it runs it.
  let compiled = 0;
  connection.database.setAuthorizer(() => {
    compiled += 1;
    return constants.SQLITE_OK;
  });
  connection.all(newest, 1, 1);
  connection.all(first, 1);
  expect(compiled).toBeGreaterThan(0);
  compiled = 0;
  expect(connection.all(newest, 8, 3).map(({ key }) => key)).toEqual([7, 6, 5]);
  expect(connection.all(newest, 3, 7).map(({ key }) => key)).toEqual([2, 1]);
  expect(connection.all(first, 5).map(({ key }) => key)).toEqual([5, 4]);
  expect(compiled).toBe(0);
  connection.close();
});
