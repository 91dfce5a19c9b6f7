import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../processes/child.ts';
import type { Generator } from '../processes/generator.ts';
import { residentKibOf } from '../processes/process-status.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { devToken } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { difference } from '../statistics.ts';

const sockets = 5_000;
/** Few, so that the memory that they leave behind does not hide the memory of the measured sockets. */
const warmUpSockets = 200;
const settleMs = 250;

/** KiB after a full garbage collection; the child must have been started with `collectable`. */
export async function residentAtRest(server: Child): Promise<number | undefined> {
  await sleep(settleMs);
  await server.collect();
  await sleep(settleMs);
  return residentKibOf(server.pid);
}

async function kibPerSocket(generator: Generator, server: Child, paths: string[]): Promise<number | undefined> {
  const { url } = server;
  const group = 'idle';
  await generator.run('connect', { group, url, paths: paths.slice(0, warmUpSockets) });
  await generator.run('drop', { group });
  const before = await residentAtRest(server);
  await generator.run('connect', { group, url, paths });
  const after = await residentAtRest(server);
  await generator.run('drop', { group });
  const grown = difference(after, before);
  return grown === undefined ? undefined : grown / sockets;
}

export const idle: Scenario = {
  key: 'idle',
  title: 'resident memory of 5,000 idle authenticated sockets, each of its own account',
  async run(bench) {
    const names = Array.from({ length: sockets }, (_, index) => `m${index}`);
    const paths = names.map((name) => socketPath(devToken(name)));
    // Memory is measured, not time, so both sides can run at once.
    const [service, bare] = await Promise.all([
      bench.attempt('service', async () => {
        const running = await bench.freshService({ collectable: true });
        await running.people(sockets);
        return kibPerSocket(bench.generator(), running.child, paths);
      }),
      bench.attempt('bare ws', async () => kibPerSocket(bench.generator(), await bench.bareWs(), paths)),
    ]);
    bench.note('growth of VmRSS over 5,000 sockets, both sides after a full garbage collection');
    return {
      figures: { service_kib: rounded(service, 2), bare_kib: rounded(bare, 2) },
      lines: [
        { figure: 'per idle socket, service', value: service, unit: 'KiB' },
        { figure: 'per idle socket, bare ws', value: bare, unit: 'KiB' },
        { figure: 'service - bare', value: difference(service, bare), unit: 'KiB', target: { atMost: 1 } },
      ],
    };
  },
};
