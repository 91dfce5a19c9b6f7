import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Load } from './load.ts';
import { ProcessCluster } from './process-cluster.ts';
import { startFakeProviders } from '../providers/fake-providers.ts';
import { describeWithPostgres } from '../servers/postgres.ts';
import { describeWithRedis } from '../servers/redis.ts';
import { Random } from '../simulation/random.ts';

/** ROUNDS=50 goes on for longer. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 1);
/** SLEEP_S=30: how long a node stands still that is to be given up. */
const SLEEP_MS = Number(process.env['SLEEP_S'] ?? 13) * 1_000;
const SEED = Number(process.env['SEED'] ?? Date.now());
const TIMEOUT_MS = 120_000 + ROUNDS * 20_000 + SLEEP_MS;
/** A node that is cut off waits a little longer for its next sign of life, and asks the others. */
const GRACE_MS = 5_000;
/** Longer than anybody waits for a server that answers nothing. */
const SILENCE_MS = 4_000;

interface Scene {
  cluster: ProcessCluster;
  load: Load;
  random: Random;
}

interface Options {
  clockShiftsMs?: readonly number[];
}

/** Nodes under load, something that happens to them, and what must be true afterwards. */
async function play(title: string, happen: (scene: Scene) => Promise<void>, options: Options = {}): Promise<void> {
  const { clockShiftsMs = [0, 0, 0] } = options;
  const began = Date.now();
  const providers = await startFakeProviders();
  const cluster = await ProcessCluster.start({ env: providers.env, clockShiftsMs });
  // NOTES=1 tells when what happened, and what the nodes said.
  const note = (what: string) => process.env['NOTES'] && process.stdout.write(`  ${Date.now() - began} ms: ${what}\n`);
  try {
    note('nodes are there');
    const load = await Load.start(cluster, providers);
    await load.tally.more(50);
    note('load is there');
    await happen({ cluster, load, random: new Random(SEED) });
    note('it has happened');
    await load.tally.more(100);
    await load.finish(title);
    note('all is right');
  } finally {
    await cluster[Symbol.asyncDispose]();
    await providers.close();
    note('closed');
    if (process.env['NOTES']) for (const [said, count] of cluster.said()) note(`${count} × ${said}`);
  }
  expect(cluster.problems).toEqual([]);
}

const rounds = Array.from({ length: ROUNDS }, (_, at) => at);

const describeWithBoth: typeof describeWithPostgres = (name, suite) =>
  describeWithPostgres(name, () => describeWithRedis('with all that they need', suite));

describeWithBoth('Several nodes', () => {
  test('CLUSTER-40: nodes are replaced one after another under load', { timeout: TIMEOUT_MS }, () =>
    play('rolling restart', async ({ cluster, load }) => {
      for (const at of cluster.members.keys()) {
        cluster.kills += 1;
        expect(await cluster.at(at).process.end('SIGTERM')).toBe(0);
        await cluster.replace(at);
        await load.tally.more(100);
      }
    }),
  );

  test('CLUSTER-41: nodes are killed under load again and again', { timeout: TIMEOUT_MS }, () =>
    play('nodes killed', async ({ cluster, load, random }) => {
      for (const _ of rounds) {
        const at = random.below(cluster.members.length);
        cluster.kills += 1;
        await cluster.at(at).process.end('SIGKILL');
        await load.tally.more(100);
        await cluster.replace(at);
        await load.tally.more(50 + random.below(100));
      }
    }),
  );

  test('CLUSTER-42: Redis is killed and comes back empty, again and again', { timeout: TIMEOUT_MS }, () =>
    play('Redis killed', async ({ cluster, load, random }) => {
      for (const _ of rounds) {
        cluster.kills += 1;
        await cluster.redis.kill();
        await load.tally.more(100);
        await cluster.redis.restart();
        await load.tally.more(50 + random.below(200));
      }
    }),
  );

  test('CLUSTER-43: PostgreSQL is killed under load again and again', { timeout: TIMEOUT_MS }, () =>
    play('PostgreSQL killed', async ({ cluster, load, random }) => {
      for (const _ of rounds) {
        cluster.kills += 1;
        await cluster.postgres.kill('SIGKILL');
        await cluster.postgres.restart();
        await load.tally.more(100 + random.below(200));
      }
    }),
  );

  test('CLUSTER-44: a node is cut off from Redis', { timeout: TIMEOUT_MS }, () =>
    play('cut off from Redis', async ({ cluster, load }) => {
      for (const round of rounds) {
        const { toRedis } = cluster.at(round % cluster.members.length);
        if (round % 2 === 0) toRedis.break();
        else toRedis.silence();
        await Promise.all([load.tally.more(200), pause(SILENCE_MS)]);
        toRedis.mend();
        await load.tally.more(100);
      }
    }),
  );

  test('CLUSTER-45: a node is cut off from PostgreSQL', { timeout: TIMEOUT_MS }, () =>
    play('cut off from PostgreSQL', async ({ cluster, load }) => {
      for (const round of rounds) {
        const { toPostgres } = cluster.at(round % cluster.members.length);
        if (round % 2 === 0) toPostgres.break();
        else toPostgres.silence();
        await pause(SILENCE_MS);
        toPostgres.mend();
        await load.tally.more(100);
      }
    }),
  );

  test('CLUSTER-46: a node that stood still for too long changes nothing any more', { timeout: TIMEOUT_MS }, () =>
    play('stood still', async ({ cluster }) => {
      const sleeper = await cluster.streaming();
      const { process: slept, key } = cluster.at(sleeper);
      cluster.kills += 1;
      slept.signal('SIGSTOP');
      // As a balancer does that looks whether its nodes are well.
      cluster.balancer.takeOut(slept.url);
      await pause(SLEEP_MS);
      const owned = `SELECT count(*) AS count FROM streams WHERE node_key = ${key}`;
      await cluster.until(
        'what it had is over',
        async () => (await cluster.sql<{ count: number }>(owned))[0]?.count === 0,
      );
      slept.signal('SIGCONT');
      expect(await slept.ended).toBe(1);
      await cluster.replace(sleeper);
    }),
  );

  test('CLUSTER-47: clocks of machines are minutes apart', { timeout: TIMEOUT_MS }, () =>
    play(
      'clocks apart',
      async ({ cluster, load }) => {
        cluster.kills += 1;
        await cluster.at(0).process.end('SIGKILL');
        await load.tally.more(100);
        await cluster.replace(0);
        await load.tally.more(200);
      },
      { clockShiftsMs: [-5 * 60_000, 0, 7 * 60_000] },
    ),
  );

  test('CLUSTER-38: PostgreSQL is away from all for longer than it takes to be given up', { timeout: TIMEOUT_MS }, () =>
    play('PostgreSQL away for long', async ({ cluster, load }) => {
      await cluster.postgres.kill('SIGKILL');
      await pause(SLEEP_MS + GRACE_MS);
      await cluster.postgres.restart();
      await load.tally.more(200);
      // Nobody was given up, and nobody has ended: they have their sockets still.
      expect(cluster.members.map(({ process }) => process.isRunning)).toEqual([true, true, true]);
    }),
  );

  test('CLUSTER-48: a node that is cut off from PostgreSQL for too long ends by itself', { timeout: TIMEOUT_MS }, () =>
    play('cut off for too long', async ({ cluster, load }) => {
      const at = await cluster.streaming();
      const { process: lonely, toPostgres } = cluster.at(at);
      cluster.kills += 1;
      toPostgres.silence();
      expect(await lonely.ended).toBe(1);
      await cluster.replace(at);
      await load.tally.more(100);
    }),
  );
});
