import { ManualClock } from '@parley/testing';
import { describeWithPostgres, postgresForTests, startPostgres } from '@parley/testing/servers/postgres.ts';
import { storeContract, type StoreUnderTest } from '@parley/testing/contracts/store-contract.ts';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test, vi } from 'vitest';
import { ServiceError } from '../../core/errors.ts';
import { migratePostgres, migrations, postgresDialect } from '../migrate.ts';
import { type Awaitable, statement } from '../sql.ts';
import { ConnectionLost } from './connection-lost.ts';
import { sqlState } from './postgres-errors.ts';
import { PostgresPool } from './postgres-pool.ts';
import { analyzeGrown } from './postgres-statistics.ts';
import { PostgresConnection } from './postgres.ts';
import { chatToSend, touchChat } from '../chats.ts';
import { insertMessage } from '../messages.ts';
import { growStored } from '../stored-bytes.ts';

// Every statement of the service, even if not exported, is created by this function when its file is loaded.
const texts = vi.hoisted(() => new Set<string>());
vi.mock(import('../sql.ts'), async (original) => ({
  ...(await original()),
  statement: (sql: string) => {
    texts.add(sql);
    return { sql };
  },
}));
await Promise.all([
  import('../../service/service.ts'),
  import('../../operations/index.ts'),
  import('../../units/index.ts'),
]);
const ofTheService = new Set([...texts].filter((text) => !/\bscratch\b/.test(text)));

async function open(): Promise<StoreUnderTest & { sql: PostgresConnection }> {
  const database = await (await postgresForTests()).createDatabase();
  const sql = await PostgresConnection.open({ url: database.url });
  return {
    sql,
    dialect: postgresDialect,
    async transaction(work) {
      await sql.exec('BEGIN');
      try {
        const value = await work();
        await sql.exec('COMMIT');
        return value;
      } catch (error) {
        await sql.exec('ROLLBACK');
        throw error;
      }
    },
    async close() {
      await sql.close();
      await database.drop();
    },
  };
}

describeWithPostgres('PostgreSQL', () => {
  storeContract('PostgreSQL', open, ofTheService);
});

describeWithPostgres('the PostgreSQL engine', () => {
  test('STORE-8: nodes that start simultaneously migrate once, and a failed migration is rolled back', async () => {
    const database = await (await postgresForTests()).createDatabase({ isEmpty: true });
    const connect = () => PostgresConnection.open({ url: database.url });
    const nodes = await Promise.all([connect(), connect(), connect()]);
    const [first] = nodes;
    const done = statement<{ number: number }>('SELECT number FROM migrations ORDER BY number');
    // Makes the first migration fail near its end.
    await first.exec('CREATE TABLE turns (key INTEGER)');
    await expect(migratePostgres(first)).rejects.toThrow(/turns/);
    expect(await first.all(done)).toEqual([]);
    await expect(first.exec('SELECT * FROM meta')).rejects.toThrow(/meta/);
    await first.exec('DROP TABLE turns');
    await Promise.all(nodes.map(migratePostgres));
    expect(await first.all(done)).toEqual(migrations(postgresDialect).map(({ number }) => ({ number })));
    await Promise.all(nodes.map((node) => node.close()));
    await database.drop();
  });

  test('STORE-9: texts are compared by their bytes, whatever the collation of the database', async () => {
    const { sql, close } = await open();
    const words = ['a', 'B', 'ä', 'Z', 'z', '_', '-', 'ab', 'a b', '\u{1f600}', '\uffff'];
    for (const word of words) await sql.run(statement<never, [string]>("INSERT INTO meta VALUES ($1, '')"), word);
    const sorted = await sql.all(statement<{ name: string }>('SELECT name FROM meta ORDER BY name'));
    expect(sorted.map(({ name }) => name)).toEqual(
      words.toSorted((one, another) => Buffer.compare(Buffer.from(one), Buffer.from(another))),
    );
    await close();
  });

  test('STORE-9: no parameter has a type that is too small for the integers of the service', async () => {
    const { sql, close } = await open();
    const narrow: string[] = [];
    const types = statement<{ types: string }>(
      "SELECT CAST(parameter_types AS TEXT) AS types FROM pg_prepared_statements WHERE name = 'looked_at'",
    );
    for (const text of ofTheService) {
      const places = new Set([...text.matchAll(/\$\d+/g)].map(([place]) => place));
      await sql.exec(`PREPARE looked_at AS ${text.replace(':list', `$${places.size + 1}`)}`);
      if (/\b(integer|smallint)\b/.test((await sql.get(types))?.types ?? '')) narrow.push(text);
      await sql.exec('DEALLOCATE looked_at');
    }
    expect(narrow).toEqual([]);
    await close();
  });

  test('STORE-11: a plan made for an empty table is replaced when the table has grown', async () => {
    const { sql, close } = await open();
    expect(await analyzeGrown(sql)).toEqual([]);
    const between = 'SELECT key FROM messages WHERE key >= $1 AND key <= $2 AND deleted_at IS NULL ORDER BY key';
    await sql.exec(`PREPARE page AS ${between}`);
    const plan = async () => JSON.stringify(await sql.all(statement('EXPLAIN EXECUTE page (1, 2)')));
    await plan();
    await sql.exec(
      `INSERT INTO messages (id, chat_key, channel_key, thread_key, sender_key, status, marks, created_at, record)
       SELECT decode(md5(CAST(g AS TEXT)), 'hex'), g % 100, 0, 0, 1, 'complete', 0, g, 'x' FROM generate_series(1, 5000) g;
       SELECT pg_stat_force_next_flush()`,
    );
    // The server updates its counters shortly after the commit.
    await expect.poll(() => analyzeGrown(sql)).toEqual(['messages']);
    expect(await plan()).toContain('messages_pkey');
    expect(await analyzeGrown(sql)).toEqual([]);
    await close();
  });

  test('an integer that a JavaScript number cannot represent is an error', async () => {
    const { sql, close } = await open();
    await expect(sql.get(statement('SELECT 9007199254740992 AS large'))).rejects.toThrow('9007199254740992');
    expect(await sql.get(statement('SELECT 1 AS one, 1 = 1 AS yes, 1 = 2 AS no'))).toEqual({ one: 1, yes: 1, no: 0 });
    await close();
  });

  test('statements of a transaction that are sent together are answered one by one, up to the first that fails', async () => {
    const { sql, close } = await open();
    const echo = statement<Record<'text' | 'bytes' | 'number', unknown>, [string, Uint8Array | null, number]>(
      'SELECT CAST($1 AS TEXT) AS text, CAST($2 AS BYTEA) AS bytes, CAST($3 AS BIGINT) AS number',
    );
    const put = statement<never, [string, string]>('INSERT INTO meta VALUES ($1, $2)');
    const count = statement<{ count: number }>('SELECT count(*) AS count FROM meta');
    const large = statement<{ large: number }, [string]>('SELECT CAST($1 AS BIGINT) AS large');
    const play = async (name: string) => {
      await sql.exec('BEGIN');
      const long = 'ä\u{1f600}'.repeat(40_000);
      const answers = await Promise.allSettled([
        sql.get(echo, long, new Uint8Array([0, 255, 39]), -(2 ** 53) + 1),
        sql.get(echo, '', null, 0),
        sql.run(put, name, "it's \\ \0"),
        sql.get(count),
        sql.get(large, '9007199254740992'),
        sql.run(put, name, 'again'),
        sql.get(count),
      ]);
      const tail = (async () => sql.get(count))().then(() => 'none', sqlState);
      await sql.exec('ROLLBACK');
      return [
        ...answers.map((one) => (one.status === 'fulfilled' ? one.value : (sqlState(one.reason) ?? 'own'))),
        await tail,
      ];
    };
    const first = await play('one');
    expect(first.slice(1)).toEqual([
      { text: '', bytes: null, number: 0 },
      1,
      { count: 1 },
      'own',
      '23505',
      '25P02',
      '25P02',
    ]);
    expect(first[0]).toMatchObject({ bytes: new Uint8Array([0, 255, 39]), number: -(2 ** 53) + 1 });
    // From here on each text has been prepared.
    expect(await play('two')).toEqual(first);
    expect(await play('three')).toEqual(first);
    expect(await sql.get(count)).toEqual({ count: 0 });
    await close();
  });

  test('STORE-17: a merged statement answers and stores what its single statements do', async () => {
    const { sql, close } = await open();
    await sql.exec(`INSERT INTO chats (key, id, kind, created_at, updated_at)
        VALUES (1, '\\x01', 'group', 5, 5), (2, '\\x02', 'group', 5, 9007199254740990);
      INSERT INTO participants (chat_key, account_key, role, joined_at) VALUES (1, 7, 'owner', 0), (2, 7, 'member', 0);
      INSERT INTO stored_bytes (owner_key, bytes) VALUES (7, 100);
      INSERT INTO messages (id, chat_key, channel_key, thread_key, sender_key, status, marks, created_at, client_msg_id, record)
        VALUES ('\\xff', 1, 0, 0, 7, 'complete', 0, 0, 'it''s', 'x')`);
    const one = Uint8Array.of(1);
    const ids = [one, Uint8Array.of(3), Uint8Array.of(2), one];
    const texts = ["it's", null, '\\ "{NULL}" \0', '\u{1f600}'];
    const play = async (isMerged: boolean) => {
      const each = async <Value>(calls: readonly (() => Awaitable<Value>)[]): Promise<Value[]> => {
        if (isMerged) return Promise.all(calls.map((call) => call()));
        const answers: Value[] = [];
        for (const call of calls) answers.push(await call());
        return answers;
      };
      await sql.exec('BEGIN; ALTER TABLE messages ALTER COLUMN key RESTART WITH 10');
      const read = await each(ids.map((id, at) => () => sql.get(chatToSend, id, 7, texts[at] ?? null, 7 - (at % 2))));
      await each(
        [
          [1, 6],
          [1, 2 ** 52],
          [1, -1],
          [2, 7],
        ].map(
          ([key = 0, now = 0]) =>
            () =>
              sql.run(touchChat, key, now),
        ),
      );
      await each([7, -8, 7].map((owner, at) => () => sql.run(growStored, owner, 2 ** 40 + at)));
      const made = await each(
        texts.map((text, at) => {
          const digest = text === null ? null : Uint8Array.of(0, 255);
          const id = Uint8Array.of(9, at);
          return () => sql.get(insertMessage, id, -1, 2 ** 52, 0, 7, 'complete', at, 3, text, digest, `{"${text}"}`);
        }),
      );
      const stored = [];
      for (const table of ['chats', 'stored_bytes', 'messages'])
        stored.push(await sql.all(statement(`SELECT * FROM ${table} ORDER BY 1`)));
      await sql.exec('ROLLBACK');
      return { read, made, stored };
    };
    const single = await play(false);
    expect(single.read.map((row) => row && [row.key, row.role, row.sent_key, row.stored])).toEqual([
      [1, 'owner', expect.any(Number), 100],
      undefined,
      [2, 'member', null, 100],
      [1, 'owner', null, 0],
    ]);
    expect(single.made).toEqual([10, 11, 12, 13].map((key) => ({ key })));
    // The first run may have prepared the statements.
    expect(await play(true)).toEqual(single);
    expect(await play(true)).toEqual(single);
    await close();
  });

  test('STORE-17: if a merged statement fails, it fails for each caller, and the following ones do not run', async () => {
    const { sql, close } = await open();
    const fate = async (answer: Awaitable<unknown>) => (async () => answer)().then(() => 'ran', sqlState);
    const add = (id: number) =>
      fate(sql.get(insertMessage, Uint8Array.of(id), 1, 0, 0, 1, 'complete', 0, 0, null, null, 'x'));
    await sql.exec('BEGIN');
    expect(await add(1)).toBe('ran');
    expect(await Promise.all([add(2), add(1), add(3), fate(sql.run(touchChat, 1, 1))])).toEqual([
      '23505',
      '23505',
      '23505',
      '25P02',
    ]);
    await sql.exec('ROLLBACK');
    await close();
  });

  test('STORE-17: if the connection is lost, each caller of a merged statement learns it, sent or not', async () => {
    const { sql, close } = await open();
    const add = async (id: number) =>
      sql.get(insertMessage, Uint8Array.of(id), 1, 0, 0, 1, 'complete', 0, 0, null, null, 'x');
    await sql.exec('BEGIN');
    await add(1);
    const slow = (async () => sql.get(statement("SELECT pg_sleep(60), 'yes' AS slept")))();
    const sent = [add(2), add(3)];
    await turnOfLoop();
    const calls = [slow, ...sent, add(4), add(5)];
    sql.destroy(new Error('cut'));
    for (const { status, ...rest } of await Promise.allSettled([...calls, add(6)])) {
      expect(status).toBe('rejected');
      expect(rest).toMatchObject({ reason: expect.any(ConnectionLost) });
    }
    expect(sql.pending).toBe(0);
    await close();
  });

  test('errors of PostgreSQL keep their SQLSTATE', async () => {
    const { sql, close } = await open();
    const state = async (text: string) => {
      const answer = (async () => sql.run(statement(text)))();
      return answer.then(() => 'none', sqlState);
    };
    expect(await state("INSERT INTO meta VALUES ('a', '')")).toBe('none');
    expect(await state("INSERT INTO meta VALUES ('a', '')")).toBe('23505');
    expect(await state('SELECT nonsense')).toBe('42703');
    await close();
  });
});

describeWithPostgres('reads on PostgreSQL', () => {
  const one = statement<{ one: number }, [number]>('SELECT CAST($1 AS BIGINT) AS one');

  test('STORE-6: reads cannot write', async () => {
    const database = await (await postgresForTests()).createDatabase();
    const pool = await PostgresPool.open({ url: database.url });
    await expect(pool.run(statement("INSERT INTO meta VALUES ('a', '')"))).rejects.toThrow(/read-only/);
    await pool.close();
    await expect(pool.get(one, 1)).rejects.toThrow(ServiceError);
    await database.drop();
  });

  test('STORE-10: a read from a server that does not answer fails in time, without trying every connection', async () => {
    const database = await (await postgresForTests()).createDatabase();
    const clock = new ManualClock();
    const pool = await PostgresPool.open({ url: database.url, size: 2, clock });
    await expect.poll(() => pool.connections).toBe(2);
    const asked = pool.get(statement<{ slept: string }>("SELECT pg_sleep(60), 'yes' AS slept"));
    await turnOfLoop();
    await Promise.all([expect(asked).rejects.toMatchObject({ code: 'unavailable' }), clock.advance(20_000)]);
    await pool.close();
    await database.drop();
  });

  test('STORE-10: reads fail in time while the server is down, and succeed after a short restart', async () => {
    const server = await startPostgres();
    const database = await server.createDatabase();
    const pool = await PostgresPool.open({ url: database.url, size: 2, patienceMs: 5_000 });
    const hasty = await PostgresPool.open({ url: database.url, size: 1, patienceMs: 50 });
    const slow = pool.get(statement<{ slept: string }>("SELECT pg_sleep(0.2), 'yes' AS slept"));
    await server.kill('SIGKILL');
    await expect(hasty.get(one, 1)).rejects.toMatchObject({ code: 'unavailable' });
    const waiting = pool.gather(one, [1, 2, 3]);
    await server.restart();
    expect(await waiting).toEqual([{ one: 1 }, { one: 2 }, { one: 3 }]);
    expect(await slow).toMatchObject({ slept: 'yes' });
    await Promise.all([pool.close(), hasty.close()]);
    await server.stop();
  });
});
