import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ServiceProcess } from '../crash/service-process.ts';
import { startFakeProviders } from '../providers/fake-providers.ts';
import { Random } from '../simulation/random.ts';
import { HandsLoad } from './hands-load.ts';
import { ToolServerProcess } from './tool-server-process.ts';

/** HANDS_KILLS=300 kills the service and the server of tools 300 times. */
const KILLS = Number(process.env['HANDS_KILLS'] ?? 6);
/** SEED=17 repeats the random choices, but not the timing. */
const SEED = Number(process.env['SEED'] ?? Date.now());
/** Longest pause between two kills: agents get something done in it. */
const MAX_CALM_MS = 4_000;

test.each(['sessions', 'stateless'] as const)(
  'CALL-3, CALL-4: ★ an approved call survives kills of the service and of its server: not repeated, not forgotten, and unknown only when it is (%s)',
  { timeout: 120_000 + KILLS * 20_000 },
  async (era) => {
    process.stdout.write(`hands: seed ${SEED}\n`);
    const random = new Random(SEED);
    await using server = await ToolServerProcess.start(era);
    const providers = await startFakeProviders();
    const service = new ServiceProcess({ ...providers.env, TOOL_ENDPOINTS: `public,${server.origin}` });
    await service.start();
    try {
      const load = await HandsLoad.start(service, server, providers, SEED);
      while (service.kills + server.kills < KILLS / 2) {
        await Promise.race([pause(random.below(MAX_CALM_MS)), load.running]);
        const target = random.weighted({ service: 4, server: 5, both: 1 });
        await Promise.all([
          ...(target !== 'server' ? [load.again(service)] : []),
          ...(target !== 'service' ? [load.again(server)] : []),
        ]);
      }
      const { wrong, said } = await load.finish();
      process.stdout.write(`hands: ${service.kills} kills of the service, ${server.kills} of the server; ${said}\n`);
      expect(wrong).toEqual([]);
    } finally {
      await service.close();
      await providers.close();
    }
    expect(service.problems).toEqual([]);
  },
);
