import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Load } from './load.ts';
import { ProcessCluster } from './process-cluster.ts';
import { startFakeProviders } from '../providers/fake-providers.ts';
import { describeWithPostgres } from '../servers/postgres.ts';
import { describeWithRedis } from '../servers/redis.ts';
import { Random } from '../simulation/random.ts';

/** Number of faults per test; ROUNDS=50 makes the tests longer. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 1);
/** How long a node is suspended so that the others give it up; SLEEP_S=30 sets it in seconds. */
const SLEEP_MS = Number(process.env['SLEEP_S'] ?? 13) * 1_000;
const SEED = Number(process.env['SEED'] ?? Date.now());
const TIMEOUT_MS = 120_000 + ROUNDS * 20_000 + SLEEP_MS;
/** Additional time in which a cut-off node waits for its next sign of life and asks the others. */
const GRACE_MS = 5_000;
/** Longer than the nodes wait for a server that does not answer. */
const SILENCE_MS = 4_000;

interface Scene {
  cluster: ProcessCluster;
  load: Load;
  random: Random;
}

interface Options {
  clockShiftsMs?: readonly number[];
}

/** Runs nodes under load, lets `happen` cause faults, and checks what must be true afterwards. */
async function play(title: string, happen: (scene: Scene) => Promise<void>, options: Options = {}): Promise<void> {
  const { clockShiftsMs = [0, 0, 0] } = options;
  const began = Date.now();
  const providers = await startFakeProviders();
  const cluster = await ProcessCluster.start({ env: providers.env, clockShiftsMs });
  // NOTES=1 prints the steps with their times, and the errors that the nodes logged.
  const note = (what: string) => process.env['NOTES'] && process.stdout.write(`  ${Date.now() - began} ms: ${what}\n`);
  try {
    note('nodes have started');
    const load = await Load.start(cluster, providers);
    await load.tally.more(50);
    note('load has started');
    await happen({ cluster, load, random: new Random(SEED) });
    note('faults are over');
    await load.tally.more(100);
    await load.finish(title);
    note('checks passed');
  } finally {
    await cluster[Symbol.asyncDispose]();
    await providers.close();
    note('closed');
    if (process.env['NOTES']) for (const [text, count] of cluster.errorCounts()) note(`${count} × ${text}`);
  }
  expect(cluster.problems).toEqual([]);
}

const rounds = Array.from({ length: ROUNDS }, (_, at) => at);

const describeWithBoth: typeof describeWithPostgres = (name, suite) =>
  describeWithPostgres(name, () => describeWithRedis('with PostgreSQL and Redis', suite));

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

  test('CLUSTER-41: nodes are killed under load repeatedly', { timeout: TIMEOUT_MS }, () =>
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

  test('CLUSTER-42: Redis is killed and restarted empty, repeatedly', { timeout: TIMEOUT_MS }, () =>
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

  test('CLUSTER-43: PostgreSQL is killed under load repeatedly', { timeout: TIMEOUT_MS }, () =>
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

  test('CLUSTER-46: a node that was suspended for too long changes nothing and exits', { timeout: TIMEOUT_MS }, () =>
    play('suspended', async ({ cluster }) => {
      const sleeper = await cluster.streaming();
      const { process: slept, key } = cluster.at(sleeper);
      cluster.kills += 1;
      slept.signal('SIGSTOP');
      // As a balancer with health checks does.
      cluster.balancer.takeOut(slept.url);
      await pause(SLEEP_MS);
      const owned = `SELECT count(*) AS count FROM streams WHERE node_key = ${key}`;
      await cluster.until(
        'its streams are taken over',
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

  test('CLUSTER-38: no node is given up while PostgreSQL is unavailable to all', { timeout: TIMEOUT_MS }, () =>
    play('PostgreSQL unavailable for long', async ({ cluster, load }) => {
      await cluster.postgres.kill('SIGKILL');
      await pause(SLEEP_MS + GRACE_MS);
      await cluster.postgres.restart();
      await load.tally.more(200);
      // No node was given up, and none has exited: their sockets stay open.
      expect(cluster.members.map(({ process }) => process.isRunning)).toEqual([true, true, true]);
    }),
  );

  test('CLUSTER-48: a node that is cut off from PostgreSQL for too long exits', { timeout: TIMEOUT_MS }, () =>
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
