import { ManualClock } from '@parley/testing';
import { logContract, type LogUnderTest } from '@parley/testing/contracts/log-contract.ts';
import { describeWithPostgres, postgresForTests } from '@parley/testing/servers/postgres.ts';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test, vi } from 'vitest';
import { type Clock, systemClock } from '../../core/clock.ts';
import type { Emitted, Intent } from '../../commits/effects.ts';
import { defaultSettings } from '../../core/settings.ts';
import { logHead } from '../../store/engines/postgres-log.ts';
import { PostgresConnection } from '../../store/engines/postgres.ts';
import { PostgresUnits } from '../../commits/engines/postgres-units.ts';
import type { UnitHandler } from '../../commits/unit-context.ts';
import { theService, UnitQueue } from '../../calls/unit-queue.ts';
import { trimLog } from '../log-units.ts';
import type { PublishedEvent } from '../event-log.ts';
import { chatScope, type Scope } from '../../core/event-kinds.ts';
import { ClusterLog } from './cluster-log.ts';

const handlers = new Map<string, UnitHandler>([
  ['emit', (call, input) => (input as Emitted[]).forEach((event) => call.emit(event))], // as this test posts it
  ['leave', (call, input) => call.intend(input as Intent)], // as above
  ['trimLog', trimLog as UnitHandler], // as above
]);

/** One of several nodes on a database; `tell` receives the messages that it publishes to the others. */
async function openNode(url: string, tell: (text: string) => void = () => {}, clock: Clock = systemClock) {
  const read = await PostgresConnection.open({ url });
  const row = await read.get<{ key: number }, []>({ sql: "INSERT INTO nodes (name) VALUES ('test') RETURNING key" });
  const node = row?.key ?? 0;
  const published: PublishedEvent[] = [];
  const skipped: [Scope, number][] = [];
  const shared: Intent[] = [];
  const lost: number[] = [];
  const fail = (error: unknown): never => {
    throw error;
  };
  const runner = new PostgresUnits({
    connect: () => PostgresConnection.open({ url }),
    nodeKey: () => node,
    settings: defaultSettings,
    handlers,
    needs: () => [],
    grants: { take: () => log.grants.take(), giveBack: () => log.grants.giveBack() },
  });
  const log: ClusterLog = new ClusterLog((await read.get(logHead))?.seq ?? 0, {
    settings: defaultSettings,
    node,
    read,
    clock,
    tell,
    nudge: () => runner.nudge(),
    publish: (event) => published.push(event) > 0,
    skip: (scope, seq) => skipped.push([scope, seq]),
    lost: () => lost.push(log.published),
    onFault: fail,
  });
  log.listen({ heard: () => true, applyShared: (intent) => shared.push(intent) });
  const units = new UnitQueue(runner, { log, onFault: fail });
  units.connect({ apply: () => {} });
  const run = (name: string, input: unknown) => units.run(name, theService, input, 1_000);
  const close = async () => {
    await units.close();
    log.close();
    await read.close();
  };
  return { node, read, log, published, skipped, shared, lost, run, close };
}

async function open(): Promise<LogUnderTest> {
  const database = await (await postgresForTests()).createDatabase();
  let engine = await openNode(database.url);
  return {
    get log() {
      return engine.log;
    },
    get published() {
      return engine.published;
    },
    commit: async (...units) => void (await Promise.all(units.map((events) => engine.run('emit', events)))),
    index: async () => {},
    trim: async (through) => void (await engine.run('trimLog', { through })),
    async reopen() {
      await engine.close();
      engine = await openNode(database.url);
    },
    async close() {
      await engine.close();
      await database.drop();
    },
  };
}

describeWithPostgres('The log of several nodes', () => {
  logContract('The log of a node', open, { runs: 6 });

  const emitted = (chat: number): Emitted => ({ scope: chatScope(chat), kind: 'messagePinned', params: { chat } });

  /** Two nodes on one database; `carry` delivers their messages to each other, except those that are to be lost. */
  async function pair(clock?: Clock) {
    const database = await (await postgresForTests()).createDatabase();
    const told: { to: 0 | 1; text: string }[] = [];
    const nodes = [
      await openNode(database.url, (text) => told.push({ to: 1, text }), clock),
      await openNode(database.url, (text) => told.push({ to: 0, text }), clock),
    ] as const;
    const carry = (isLost = false): void => {
      for (const { to, text } of told.splice(0)) if (!isLost) nodes[to].log.hear(text);
    };
    return {
      nodes,
      carry,
      async [Symbol.asyncDispose]() {
        for (const node of nodes) await node.close();
        await database.drop();
      },
    };
  }
  const seqs = (events: readonly PublishedEvent[]) => events.map(({ seq }) => seq);

  test('CLUSTER-1: events of every node are published on all nodes, in the same order', async () => {
    await using both = await pair();
    const { nodes, carry } = both;
    const [one, two] = nodes;
    const commits: Promise<unknown>[] = [];
    for (let round = 0; round < 30; round += 1) {
      const node = nodes[round % 2] ?? one;
      commits.push(node.run('emit', [emitted(round), emitted(round)]));
      node.log.publishTransient({ scope: chatScope(round), kind: 'typing', params: `{"round":${round}}`, except: 3 });
      if (round % 5 === 0) await turnOfLoop();
      carry();
    }
    const all = Promise.all(commits);
    let isDone = false;
    void all.finally(() => (isDone = true));
    while (!isDone) {
      carry();
      await turnOfLoop();
    }
    await expect.poll(() => (carry(), [one.published.length, two.published.length])).toEqual([90, 90]);
    expect(seqs(two.published)).toEqual(seqs(one.published));
    expect(seqs(one.published)).toEqual(seqs(one.published).toSorted((a, b) => a - b));
    const shape = ({ kind, params, except }: PublishedEvent) => [kind, params, except];
    expect(two.published.map(shape)).toEqual(one.published.map(shape));
    expect([one.skipped, two.skipped]).toEqual([[], []]);
  });

  test('CLUSTER-2, CLUSTER-3: after a lost message, memberships are read from the store, and sockets learn that they missed events', async () => {
    await using both = await pair();
    const [one, two] = both.nodes;
    await one.run('emit', [emitted(1)]);
    const left: Intent = { type: 'leave', chatKey: 7, accountKey: 3 };
    await one.run('leave', left);
    await one.run('leave', { type: 'push', messageKey: 1, chatKey: 7, senderKey: 3 });
    both.carry(true);
    await two.log.catchUp();
    expect([two.skipped, two.shared, two.published]).toEqual([[[chatScope(1), one.published[0]?.seq]], [left], []]);
    expect([two.log.published, two.lost.length]).toEqual([one.log.published, 1]);
    await one.run('emit', [emitted(2)]);
    both.carry();
    expect(seqs(two.published)).toEqual([one.log.published]);
  });

  test('CLUSTER-1: after `catchUp` all earlier commits are published, even if their messages arrive late', async () => {
    await using both = await pair();
    const [one, two] = both.nodes;
    await one.run('emit', [emitted(1)]);
    const caughtUp = two.log.catchUp();
    await turnOfLoop();
    both.carry();
    await caughtUp;
    expect(seqs(two.published)).toEqual(seqs(one.published));
  });

  test('CLUSTER-9: concurrent `catchUp` calls share reads of the head, which begin after the calls', async () => {
    const clock = new ManualClock();
    await using both = await pair(clock);
    const [one, two] = both.nodes;
    const looks = vi.spyOn(two.read, 'get');
    await Promise.all(Array.from({ length: 10 }, () => two.log.catchUp()));
    expect(looks).toHaveBeenCalledTimes(1);
    await one.run('emit', [emitted(1)]);
    both.carry();
    const later: Promise<void>[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      later.push(two.log.catchUp());
      await turnOfLoop();
    }
    await clock.advance(50);
    await Promise.all(later);
    expect(looks).toHaveBeenCalledTimes(2);
    expect(two.log.published).toBe(one.log.published);
  });

  test('CLUSTER-9: after a short absence one read finds all missed events, in any number of conversations', async () => {
    await using both = await pair();
    const [one] = both.nodes;
    const others = Array.from({ length: 900 }, () => emitted(99));
    await one.run('emit', [emitted(7), ...others, emitted(8)]);
    const reads = vi.spyOn(one.read, 'all');
    const scopes = new Set(Array.from({ length: 20 }, (_, chat) => chatScope(chat)));
    const found = await one.log.read(scopes, { accountKey: 1, after: 0, through: one.log.published, limit: 1_000 });
    expect(found.events.map(({ scope }) => scope)).toEqual([chatScope(7), chatScope(8)]);
    expect([reads.mock.calls.length, found.through]).toEqual([1, one.log.published]);
  });

  test('CLUSTER-2: lost transient events raise the heads of all scopes', async () => {
    await using both = await pair();
    const [one, two] = both.nodes;
    const told = new Promise<number>((resolve) =>
      one.log.publishTransient({ scope: chatScope(1), kind: 'messageDelta', params: '{}', onSeq: resolve }),
    );
    const seq = await told;
    both.carry(true);
    await two.log.catchUp();
    const head = await two.log.headOf(new Set([chatScope(1)]), two.log.published);
    expect([head.delta, head.base, two.lost.length]).toEqual([seq, 0, 1]);
  });
});

test('CLUSTER-34: the end of a reply waits for numbers only for a limited time', async () => {
  const clock = new ManualClock();
  const nothing = (): void => {};
  const log = new ClusterLog(0, {
    settings: defaultSettings,
    node: 1,
    read: {} as PostgresConnection, // nothing is read
    clock,
    tell: nothing,
    nudge: nothing,
    publish: () => false,
    skip: nothing,
    lost: nothing,
    onFault: nothing,
  });
  log.publishTransient({ scope: chatScope(1), kind: 'messageDelta', params: '{}' });
  const numbered = Promise.resolve(log.numbered());
  await Promise.all([expect(numbered).rejects.toMatchObject({ code: 'unavailable' }), clock.advance(5_000)]);
  const others = log.numbered();
  log.close();
  await others;
  log.close();
  expect(clock.pendingTimers).toBe(0);
});
