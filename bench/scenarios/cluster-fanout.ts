import { setTimeout as sleep } from 'node:timers/promises';
import type { Generator } from '../processes/generator.ts';
import { cpuSecondsOf } from '../processes/process-status.ts';
import { formatted } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { lacksServers } from '../service/running-cluster.ts';
import { devToken } from '../service/running-service.ts';
import type { RunningService } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { median, ratio } from '../statistics.ts';
import { floodFromOne } from './room.ts';
import { alternate } from './rounds.ts';

const members = 1_000;
const inFlight = 64;
const quietMs = 150;

const cpuOf = (nodes: readonly RunningService[]): number =>
  nodes.reduce((sum, { child }) => sum + (cpuSecondsOf(child.pid) ?? Number.NaN), 0);

/** Waits until deliveries stop; returns their number over all groups. */
async function delivered(generator: Generator, groups: readonly string[]): Promise<number> {
  for (let before = -1; ;) {
    let sum = 0;
    for (const group of groups) {
      const tally = await generator.run('tally', { group });
      if (tally.trouble !== undefined) throw new Error(tally.trouble);
      sum += tally.messages;
    }
    if (sum === before) return sum;
    before = sum;
    await sleep(quietMs);
  }
}

export const clusterFanout: Scenario = {
  key: 'cluster_fanout',
  title: 'one sender to 1,000 sockets on one node, and on two nodes with 500 each',
  lacks: lacksServers,
  async run(bench) {
    const generator = bench.generator();
    const length = { warmUpSeconds: bench.choose(1, 0.3), seconds: bench.choose(3, 0.7) };
    const cluster = await bench.cluster();
    const first = await cluster.node();
    const names = await first.people(members);
    const conversationId = await first.group('A room', names);
    const second = await cluster.node();

    /** Deliveries per second of the nodes' CPU time; the sender is on the first node. */
    const perCpuSecond = async (nodes: readonly RunningService[]): Promise<number> => {
      const groups = nodes.map((_, at) => `${nodes.length} ${at}`);
      for (const [at, node] of nodes.entries()) {
        const own = names.filter((_, index) => index % nodes.length === at);
        const paths = own.map((name) => socketPath(devToken(name)));
        await generator.run('connect', { group: groups[at] ?? '', url: node.url, paths });
      }
      const room = { group: groups[0] ?? '', url: first.url, pid: first.child.pid, conversationId };
      await floodFromOne(generator, room, inFlight, { requestsPerSender: 10 });
      const before = await delivered(generator, groups);
      const cpuBefore = cpuOf(nodes);
      const { allAcks } = await floodFromOne(generator, room, inFlight, length);
      const deliveries = (await delivered(generator, groups)) - before;
      const cpuSeconds = cpuOf(nodes) - cpuBefore;
      for (const group of groups) await generator.run('drop', { group });
      const share = ((100 * deliveries) / (allAcks * members)).toFixed(1);
      bench.note(
        `${nodes.length} node(s): ${formatted(deliveries)} deliveries of ${allAcks} messages, ${share}% delivered, ` +
          `in ${cpuSeconds.toFixed(2)} s of CPU time`,
      );
      return deliveries / cpuSeconds;
    };
    const results = await alternate(bench, {
      one: () => perCpuSecond([first]),
      two: () => perCpuSecond([first, second]),
    });
    const [one, two] = [median(results['one'] ?? []), median(results['two'] ?? [])];
    return {
      figures: { one_node_per_cpu_s: rounded(one), two_nodes_per_cpu_s: rounded(two) },
      lines: [
        { figure: 'delivered, one node', value: one, unit: 'frames/CPU s' },
        { figure: 'delivered, two nodes', value: two, unit: 'frames/CPU s' },
        { figure: 'two / one', value: ratio(two, one), unit: '×', target: { atLeast: 0.7 } },
      ],
    };
  },
};
