import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { describeWithPostgres, postgresForTests, type TestDatabase } from '@parley/testing/servers/postgres.ts';
import { systemClock } from '../core/clock.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PostgresConnection } from '../store/engines/postgres.ts';
import { statement } from '../store/sql.ts';
import { Nodes, type NodesOptions } from './nodes.ts';

let database: TestDatabase;
let admin: PostgresConnection;
const open: Nodes[] = [];
let told: string[] = [];

const connect = () => PostgresConnection.open({ url: database.url, name: 'nodes' });

async function node(name: string, options: Partial<NodesOptions> = {}): Promise<Nodes> {
  // The test triggers each beat.
  const { clock = new ManualClock() } = options;
  const nodes = await Nodes.register({
    connect,
    name,
    clock,
    monotonic: () => clock.monotonic(),
    onGone: (key) => void told.push(`${name}: ${key} is gone`),
    onFenced: () => void told.push(`${name} is fenced`),
    onDoubt: () => void told.push(`${name} is in doubt`),
    onFault: (error) => void told.push(String(error)),
    ...options,
  });
  open.push(nodes);
  return nodes;
}
/** What a step of the database's clock does: all signs of life are as much older. */
const stepDatabase = (seconds: number) =>
  admin.run({ sql: 'UPDATE nodes SET seen_at = seen_at - make_interval(secs => $1)' }, seconds);

describeWithPostgres('the nodes of a cluster', () => {
  beforeEach(async () => {
    told = [];
    database = await (await postgresForTests()).createDatabase();
    admin = await connect();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((nodes) => nodes.stop()));
    await admin.close();
    await database.drop();
  });

  test('CLUSTER-33: nodes see each other; the oldest leads, and a node that leaves disappears immediately', async () => {
    const [first, second] = [await node('first'), await node('second')];
    await first.beat();
    expect(first.live).toEqual([first.key, second.key]);
    expect([first.isLead, second.isLead]).toEqual([true, false]);
    await first.stop();
    await second.beat();
    expect(second.live).toEqual([second.key]);
    expect(second.isLead).toBe(true);
    expect(told).toEqual([]);
  });

  /** Lets time pass for some nodes, which give their signs of life. */
  const pass = async (clock: ManualClock, seconds: number, nodes: readonly Nodes[]) => {
    for (let passed = 0; passed < seconds; passed += 1) {
      await clock.advance(1_000);
      await Promise.all(nodes.map((one) => one.beat()));
    }
  };

  test('CLUSTER-33: a node without a sign of life for 8 s is given up by one other node, and is fenced', async () => {
    const clock = new ManualClock();
    const [first, second, third] = [
      await node('first', { clock }),
      await node('second'),
      await node('third', { clock }),
    ];
    // A node that has just started gives no other node up, because the others may still be reconnecting.
    await pass(clock, 7, [first, third]);
    expect(told).toEqual([]);
    await second.beat();
    await pass(clock, 1, [first, third]);
    await pass(clock, 7, [first, third]);
    expect(told).toEqual([]);
    await pass(clock, 1, [first, third]);
    expect(told).toEqual([expect.stringContaining(`${second.key} is gone`)]);
    await second.beat();
    expect(told).toHaveLength(2);
    expect(told[1]).toBe('second is fenced');
  });

  test('TIME-4: no node is given up because the clock of the database is set', async () => {
    const clock = new ManualClock();
    const all = [await node('first', { clock }), await node('second', { clock })];
    await pass(clock, 10, all);
    for (const seconds of [3_600, -3_600]) {
      await stepDatabase(seconds);
      await pass(clock, 10, all);
      expect(all.map(({ live }) => live)).toEqual(all.map(() => all.map(({ key }) => key)));
    }
    expect(told).toEqual([]);
  });

  test('TIME-5: a step of a node’s own clock changes nothing', async () => {
    const clock = new ManualClock();
    const [first, second] = [await node('first', { clock }), await node('second')];
    await pass(clock, 10, [first, second]);
    const before = first.clockCorrectionMs;
    for (const ms of [3_600_000, -7_200_000]) {
      clock.step(ms);
      await pass(clock, 2, [first, second]);
    }
    expect(first.live).toHaveLength(2);
    // Its time passes faster than that of the database in this test.
    expect(Math.abs(first.clockCorrectionMs - before)).toBeLessThan(60_000);
    expect(told).toEqual([]);
  });

  /** Terminates the connections of a node, as the end of its process would. */
  const cutOff = (nodes: Nodes) =>
    admin.run(
      {
        sql: 'SELECT pg_terminate_backend(pid) FROM pg_locks WHERE objsubid = 2 AND objid = $1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
      },
      nodes.key,
    );
  const gone = () => told.filter((text) => text.includes('gone'));

  test('CLUSTER-50: a node whose process has ended on this machine is given up at the next beat', async () => {
    const notListening = async (keys: readonly number[]) => keys;
    const hasEnded = (name: string) => name !== 'elsewhere';
    const first = await node('first', { settledMs: 0, notListening, hasEnded });
    const cautious = await node('cautious', { settledMs: 1_000_000_000_000, notListening, hasEnded });
    const [killed, elsewhere] = [await node('killed'), await node('elsewhere')];
    // All four nodes are connected.
    await first.beat();
    expect(first.live).toEqual([first, cautious, killed, elsewhere].map(({ key }) => key));
    for (const nodes of [killed, elsewhere]) await cutOff(nodes);
    await cautious.beat();
    expect(cautious.live).toContain(killed.key);
    const rest = [first, cautious, elsewhere].map(({ key }) => key);
    await expect.poll(() => first.beat().then(() => first.live)).toEqual(rest);
    expect(gone()).toEqual([`first: ${killed.key} is gone`]);
    await expect.poll(() => killed.beat().then(() => told.at(-1))).toBe('killed is fenced');
  });

  test('CLUSTER-50: a node on another machine is given up after 4 s without a connection, unless it listens to Redis', async () => {
    const clock = new ManualClock();
    let silent: number[] = [];
    const notListening = async (keys: readonly number[]) => keys.filter((key) => silent.includes(key));
    const first = await node('first', { clock, settledMs: 0, notListening });
    const [ended, heard, back] = [await node('ended'), await node('heard'), await node('back')];
    silent = [ended.key, back.key];
    await pass(clock, 10, [first, ended, heard, back]);
    for (const nodes of [ended, heard, back]) await cutOff(nodes);
    const connections = async () =>
      (
        await admin.get(
          statement<{ count: number }>(
            'SELECT count(*) AS count FROM pg_locks WHERE classid = 7370002 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
          ),
        )
      )?.count;
    await expect.poll(connections).toBe(1);
    await first.beat();
    await clock.advance(2_000);
    await first.beat();
    expect(gone()).toEqual([]);
    await expect.poll(() => back.beat().then(() => told.some((text) => text.includes('back')))).toBe(false);
    await expect.poll(connections).toBe(2);
    await clock.advance(2_000);
    await first.beat();
    expect(gone()).toEqual([`first: ${ended.key} is gone`]);
    expect(first.live).toEqual([first, heard, back].map(({ key }) => key));
  });

  test('CLUSTER-33: a node that was disconnected gives the others time to reconnect too', async () => {
    const clock = new ManualClock();
    const [first, second] = [await node('first', { clock, beatMs: 60_000 }), await node('second')];
    await pass(clock, 8, [first, second]);
    // The database was unavailable to both nodes for that long.
    await clock.advance(11_000);
    await first.beat();
    expect(told).toEqual([]);
    await pass(clock, 7, [first]);
    expect(told).toEqual([]);
    await pass(clock, 1, [first]);
    expect(told).toEqual([`first: ${second.key} is gone`]);
  });

  test('CLUSTER-33: the lead is called again for work that no node has taken over', async () => {
    const clock = new ManualClock();
    const lead = await node('lead', { clock });
    await admin.exec('INSERT INTO push_queue (message_key, chat_key, sender_key, node_key) VALUES (1, 1, 1, 777)');
    await pass(clock, 8, [lead]);
    expect(told).toEqual([]);
    await pass(clock, 8, [lead]);
    expect(told).toEqual(['lead: 777 is gone']);
  });

  test('CLUSTER-33: a lost connection makes one beat fail; the next one reconnects', async () => {
    const nodes = await node('first');
    await admin.exec(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await nodes.beat();
    await nodes.beat();
    expect(nodes.live).toEqual([nodes.key]);
    expect(told.filter((text) => !text.includes('connection'))).toEqual([]);
  });

  test('CLUSTER-33: nodes use the database’s clock', async () => {
    const clock = new ManualClock();
    const nodes = await node('first', { clock });
    expect(Math.abs(clock.now() + nodes.clockCorrectionMs - Date.now())).toBeLessThan(5_000);
    const right = await node('second', { clock: systemClock });
    expect(right.clockCorrectionMs).toBe(0);
  });

  test('CLUSTER-38: a node that cannot give a sign of life knows when the others may give it up', async () => {
    const clock = new ManualClock();
    let isCutOff = false;
    const cut = { connect: async () => (isCutOff ? Promise.reject(new Error('cut off')) : connect()) };
    const first = await node('first', { ...cut, clock, monotonic: () => clock.monotonic() });
    for (let beats = 0; beats < 5; beats += 1) {
      await clock.advance(2_000);
      await first.beat();
    }
    isCutOff = true;
    await admin.exec(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await expect.poll(async () => first.beat().then(() => told.at(-1))).toContain('cut off');
    told = [];
    await clock.advance(7_999);
    expect([first.lease.isOver, first.givesUp]).toEqual([false, false]);
    // A node waits for one more beat before it is in doubt.
    await clock.advance(1_000);
    const inDoubt = () => told.filter((text) => text === 'first is in doubt').length;
    expect([first.lease.isOver, inDoubt()]).toEqual([true, 0]);
    await clock.advance(1);
    expect(inDoubt()).toBe(1);
    await clock.advance(1_000);
    expect(inDoubt()).toBe(2);
    isCutOff = false;
    await first.beat();
    expect(first.lease.isOver).toBe(false);
    await clock.advance(7_000);
    expect(inDoubt()).toBe(2);
  });

  test('CLUSTER-38: a node that comes back gives no other node up at first', async () => {
    const clock = new ManualClock();
    const nodes = await node('first', { clock, beatMs: 60_000, monotonic: () => clock.monotonic() });
    expect(nodes.givesUp).toBe(false);
    for (let beats = 0; beats < 5; beats += 1) {
      await clock.advance(2_000);
      await nodes.beat();
    }
    expect(nodes.givesUp).toBe(true);
    await clock.advance(11_000);
    expect(nodes.givesUp).toBe(false);
    await nodes.beat();
    expect(nodes.givesUp).toBe(false);
  });

  test('CLUSTER-39: a node that was suspended is not sure of its membership until its next sign of life', async () => {
    const clock = new ManualClock();
    let sleptMs = 0;
    const nodes = await node('first', { clock, monotonic: () => clock.monotonic() + sleptMs });
    expect(await nodes.lease.sure()).toBe(true);
    sleptMs = 30_000;
    expect([nodes.lease.isSure, nodes.lease.isOver, nodes.givesUp]).toEqual([false, true, false]);
    const sure = nodes.lease.sure();
    await nodes.beat();
    expect(await sure).toBe(true);
  });
});
