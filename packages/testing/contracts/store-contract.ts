import { runsOf } from '../depth.ts';
import type { Dialect } from '@parley/server/store/migrate.ts';
import { type Awaitable, type Sql, type SqlValue, statement, type Statement } from '@parley/server/store/sql.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

export interface StoreUnderTest {
  /** The writing side, with migrations applied. */
  sql: Sql;
  dialect: Dialect;
  /** Runs the work in a transaction; rolls back if it throws. */
  transaction<Value>(work: () => Awaitable<Value>): Promise<Value>;
  close(): Promise<void>;
}

interface Row {
  key: number;
  number: number | null;
  bytes: Uint8Array | null;
  words: string | null;
}

const columns = 'key, number, bytes, words';
const insert = statement<Row, [number: number | null, bytes: Uint8Array | null, words: string | null]>(
  `INSERT INTO scratch (number, bytes, words) VALUES ($1, $2, $3) RETURNING ${columns}`,
);
const byKey = statement<Row, [key: number]>(`SELECT ${columns} FROM scratch WHERE key = $1`);
const everything = statement<Row>(`SELECT ${columns} FROM scratch ORDER BY key`);
const byNumbers = statement<Row, [least: number]>(
  `SELECT ${columns} FROM scratch WHERE number >= $1 AND number IN (:list)`,
);
const byWords = statement<Row>(`SELECT ${columns} FROM scratch WHERE words IN (:list)`);

const LARGEST = Number.MAX_SAFE_INTEGER;

/**
 * The behaviour that all engines of the Sql port share. `texts`: all statements of the service; every engine must
 * accept each of them.
 */
export function storeContract(name: string, open: () => Promise<StoreUnderTest>, texts: ReadonlySet<string>): void {
  describe(`${name} as a store`, () => {
    let store: StoreUnderTest;
    let sql: Sql;

    beforeEach(async () => {
      store = await open();
      ({ sql } = store);
      const { key, int, blob } = store.dialect;
      await sql.run(statement(`CREATE TABLE scratch (key ${key}, number ${int}, bytes ${blob}, words TEXT UNIQUE)`));
    });
    afterEach(() => store.close());

    const put = async (
      number: number | null,
      words: string | null = null,
      bytes: Uint8Array | null = null,
    ): Promise<Row> => {
      const row = await sql.get(insert, number, bytes, words);
      if (!row) throw new Error('INSERT … RETURNING returned no row');
      return row;
    };

    test('get returns one row or undefined, all returns all rows in order, run returns the number of changes', async () => {
      expect(await sql.get(byKey, 1)).toBeUndefined();
      expect(await sql.all(everything)).toEqual([]);
      const rows = [await put(1), await put(2), await put(3)];
      expect(await sql.get(byKey, rows[1]?.key ?? 0)).toEqual(rows[1]);
      expect(await sql.all(everything)).toEqual(rows);
      expect(await sql.run(statement<never, [number]>('UPDATE scratch SET words = NULL WHERE number > $1'), 1)).toBe(2);
      expect(await sql.run(statement<never, [number]>('DELETE FROM scratch WHERE number > $1'), 3)).toBe(0);
    });

    test('parameters are matched by number, in any order and used any number of times', async () => {
      const row = await put(5, 'five');
      const text = statement<Row, [number, string]>(
        `SELECT ${columns} FROM scratch WHERE words = $2 AND number = $1 AND number <= $1`,
      );
      expect(await sql.get(text, 5, 'five')).toEqual(row);
      expect(await sql.get(text, 6, 'five')).toBeUndefined();
    });

    test('SQL within a value is not executed', async () => {
      for (const words of ["'; DROP TABLE scratch; --", '$1', '?1', ':list', '"', '\\', '%', ''])
        expect((await put(null, words)).words).toBe(words);
    });

    test('null stays null', async () => {
      const row = await put(null);
      expect(row).toMatchObject({ number: null, bytes: null, words: null });
      expect(await sql.get(byKey, row.key)).toEqual(row);
    });

    test.each([0, 1, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 40, LARGEST, -LARGEST])(
      'the integer %d is stored unchanged',
      async (number) => {
        const row = await put(number);
        expect((await sql.get(byKey, row.key))?.number).toBe(number);
      },
    );

    test.each([0, 1, 16, 4_096, 1_048_576])('a blob of %d bytes is stored unchanged', async (size) => {
      const bytes = Uint8Array.from({ length: size }, (_, at) => at % 256);
      const row = await put(null, null, bytes);
      const kept = (await sql.get(byKey, row.key))?.bytes;
      expect(kept).toBeInstanceOf(Uint8Array);
      expect(Buffer.compare(kept ?? Buffer.from('x'), bytes)).toBe(0);
    });

    test('any well-formed text without NUL is stored unchanged', async () => {
      const text = fc
        .string({ unit: 'binary', maxLength: 64 })
        .map((value) => value.replaceAll('\0', '').toWellFormed());
      const keepsIt = fc.asyncProperty(text, async (words) => {
        await sql.run(statement('DELETE FROM scratch'));
        const { key } = await put(null, words);
        expect((await sql.get(byKey, key))?.words).toBe(words);
      });
      const examples: [string][] = [['👩‍👩‍👧‍👦'], ['\u{10ffff}\ufffe\uffff'], ['ﷺ'], ['a\u0301'], ['\ufeff']];
      await store.transaction(() => fc.assert(keepsIt, { numRuns: runsOf(500), examples }));
    });

    test('text with NUL or an unpaired surrogate can be queried, and is not found', async () => {
      await put(1, 'ab');
      for (const words of ['ab\0', 'a\0b', '\0', 'ab\ud83d', '\udc00'])
        expect(await sql.list(byWords, [words])).toEqual([]);
    });

    test('INSERT, UPDATE and DELETE return rows', async () => {
      const { key } = await put(1, 'a');
      const update = statement<Row, [number, number]>(
        `UPDATE scratch SET number = $2 WHERE key = $1 RETURNING ${columns}`,
      );
      expect(await sql.get(update, key, 2)).toMatchObject({ key, number: 2, words: 'a' });
      const remove = statement<Row, [number]>(`DELETE FROM scratch WHERE key = $1 RETURNING ${columns}`);
      expect(await sql.all(remove, key)).toEqual([{ key, number: 2, words: 'a', bytes: null }]);
      expect(await sql.get(byKey, key)).toBeUndefined();
    });

    test('ON CONFLICT DO NOTHING returns no row, DO UPDATE the changed one', async () => {
      const { key } = await put(1, 'same');
      const text = 'INSERT INTO scratch (number, words) VALUES ($1, $2) ON CONFLICT (words)';
      const nothing = statement<Row, [number, string]>(`${text} DO NOTHING RETURNING ${columns}`);
      expect(await sql.get(nothing, 2, 'same')).toBeUndefined();
      expect(await sql.run(statement<never, [number, string]>(`${text} DO NOTHING`), 2, 'same')).toBe(0);
      const update = statement<Row, [number, string]>(
        `${text} DO UPDATE SET number = scratch.number + excluded.number RETURNING ${columns}`,
      );
      expect(await sql.get(update, 2, 'same')).toMatchObject({ key, number: 3 });
    });

    test('row values, common table expressions and window functions work', async () => {
      for (const number of [3, 1, 2]) await put(number);
      const page = statement<{ number: number; place: number }, [number, number]>(
        `WITH few AS (SELECT key, number FROM scratch WHERE (number, key) > ($1, $2))
         SELECT number, row_number() OVER (ORDER BY number DESC) AS place FROM few ORDER BY number`,
      );
      expect(await sql.all(page, 1, LARGEST)).toEqual([
        { number: 2, place: 2 },
        { number: 3, place: 1 },
      ]);
    });

    test.each([0, 1, 3, 64, 65, 300, 1_000])('a list of %d values finds exactly its rows', async (count) => {
      await store.transaction(async () => {
        for (let number = 0; number < count + 20; number += 1) await put(number, `w${number}`);
      });
      const wanted = Array.from({ length: count }, (_, at) => at + 10);
      const found = (rows: Row[]) => rows.map(({ number }) => number).toSorted((a, b) => Number(a) - Number(b));
      expect(found(await sql.list(byNumbers, wanted, 0))).toEqual(wanted);
      expect(found(await sql.list(byNumbers, wanted, 12))).toEqual(wanted.filter((number) => number >= 12));
      expect(
        found(
          await sql.list(
            byWords,
            wanted.map((number) => `w${number}`),
          ),
        ),
      ).toEqual(wanted);
    });

    test('a statement can be reused with other values', async () => {
      await store.transaction(async () => {
        for (let number = 0; number < 2_000; number += 1) await put(number);
      });
      const rows = await sql.all(everything);
      for (const { key, number } of rows) expect((await sql.get(byKey, key))?.number).toBe(number);
    });

    test('STORE-9: a row has each column of its statement, whatever its name, however often the statement has run', async () => {
      const newest = statement<{ count: number; at: number | null }>(
        'SELECT count(*) AS count, max(number) AS at FROM scratch',
      );
      await store.transaction(async () => {
        for (const number of [1, 2, 3]) {
          await put(number);
          expect(await sql.get(newest)).toEqual({ count: number, at: number });
        }
      });
    });

    test('a transaction is stored completely or not at all', async () => {
      const kept = await store.transaction(() => put(1));
      await expect(
        store.transaction(async () => {
          await put(2);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await sql.all(everything)).toEqual([kept]);
    });

    test('a failing statement throws, and the next one works', async () => {
      await put(1, 'same');
      await expect(put(2, 'same')).rejects.toThrow();
      await expect((async () => sql.all(statement('SELECT nonsense FROM nowhere')))()).rejects.toThrow();
      expect(await sql.all(everything)).toHaveLength(1);
    });
  });

  describe(`${name} accepts each statement of the service`, () => {
    let store: StoreUnderTest;
    beforeAll(async () => void (store = await open()));
    afterAll(() => store.close());

    test.each([...texts].map((text) => [text.replaceAll(/\s+/g, ' ').trim(), text]))('%s', async (_title, text) => {
      const numbers = new Set([...text.matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits)));
      expect(
        [...numbers].toSorted((a, b) => a - b),
        'parameters are numbered without gaps',
      ).toEqual([...numbers].map((_, at) => at + 1));
      const nulls = Array<SqlValue>(numbers.size).fill(null);
      const explain: Statement = { sql: `EXPLAIN ${text}` };
      if (text.includes(':list')) await store.sql.list(explain, [null], ...nulls);
      else await store.sql.all(explain, ...nulls);
      expect(foreign.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])).toEqual([]);
    });
  });
}

/** Keywords that only one of the engines knows. */
const foreign = [
  /\bINSERT OR\b/i,
  /\b_?rowid\b/i,
  /\bjson_\w+|->>?/i,
  /\bGLOB\b/i,
  /\b(strftime|datetime|julianday|ifnull|iif|total|group_concat|hex|changes|random)\s*\(/i,
  /\bLIMIT\s+-1\b/i,
  /==/,
  /::/,
  /\b(ILIKE|SIMILAR|ANY|ARRAY|GREATEST|LEAST|true|false)\b/,
];
