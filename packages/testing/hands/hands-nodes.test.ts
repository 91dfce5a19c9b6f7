import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ProcessCluster } from '../cluster/process-cluster.ts';
import { startFakeProviders } from '../providers/fake-providers.ts';
import { describeWithPostgres } from '../servers/postgres.ts';
import { describeWithRedis } from '../servers/redis.ts';
import { Random } from '../simulation/random.ts';
import { HandsLoad } from './hands-load.ts';
import { ToolServerProcess } from './tool-server-process.ts';

/** HANDS_NODE_KILLS=100 kills nodes and the server of tools 100 times. */
const KILLS = Number(process.env['HANDS_NODE_KILLS'] ?? 3);
const SEED = Number(process.env['SEED'] ?? Date.now());
const MAX_CALM_MS = 4_000;
/** A node comes back before the other has given it up, or afterwards. */
const MAX_AWAY_MS = 12_000;
/** One of two nodes answers at any time, but a machine that is busy starting the other one is slow. */
const PATIENCE_MS = 240_000;

const describeWithBoth: typeof describeWithPostgres = (name, suite) =>
  describeWithPostgres(name, () => describeWithRedis('on servers of its own', suite));

describeWithBoth('Agents with tools on two nodes', () => {
  test(
    'CALL-3, CALL-4, CLUSTER-8: ★ an approved call survives kills of nodes and of its server: not repeated, not forgotten, and unknown only when it is',
    { timeout: 180_000 + KILLS * 30_000 },
    async () => {
      process.stdout.write(`hands on nodes: seed ${SEED}\n`);
      const random = new Random(SEED);
      await using server = await ToolServerProcess.start('sessions');
      const providers = await startFakeProviders();
      const env = { ...providers.env, TOOL_ENDPOINTS: `public,${server.origin}`, WATCHDOG: '0' };
      await using cluster = await ProcessCluster.start({ env, clockShiftsMs: [0, 0], patienceMs: PATIENCE_MS });
      const load = await HandsLoad.start(cluster, server, providers, SEED);
      const killNode = async (): Promise<void> => {
        const at = random.below(cluster.members.length);
        load.interrupted();
        cluster.kills += 1;
        await cluster.at(at).process.end('SIGKILL');
        await pause(random.below(MAX_AWAY_MS));
        // A node that cannot have its locks in time does not start: what runs it starts it again.
        while (
          !(await cluster.replace(at).then(
            () => true,
            () => false,
          ))
        )
          await pause(random.below(MAX_CALM_MS));
        // Until here the other node may have taken over its calls.
        load.interrupted();
      };
      for (let kill = 0; cluster.kills + server.kills < KILLS; kill += 1) {
        await Promise.race([pause(random.below(MAX_CALM_MS)), load.running]);
        if (kill % 2 === 0) await killNode();
        else await load.again(server);
      }
      const { wrong, said } = await load.finish();
      process.stdout.write(`hands: ${cluster.kills} kills of nodes, ${server.kills} of the server; ${said}\n`);
      await providers.close();
      expect(wrong).toEqual([]);
      expect(cluster.takeProblems()).toEqual([]);
    },
  );
});
