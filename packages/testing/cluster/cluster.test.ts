import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Load } from './load.ts';
import { ProcessCluster } from './process-cluster.ts';
import { type FakeProviders, startFakeProviders } from '../providers/fake-providers.ts';
import { describeWithPostgres } from '../servers/postgres.ts';
import { describeWithRedis } from '../servers/redis.ts';
import { Random } from '../simulation/random.ts';

/** ROUNDS=50 repeats each fault 50 times, under a load without pauses. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 1);
/** SLEEP_S=30: how long a node is suspended so that the others declare it dead. */
const SLEEP_MS = Number(process.env['SLEEP_S'] ?? 13) * 1_000;
const SEED = Number(process.env['SEED'] ?? Date.now());
const TIMEOUT_MS = 120_000 + ROUNDS * 20_000 + SLEEP_MS;
/** A node without PostgreSQL waits this much longer for its next sign of life before it asks the others. */
const GRACE_MS = 5_000;
/** Longer than any timeout of a node for a server that does not answer. */
const SILENCE_MS = 4_000;
/** Pause after each acknowledged message in a single round: the machine runs other tests at the same time. */
const PACE_MS = ROUNDS > 1 ? 0 : 300;
/** Number of acknowledged messages to wait for: a tenth of the count in a single round. */
const some = (count: number): number => (ROUNDS > 1 ? count : Math.ceil(count / 10));
/** CLUSTER-47: the machines' clocks differ by minutes, whatever else happens. */
const CLOCK_SHIFTS_MS = [-5 * 60_000, 0, 7 * 60_000];

const describeWithBoth: typeof describeWithPostgres = (name, suite) =>
  describeWithPostgres(name, () => describeWithRedis('on servers of its own', suite));

describeWithBoth('Several nodes', () => {
  const random = new Random(SEED);
  const rounds = Array.from({ length: ROUNDS }, (_, at) => at);
  let providers: FakeProviders;
  let cluster: ProcessCluster;
  let load: Load;

  beforeAll(async () => {
    process.stdout.write(`cluster: seed ${SEED}\n`);
    providers = await startFakeProviders();
    cluster = await ProcessCluster.start({ env: { ...providers.env, WATCHDOG: '0' }, clockShiftsMs: CLOCK_SHIFTS_MS });
    load = await Load.start(cluster, providers, { paceMs: PACE_MS });
    await load.tally.more(some(50));
  }, TIMEOUT_MS);

  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await providers.close();
    // NOTES=1 prints the errors that the nodes logged.
    if (process.env['NOTES'])
      for (const [said, count] of cluster.errorCounts()) process.stdout.write(`${count} × ${said}\n`);
    expect(cluster.takeProblems()).toEqual([]);
  }, TIMEOUT_MS);

  /** Makes something fail under load; afterwards messages are acknowledged again, and no client has noticed a fault. */
  const underLoad = (happen: () => Promise<void>) => async (): Promise<void> => {
    await happen();
    await load.tally.more(some(50));
    expect(cluster.takeProblems()).toEqual([]);
  };

  test(
    'CLUSTER-40: nodes are replaced one after another',
    { timeout: TIMEOUT_MS },
    underLoad(async () => {
      for (const at of cluster.members.keys()) {
        cluster.kills += 1;
        expect(await cluster.at(at).process.end('SIGTERM')).toBe(0);
        await cluster.replace(at);
        await load.tally.more(some(50));
      }
    }),
  );

  test(
    'CLUSTER-41: a node is killed',
    { timeout: TIMEOUT_MS },
    underLoad(async () => {
      for (const _ of rounds) {
        const at = random.below(cluster.members.length);
        cluster.kills += 1;
        await cluster.at(at).process.end('SIGKILL');
        await load.tally.more(some(100));
        await cluster.replace(at);
        await load.tally.more(some(random.below(100)));
      }
    }),
  );

  test(
    'CLUSTER-42: Redis is killed and comes back empty',
    { timeout: TIMEOUT_MS },
    underLoad(async () => {
      for (const _ of rounds) {
        cluster.kills += 1;
        await cluster.redis.kill();
        await load.tally.more(some(100));
        await cluster.redis.restart();
        await load.tally.more(some(random.below(200)));
      }
    }),
  );

  test(
    'CLUSTER-43: PostgreSQL is killed',
    { timeout: TIMEOUT_MS },
    underLoad(async () => {
      for (const _ of rounds) {
        cluster.kills += 1;
        await cluster.postgres.kill('SIGKILL');
        await cluster.postgres.restart();
        await load.tally.more(some(50 + random.below(200)));
      }
    }),
  );

  test(
    'CLUSTER-44: a node is cut off from Redis',
    { timeout: TIMEOUT_MS },
    underLoad(async () => {
      for (const round of rounds) {
        const { toRedis } = cluster.at(round % cluster.members.length);
        if (round % 2 === 0) toRedis.break();
        else toRedis.silence();
        await Promise.all([load.tally.more(some(100)), pause(SILENCE_MS)]);
        toRedis.mend();
        await load.tally.more(some(50));
      }
    }),
  );

  test(
    'CLUSTER-45: a node is cut off from PostgreSQL',
    { timeout: TIMEOUT_MS },
    underLoad(async () => {
      for (const round of rounds) {
        const { toPostgres } = cluster.at(round % cluster.members.length);
        if (round % 2 === 0) toPostgres.break();
        else toPostgres.silence();
        await pause(SILENCE_MS);
        toPostgres.mend();
        await load.tally.more(some(50));
      }
    }),
  );

  test(
    'CLUSTER-46, CLUSTER-53: a node that was suspended until the others declared it dead writes nothing more',
    { timeout: TIMEOUT_MS },
    underLoad(async () => {
      const sleeper = await cluster.streaming();
      const { process: slept, key } = cluster.at(sleeper);
      cluster.kills += 1;
      slept.signal('SIGSTOP');
      // As a balancer with health checks does.
      cluster.balancer.takeOut(slept.url);
      await pause(SLEEP_MS);
      const owned = `SELECT count(*) AS count FROM streams WHERE node_key = ${key}`;
      await cluster.until(
        'its replies are taken over',
        async () => (await cluster.sql<{ count: number }>(owned))[0]?.count === 0,
      );
      slept.signal('SIGCONT');
      expect(await slept.ended).toBe(1);
      await cluster.replace(sleeper);
    }),
  );

  test(
    'CLUSTER-47: a node whose clock is five minutes behind the others is killed and replaced',
    { timeout: TIMEOUT_MS },
    underLoad(async () => {
      cluster.kills += 1;
      await cluster.at(0).process.end('SIGKILL');
      await load.tally.more(some(50));
      await cluster.replace(0);
    }),
  );

  test(
    'CLUSTER-38: PostgreSQL is away for longer than a node may be silent, and no node is declared dead',
    { timeout: TIMEOUT_MS },
    underLoad(async () => {
      const before = cluster.members.map(({ process }) => process);
      await cluster.postgres.kill('SIGKILL');
      await pause(SLEEP_MS + GRACE_MS);
      await cluster.postgres.restart();
      await load.tally.more(some(100));
      expect(before.map(({ isRunning }) => isRunning)).toEqual([true, true, true]);
    }),
  );

  test(
    'CLUSTER-48: a node that is cut off from PostgreSQL for too long exits',
    { timeout: TIMEOUT_MS },
    underLoad(async () => {
      const at = await cluster.streaming();
      const { process: lonely, toPostgres } = cluster.at(at);
      cluster.kills += 1;
      toPostgres.silence();
      expect(await lonely.ended).toBe(1);
      await cluster.replace(at);
    }),
  );

  const everyFault =
    'CLUSTER-38, CLUSTER-40, CLUSTER-41, CLUSTER-42, CLUSTER-43, CLUSTER-44, CLUSTER-45, CLUSTER-46, CLUSTER-47, CLUSTER-48, SCHEDULE-5, DECIDE-5';
  test(
    `${everyFault}: in the end every acknowledged or scheduled message is stored once, every decision has one outcome, and every client has it`,
    { timeout: TIMEOUT_MS },
    async () => {
      await load.finish('all faults');
      expect(cluster.takeProblems()).toEqual([]);
    },
  );
});
