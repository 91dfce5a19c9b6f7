import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { lacksServers } from '../service/running-cluster.ts';
import { CostReader } from '../service/server-costs.ts';
import { difference, ratio } from '../statistics.ts';
import { residentAtRest } from './idle.ts';
import { floodRooms, serviceRooms } from './rooms-of-5.ts';

const sockets = 1_000;
const KIB_PER_MIB = 1_024;

/** The sizes that docs/RUNNING.md gives for planning an installation. */
export const clusterSizes: Scenario = {
  key: 'cluster_sizes',
  title: 'memory of a node and of its sockets, and the disk of PostgreSQL: 1,000 members in rooms of five',
  lacks: lacksServers,
  async run(bench) {
    const generator = bench.generator();
    const cluster = await bench.cluster();
    const node = await cluster.node({ collectable: true });
    const alone = await residentAtRest(node.child);
    const rooms = await serviceRooms(node, generator, 'node');
    const connected = await residentAtRest(node.child);
    const reader = await CostReader.open(cluster);
    try {
      const before = await reader.databaseBytes();
      const flood = { warmUpSeconds: 0, seconds: bench.choose(10, 3) };
      const { acks } = await floodRooms(generator, rooms, flood);
      const diskBytes = ((await reader.databaseBytes()) - before) / acks;
      const busy = await residentAtRest(node.child);
      const perSocket = ratio(difference(connected, alone), sockets);
      bench.note(`resident memory after a full garbage collection; then after ${acks} messages of ordinary length`);
      return {
        figures: {
          node_mib: rounded(ratio(alone, KIB_PER_MIB)),
          socket_kib: rounded(perSocket, 1),
          busy_node_mib: rounded(ratio(busy, KIB_PER_MIB)),
          disk_bytes_per_message: rounded(diskBytes),
        },
        lines: [
          { figure: 'a node after its start', value: ratio(alone, KIB_PER_MIB), unit: 'MiB' },
          { figure: 'more per socket', value: perSocket, unit: 'KiB', target: { atMost: 50 } },
          { figure: 'a node after the load', value: ratio(busy, KIB_PER_MIB), unit: 'MiB' },
          { figure: 'PostgreSQL on disk, per message', value: diskBytes, unit: 'bytes' },
        ],
      };
    } finally {
      await reader.close();
    }
  },
};
