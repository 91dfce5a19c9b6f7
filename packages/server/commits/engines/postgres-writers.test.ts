import { Grants, UnitsOnPostgres } from '@parley/testing/servers/postgres-units.ts';
import { describeWithPostgres } from '@parley/testing/servers/postgres.ts';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../core/clock.ts';
import { forbidden } from '../../core/errors.ts';
import { chatScope } from '../../core/event-kinds.ts';
import { theService } from '../../calls/unit-queue.ts';
import type { UnitRequest } from '../unit-runner.ts';
import { statement } from '../../store/sql.ts';
import { appending, chat, named } from '../lock-names.ts';
import { PostgresConnection } from '../../store/engines/postgres.ts';
import type { UnitHandler } from '../unit-context.ts';
import type { Need } from '../unit-locks.ts';

interface Work {
  name: string;
  locks: readonly string[] | 'all';
  /** A conversation at whose end the unit adds something. */
  appendsTo?: string;
  /** A conversation that no other unit may change. */
  whole?: string;
  fails?: boolean;
  /** The unit waits for the units before it. */
  isInTurn?: boolean;
  /** Rows that the unit writes, one after another. */
  rows?: readonly string[];
  /** A row whose write the unit does not await. */
  leaves?: string;
  /** A statement that the unit awaits. */
  sql?: string;
}

const begun: string[] = [];
const ended: string[] = [];
const put = statement<never, [name: string]>(
  "INSERT INTO meta (name, value) VALUES ($1, '1') ON CONFLICT (name) DO UPDATE SET value = meta.value || '1'",
);
const written = statement<{ name: string }>(
  "SELECT name FROM meta WHERE value = '1' AND name ~ '^[0-9a]' ORDER BY ctid",
);
const rowOf = statement<{ value: string }, [name: string]>('SELECT value FROM meta WHERE name = $1');

const handlers: ReadonlyMap<string, UnitHandler> = new Map([
  [
    'work',
    async (call, input) => {
      const { name, rows = [], sql, fails, isInTurn, leaves } = input as Work; // as these tests post it
      begun.push(name);
      if (sql !== undefined) await call.tx.all(statement(sql));
      if (isInTurn) await call.inTurn();
      if (fails) throw forbidden('as the test wants');
      for (const row of rows) await call.tx.run(put, row);
      if (leaves !== undefined) Promise.resolve(call.tx.run(put, leaves)).catch(() => {});
      call.emit({ scope: chatScope(1), kind: 'messagePinned', params: { name } });
      ended.push(name);
      return { name };
    },
  ],
]);
const needs = ({ input }: UnitRequest): readonly Need[] | 'all' => {
  const { locks, appendsTo, whole } = input as Work; // as above
  if (locks === 'all') return locks;
  const appended = appendsTo === undefined ? [] : [appending(chat(appendsTo))];
  return [...locks.map((lock) => named(lock)), ...appended, ...(whole === undefined ? [] : [chat(whole)])];
};

let node: UnitsOnPostgres;
let lastId = 0;

const request = (input: Work): UnitRequest => {
  lastId += 1;
  return { id: lastId, name: 'work', caller: theService, input, now: 1_000 };
};
const work = (input: Work) => node.outcome(request(input));
/** A lock that the test holds: units that request it wait. */
const GATE = 4_711;
const atGate = `SELECT 1 FROM (SELECT pg_advisory_xact_lock(${GATE})) AS gate`;
const closeGate = () => node.read.exec(`SELECT pg_advisory_lock(${GATE})`);
const openGate = () => node.read.exec(`SELECT pg_advisory_unlock(${GATE})`);
const waiting = statement<{ count: number }>(
  `SELECT count(*) AS count FROM pg_locks l JOIN pg_database d ON d.oid = l.database
   WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()`,
);
/** Resolves when at least `count` connections wait for a lock. */
async function waiters(count = 1): Promise<void> {
  while (((await node.read.get(waiting))?.count ?? 0) < count);
}
/** The system clock; while `isFast`, it runs a hundred times as fast. */
function hundredfold(isFast: () => boolean): Clock {
  let fastSince: number | undefined;
  const ahead = (): number => {
    if (!isFast()) return 0;
    fastSince ??= performance.now();
    return (performance.now() - fastSince) * 99;
  };
  return {
    now: () => Date.now() + ahead(),
    monotonic: () => performance.now() + ahead(),
    setTimer: (callback, ms) => systemClock.setTimer(callback, isFast() ? ms / 100 : ms),
  };
}
const terminate = statement<{ pid: number }>(
  `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
   WHERE datname = current_database() AND application_name = 'units'`,
);
/** Ends all connections of the node. Resolves when the node has noticed each end: PostgreSQL ends them one by one. */
async function endConnections(): Promise<void> {
  const noticed = node.faults.length;
  const ended = await node.read.all(terminate);
  await expect.poll(() => node.faults.length - noticed).toBeGreaterThanOrEqual(ended.length);
}

describeWithPostgres('concurrent batches of units', () => {
  beforeEach(async () => {
    begun.length = 0;
    ended.length = 0;
    node = await UnitsOnPostgres.open(handlers, { needs });
  });
  afterEach(() => node.close());

  test('CLUSTER-31: units that share no lock run concurrently, in one batch and in several', async () => {
    await closeGate();
    const slow = work({ name: 'slow', locks: ['a'], sql: atGate });
    await waiters();
    expect(await work({ name: 'quick', locks: ['b'] })).toMatchObject({ ok: true });
    await openGate();
    expect(await slow).toMatchObject({ ok: true });
    const rows = ['1', '2', '3'];
    await Promise.all([work({ name: 'one', locks: ['a'], rows }), work({ name: 'other', locks: ['b'], rows: ['4'] })]);
    expect(begun).toEqual(['slow', 'quick', 'one', 'other']);
    expect(ended).toEqual(['quick', 'slow', 'other', 'one']);
  });

  test('CLUSTER-31: units that share a lock run in order, also in different batches', async () => {
    await closeGate();
    const first = work({ name: '1', locks: ['a'], sql: atGate });
    await waiters();
    const later = ['2', '3', '4'].map((name) => work({ name, locks: ['a', name] }));
    await work({ name: 'aside', locks: ['b'] });
    expect(begun).toEqual(['1', 'aside']);
    await openGate();
    await Promise.all([first, ...later]);
    expect(ended).toEqual(['aside', '1', '2', '3', '4']);
  });

  test('CLUSTER-52: units that append to one conversation read at the same time and write in order', async () => {
    const appends = (name: string, more: Partial<Work> = {}) => work({ name, locks: [], appendsTo: 'a', ...more });
    await Promise.all([
      appends('1', { sql: 'SELECT 1', rows: ['1a', '1b', '1c', '1d'] }),
      appends('2', { fails: true }),
      appends('3', { rows: ['3a', '3b'] }),
      work({ name: 'aside', locks: [], rows: ['aside'] }),
    ]);
    expect(begun).toEqual(['1', '2', '3', 'aside']);
    expect(ended).toEqual(['aside', '3', '1']);
    expect((await node.read.all(written)).map(({ name }) => name)).toEqual([
      'aside',
      '1a',
      '3a',
      '1b',
      '3b',
      '1c',
      '1d',
    ]);
  });

  test('CLUSTER-52: a unit that awaits its turn reads what the units before it have written', async () => {
    const appends = (name: string, more: Partial<Work>) => work({ name, locks: [], appendsTo: 'a', ...more });
    await Promise.all([
      appends('1', { rows: ['1a', '1b', '1c', '1d'] }),
      appends('2', { isInTurn: true, rows: ['2a'] }),
      appends('3', { rows: ['3a'] }),
    ]);
    expect(begun).toEqual(['1', '2', '3']);
    expect(ended).toEqual(['1', '2', '3']);
    expect((await node.read.all(written)).map(({ name }) => name)).toEqual(['1a', '1b', '1c', '1d', '2a', '3a']);
  });

  test('CLUSTER-52: a unit that needs the whole conversation waits for those that append, and they wait for it', async () => {
    await Promise.all([
      work({ name: '1', locks: [], appendsTo: 'a', rows: ['1a', '1b'] }),
      work({ name: '2', locks: [], appendsTo: 'a', rows: ['2a', '2b', '2c'] }),
      work({ name: 'whole', locks: [], whole: 'a', rows: ['whole'] }),
      work({ name: '3', locks: [], appendsTo: 'a', rows: ['3a'] }),
    ]);
    expect(begun).toEqual(['1', '2', 'whole', '3']);
    expect(ended).toEqual(['1', '2', 'whole', '3']);
  });

  test('STORE-5: a write that still waits for its turn when its unit ends is never executed', async () => {
    await closeGate();
    const reading = work({ name: 'reading', locks: [], appendsTo: 'a', sql: atGate });
    const leaving = work({ name: 'leaving', locks: [], appendsTo: 'a', leaves: 'late' });
    await waiters();
    await openGate();
    expect(await Promise.all([reading, leaving])).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await work({ name: 'next', locks: [], appendsTo: 'a' })).toMatchObject({ ok: true });
    expect(await node.read.get(rowOf, 'late')).toBeUndefined();
  });

  test('CLUSTER-30: a node waits for another node’s lock, and then sees that node’s writes', async () => {
    const other = await UnitsOnPostgres.open(handlers, { needs }, node.database);
    await closeGate();
    const first = work({ name: 'here', locks: ['a'], sql: atGate, rows: ['row'] });
    await waiters();
    const second = other.outcome(request({ name: 'there', locks: ['a'], rows: ['row'] }));
    await waiters(2);
    await other.outcome(request({ name: 'aside', locks: ['b'] }));
    expect(begun).toEqual(['here', 'aside']);
    await openGate();
    await Promise.all([first, second]);
    expect((await node.read.get(rowOf, 'row'))?.value).toBe('11');
    await other.units.close();
    await other.read.close();
  });

  test('CLUSTER-30: while a unit with the lock `everything` runs, no other unit runs on any node', async () => {
    const other = await UnitsOnPostgres.open(handlers, { needs }, node.database);
    await closeGate();
    const all = work({ name: 'all', locks: 'all', sql: atGate });
    await waiters();
    const rest = [work({ name: 'here', locks: ['a'] }), other.outcome(request({ name: 'there', locks: ['b'] }))];
    await waiters(2);
    expect(begun).toEqual(['all']);
    await openGate();
    await Promise.all([all, ...rest]);
    expect(ended[0]).toBe('all');
    await other.units.close();
    await other.read.close();
  });

  test('CLUSTER-32: two batches that deadlock are both committed in the end', async () => {
    await node.read.exec("INSERT INTO meta (name, value) VALUES ('a', ''), ('b', '')");
    await closeGate();
    const gated =
      "SELECT 1 FROM (SELECT value FROM meta WHERE name = '%' FOR UPDATE) AS row, pg_advisory_xact_lock_shared(4711)";
    const one = work({ name: 'one', locks: ['1'], sql: gated.replace('%', 'a'), rows: ['b'] });
    await waiters(1);
    const other = work({ name: 'other', locks: ['2'], sql: gated.replace('%', 'b'), rows: ['a'] });
    await waiters(2);
    await openGate();
    expect(await Promise.all([one, other])).toMatchObject([{ ok: true }, { ok: true }]);
    expect((await node.read.get(rowOf, 'a'))?.value).toBe('1');
    expect((await node.read.get(rowOf, 'b'))?.value).toBe('1');
  });

  test('CLUSTER-32: a batch whose connection is lost before COMMIT answers unavailable and stores nothing; the next succeeds', async () => {
    await closeGate();
    const cut = work({ name: 'cut', locks: ['a'], rows: ['cut'], sql: atGate });
    await waiters();
    await endConnections();
    expect(await cut).toMatchObject({ ok: false, code: 'unavailable' });
    await openGate();
    expect(await node.read.get(rowOf, 'cut')).toBeUndefined();
    expect(await work({ name: 'next', locks: ['a'] })).toMatchObject({ ok: true });
  });

  test.each([
    'committed',
    'lost',
    'lost, and its number given out again',
    'lost, and its number still to be given out',
  ] as const)(
    'CLUSTER-32, STORE-7: the answer to a batch whose connection ends during COMMIT says whether it is stored: %s',
    async (fate) => {
      // The connection is cut without an answer to COMMIT, before or after the server received it.
      const inTheFuture = "SELECT pg_xact_status('999999999999') AS fate";
      let isCut = false;
      await node.units.close();
      await node.start({
        needs,
        writers: 1,
        connect: async () => {
          const connection = await PostgresConnection.open({ url: node.database.url, name: 'units' });
          const exec = connection.exec.bind(connection);
          const get = connection.get.bind(connection);
          connection.get = async (statement, ...params) => {
            if (!statement.sql.includes('pg_xact_status')) return get(statement, ...params);
            // After a crash the server has reused the transaction id, or has not yet assigned it again.
            if (fate === 'lost, and its number given out again') return get({ sql: "SELECT 'committed' AS fate" });
            if (fate === 'lost, and its number still to be given out') return get({ sql: inTheFuture });
            return get(statement, ...params);
          };
          connection.exec = async (sql) => {
            if (sql !== 'COMMIT' || isCut || begun.length === 0) return exec(sql);
            isCut = true;
            await exec(fate === 'committed' ? sql : 'ROLLBACK');
            connection.destroy(new Error('cut'));
            throw connection.lost ?? new Error('not lost');
          };
          return connection;
        },
      });
      const before = await node.read.get<{ seq: number }, []>({ sql: 'SELECT seq FROM log_head' });
      const batch = node.nextBatch();
      const outcome = await work({ name: 'cut', locks: ['a'], rows: ['cut'] });
      expect(outcome).toMatchObject(fate === 'committed' ? { ok: true } : { ok: false, code: 'unavailable' });
      expect((await node.read.get(rowOf, 'cut'))?.value).toBe(fate === 'committed' ? '1' : undefined);
      if (fate === 'committed') {
        const { seq } = (await node.read.get<{ seq: number }, []>({ sql: 'SELECT max(seq) AS seq FROM events' })) ?? {};
        expect(seq).toBeGreaterThan(before?.seq ?? 0);
        expect(await batch).toMatchObject({ lastSeq: seq, firstGranted: seq });
      }
      expect(await work({ name: 'next', locks: ['a'] })).toMatchObject({ ok: true });
    },
  );

  test('CLUSTER-32: the node retries until it knows whether a batch was committed, so that no intent is lost', async () => {
    let isCut = false;
    let isAway = false;
    let asked = 0;
    await node.units.close();
    await node.start({
      needs,
      writers: 1,
      // At that speed a machine that hangs for a moment would refuse the batch before it began.
      clock: hundredfold(() => isCut),
      connect: async () => {
        asked += 1;
        if (isAway) throw new Error('away');
        const connection = await PostgresConnection.open({ url: node.database.url, name: 'units' });
        const exec = connection.exec.bind(connection);
        connection.exec = async (sql) => {
          if (sql !== 'COMMIT' || isCut || begun.length === 0) return exec(sql);
          isCut = true;
          isAway = true;
          await exec(sql);
          connection.destroy(new Error('cut'));
          throw connection.lost ?? new Error('not lost');
        };
        return connection;
      },
    });
    let outcome: unknown;
    const cut = work({ name: 'cut', locks: ['a'], rows: ['cut'] }).then((found) => (outcome = found));
    // Far longer than callers wait for an answer.
    await expect.poll(() => asked).toBeGreaterThan(60);
    expect(outcome).toBeUndefined();
    isAway = false;
    expect(await cut).toMatchObject({ ok: true });
  });

  test('CLUSTER-33: a node that was declared dead commits nothing, and reports a failure', async () => {
    expect(await work({ name: 'before', locks: ['a'], rows: ['before'] })).toMatchObject({ ok: true });
    await node.read.exec('DELETE FROM nodes');
    expect(await work({ name: 'after', locks: ['a'], rows: ['after'] })).toMatchObject({ code: 'unavailable' });
    expect(await node.read.get(rowOf, 'after')).toBeUndefined();
    expect(node.failures).toHaveLength(1);
  });

  test('CLUSTER-34: while PostgreSQL is unavailable, a limited number of units waits for a limited time', async () => {
    await node.units.close();
    let isAway = true;
    await node.start({
      needs,
      mostWaiting: 2,
      longestWaitMs: 100,
      connect: () =>
        isAway ? Promise.reject(new Error('away')) : PostgresConnection.open({ url: node.database.url, name: 'units' }),
    });
    const outcomes = await Promise.all(['1', '2', '3'].map((name) => work({ name, locks: [name] })));
    expect(outcomes).toMatchObject([{ code: 'unavailable' }, { code: 'unavailable' }, { code: 'unavailable' }]);
    expect(begun).toEqual([]);
    isAway = false;
    while (!(await work({ name: 'back', locks: [] })).ok);
    expect(begun).toContain('back');
  });

  test('CLUSTER-34: the bytes of waiting units are limited', async () => {
    await node.units.close();
    let isAway = true;
    await node.start({
      needs,
      mostWaitingBytes: 10_000,
      connect: () =>
        isAway ? Promise.reject(new Error('away')) : PostgresConnection.open({ url: node.database.url, name: 'units' }),
    });
    const large = (name: string) => work({ name, locks: [name], rows: ['x'.repeat(6_000)] });
    const waiting = [large('1'), large('2')];
    expect(await large('3')).toMatchObject({ code: 'unavailable' });
    expect(await work({ name: '4', locks: [] })).toMatchObject({ code: 'unavailable' });
    isAway = false;
    expect(await Promise.all(waiting)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await large('5')).toMatchObject({ ok: true });
  });

  test('LOG-1: transient events get numbers even if no unit runs, and a failed batch gives its transient events back', async () => {
    expect(node.grants).toBeInstanceOf(Grants);
    node.grants.waiting = 3;
    const batch = node.nextBatch();
    node.units.nudge();
    expect(await batch).toMatchObject({ outcomes: [], granted: 3 });
    node.grants.waiting = 2;
    await node.read.exec('DELETE FROM nodes');
    expect(await work({ name: 'fenced', locks: [] })).toMatchObject({ ok: false });
    expect(node.grants).toMatchObject({ waiting: 2, promised: 0 });
  });

  test('CLUSTER-37: transient events that follow each other quickly get their numbers from a few empty batches', async () => {
    const tell = node.units.onBatch;
    let batches = 0;
    node.units.onBatch = (batch) => {
      batches += 1;
      tell(batch);
    };
    const began = performance.now();
    for (let said = 0; said < 100 || node.grants.waiting > 0; said += 1) {
      if (said < 100) node.grants.waiting += 1;
      node.units.nudge();
      await turnOfLoop();
    }
    expect(node.grants).toMatchObject({ waiting: 0, promised: 0 });
    expect(batches).toBeLessThanOrEqual(2 + (performance.now() - began) / 3);
  });

  test('LOG-2: after a crash of PostgreSQL the numbers continue far above any that a client may have seen', async () => {
    const first = node.nextBatch();
    await work({ name: 'first', locks: [] });
    // A crash empties an unlogged table.
    await node.read.exec('DELETE FROM log_unbroken');
    const second = node.nextBatch();
    await work({ name: 'second', locks: [] });
    const gap = (await second).lastSeq - (await first).lastSeq;
    expect(gap).toBe(1_000_001);
    const third = node.nextBatch();
    await work({ name: 'third', locks: [] });
    expect((await third).lastSeq - (await second).lastSeq).toBe(1);
  });
});
