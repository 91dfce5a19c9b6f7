import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { lacksServers } from '../service/running-cluster.ts';
import type { RunningService } from '../service/running-service.ts';
import { difference } from '../statistics.ts';
import { members, notePaced, p99Of, pacedJob, warmUpMessages, wholeFrameBytes } from './latency.ts';
import { floodFromOne, type Room, serviceRoom } from './room.ts';
import { alternate } from './rounds.ts';

export const clusterLatency: Scenario = {
  key: 'cluster_latency',
  title: 'delivery to 50 members, 100 messages/s: one embedded process compared with one node',
  lacks: lacksServers,
  async run(bench) {
    const generator = bench.generator();
    /** Warms up the compiled code before anything is timed. */
    const warmRoom = async (service: RunningService): Promise<Room> => {
      const room = await serviceRoom(service, generator, members, wholeFrameBytes);
      await floodFromOne(generator, room, 8, { requestsPerSender: bench.choose(warmUpMessages, 500) });
      return room;
    };
    const embedded = await bench.attempt('embedded', async () => warmRoom(await bench.service()));
    const node = await bench.attempt('node', async () => warmRoom(await (await bench.cluster()).node()));
    const paced = (room: Room) => generator.run('paced', pacedJob(room, 0.3, bench.choose(5, 1.5)));
    const results = await alternate(bench, {
      embedded: embedded && (() => paced(embedded)),
      node: node && (() => paced(node)),
    });
    notePaced(bench, 'embedded', results['embedded'] ?? []);
    notePaced(bench, 'node', results['node'] ?? []);
    const [embeddedMs, nodeMs] = [p99Of(results['embedded']), p99Of(results['node'])];
    return {
      figures: { embedded_p99_ms: rounded(embeddedMs, 3), node_p99_ms: rounded(nodeMs, 3) },
      lines: [
        { figure: 'p99 of delivery, embedded', value: embeddedMs, unit: 'ms' },
        { figure: 'p99 of delivery, one node', value: nodeMs, unit: 'ms' },
        { figure: 'node - embedded', value: difference(nodeMs, embeddedMs), unit: 'ms', target: { atMost: 5 } },
      ],
    };
  },
};
