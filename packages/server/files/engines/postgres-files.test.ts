import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileStorageContract } from '@parley/testing/contracts/file-storage-contract.ts';
import { describeWithPostgres, postgresForTests } from '@parley/testing/servers/postgres.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PostgresConnection } from '../../store/engines/postgres.ts';
import { ReopeningConnection } from '../../store/engines/postgres-reopening.ts';
import type { Sql, Statement } from '../../store/sql.ts';
import { PostgresStorage } from './postgres-files.ts';

async function opened() {
  const database = await (await postgresForTests()).createDatabase();
  const store = await PostgresConnection.open({ url: database.url });
  return {
    url: database.url,
    store,
    async close() {
      await store.close();
      await database.drop();
    },
  };
}

const storageOn = (store: Sql) => new PostgresStorage({ read: store, write: async () => store });

describeWithPostgres('files in PostgreSQL', () => {
  fileStorageContract('PostgreSQL', async () => {
    const { url, close } = await opened();
    const own = await PostgresStorage.open({ url });
    return {
      storage: own.storage,
      async close() {
        await own.close();
        await close();
      },
    };
  });

  const NAME = '019b75d0-0000-7000-8000-000000000001';
  const MIB = 1024 * 1024;
  let at: Awaited<ReturnType<typeof opened>>;
  let local: string;
  let folder: string;
  beforeEach(async () => {
    at = await opened();
    folder = mkdtempSync(join(tmpdir(), 'parley-local-'));
    local = join(folder, 'local');
  });
  afterEach(async () => {
    await at.close();
    rmSync(folder, { recursive: true });
  });

  /** Counts the statements that begin with a word; `before` runs before each of them. */
  function watched(
    word: string,
    { before = async (_count: number): Promise<void> => {}, onto = async () => at.store } = {},
  ) {
    const seen = { count: 0 };
    const watch = async ({ sql }: Statement) => {
      if (!sql.startsWith(word)) return;
      seen.count += 1;
      await before(seen.count);
    };
    const over = (store: Sql): Sql => ({
      gather: (...asked) => store.gather(...asked),
      list: (...asked) => store.list(...asked),
      all: (...asked) => store.all(...asked),
      async get(statement, ...params) {
        await watch(statement);
        return store.get(statement, ...params);
      },
      async run(statement, ...params) {
        await watch(statement);
        return store.run(statement, ...params);
      },
    });
    const storage = new PostgresStorage({ read: over(at.store), write: async () => over(await onto()) });
    return Object.assign(seen, { storage });
  }
  const failAt = (which: number) => async (count: number) => {
    if (count === which) throw new Error('cut off');
  };
  const chunks = async () =>
    (await at.store.get<{ n: number }, []>({ sql: 'SELECT count(*) AS n FROM file_chunks' }))?.n;

  test('FILE-17: reading a range returns its bytes, and reads no more than the range', async () => {
    const bytes = randomBytes(3 * MIB + 12_345);
    writeFileSync(local, bytes);
    await storageOn(at.store).keep(NAME, local);
    const edge = 512 * 1024;
    for (const [first, last, most] of [
      [0, bytes.length - 1, 14],
      [edge - 1, edge, 2],
      [2 * edge, 2 * edge, 1],
      [edge + 5, 3 * edge + 7, 6],
      [bytes.length - 1, bytes.length - 1, 1],
      [bytes.length - 3, bytes.length + 50, 1],
    ] as const) {
      const reading = watched('SELECT substring');
      const stream = await reading.storage.read(NAME, { first, last });
      expect(stream && bytes.subarray(first, last + 1).equals(await buffer(stream))).toBe(true);
      expect(reading.count).toBeLessThanOrEqual(most);
    }
  });

  test('FILE-17: a reader that stops reading keeps little of the file in memory', async () => {
    writeFileSync(local, randomBytes(4 * MIB));
    const reading = watched('SELECT substring');
    await reading.storage.keep(NAME, local);
    const stream = await reading.storage.read(NAME);
    const iterator = stream?.[Symbol.asyncIterator]();
    await iterator?.next();
    await chunks();
    expect(reading.count).toBeLessThanOrEqual(3);
    stream?.destroy();
  });

  test('FILE-17: a file exists only once it is complete, and an aborted upload leaves nothing', async () => {
    writeFileSync(local, randomBytes(3 * MIB));
    const writing = watched('INSERT INTO file_chunks', { before: failAt(4) });
    const outcome = writing.storage.keep(NAME, local);
    await expect(outcome).rejects.toThrow('cut off');
    expect(await chunks()).toBe(0);
    expect(existsSync(local)).toBe(true);
    const ending = watched('INSERT INTO stored_files', { before: failAt(1) });
    await expect(ending.storage.keep(NAME, local)).rejects.toThrow('cut off');
    expect(await chunks()).toBe(0);
  });

  test('FILE-17: a lost connection aborts the upload, and the next upload gets a new connection', async () => {
    writeFileSync(local, randomBytes(3 * MIB));
    const seat = new ReopeningConnection({ url: at.url });
    const others = 'pid <> pg_backend_pid() AND datname = current_database()';
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`;
    const writing = watched('INSERT INTO file_chunks', {
      onto: () => seat.get(),
      before: async (count) => (count === 3 ? at.store.exec(cut) : undefined),
    });
    await expect(writing.storage.keep(NAME, local)).rejects.toThrow('lost');
    expect(await writing.storage.read(NAME)).toBeUndefined();
    expect(await chunks()).toBe(0);
    await writing.storage.keep(NAME, local);
    expect(await chunks()).toBe(6);
    await seat.close();
    await expect(seat.get()).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('FILE-17: bytes that a dead node left are not visible, and can be removed by their name', async () => {
    const storage = storageOn(at.store);
    await at.store.exec(
      `INSERT INTO file_chunks (name, at, bytes) SELECT '${NAME}', n * 524288, 'x' FROM generate_series(0, 99) n`,
    );
    expect(await storage.read(NAME)).toBeUndefined();
    expect(await Array.fromAsync(storage.list())).toEqual([]);
    await storage.remove(NAME);
    expect(await chunks()).toBe(0);
  });

  test('FILE-17: reading a file that is removed meanwhile fails, and never returns other bytes', async () => {
    writeFileSync(local, randomBytes(4 * MIB));
    const storage = storageOn(at.store);
    await storage.keep(NAME, local);
    const stream = await storage.read(NAME);
    await storage.remove(NAME);
    await expect(stream && buffer(stream)).rejects.toThrow('were removed');
  });
});
