import { setTimeout as sleep } from 'node:timers/promises';
import type { Generator } from '../processes/generator.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { lacksServers } from '../service/running-cluster.ts';
import { devToken } from '../service/running-service.ts';
import type { RunningService } from '../service/running-service.ts';
import { CostReader, costNames, type Costs } from '../service/server-costs.ts';
import { socketPath } from '../service/socket-paths.ts';
import { median, ratio } from '../statistics.ts';
import { floodFromOne, type Room } from './room.ts';

const sizes = { small: 5, large: 1_000 };
/** Messages per run; the median of all runs counts, because background work falls into some of them. */
const messages = 24;
/** Maximum cost of a message in the large group relative to one in the small group. */
const atMost = 1.1;

const labels: Record<keyof Costs, [what: string, unit: string]> = {
  walBytes: ['PostgreSQL, write-ahead log', 'bytes'],
  rows: ['PostgreSQL, rows', 'rows'],
  redisCommands: ['Redis, commands', 'commands'],
  redisBytes: ['Redis, in and out', 'bytes'],
};

/** A group whose members are connected to all nodes in turn; the sender is its first member, on the first node. */
async function roomOver(nodes: RunningService[], generator: Generator, names: string[], group: string): Promise<Room> {
  const [first] = nodes;
  if (first === undefined) throw new Error('no nodes');
  const conversationId = await first.group('A room', names);
  for (const [at, node] of nodes.entries()) {
    const paths = names.filter((_, index) => index % nodes.length === at).map((name) => socketPath(devToken(name)));
    await generator.run('connect', { group: `${group} ${at}`, url: node.url, paths });
  }
  return { group: `${group} 0`, url: first.url, pid: first.child.pid, conversationId };
}

export const clusterCost: Scenario = {
  key: 'cluster_cost',
  title: 'the cost of one message in PostgreSQL and Redis, in groups of 5 and of 1,000 with members on two nodes',
  lacks: lacksServers,
  async run(bench) {
    const generator = bench.generator();
    const cluster = await bench.cluster();
    const nodes = [await cluster.node(), await cluster.node()];
    const names = (await nodes[0]?.people(sizes.large)) ?? [];
    const small = await roomOver(nodes, generator, names.slice(0, sizes.small), 'small');
    const large = await roomOver(nodes, generator, names, 'large');
    const reader = await CostReader.open(cluster);

    /** Work of the nodes that is not caused by messages: heartbeats, presence. */
    const idle = async (): Promise<Costs> => {
      const [from, startMs] = [await reader.read(), performance.now()];
      await sleep(bench.choose(6_000, 2_000));
      const [to, seconds] = [await reader.read(), (performance.now() - startMs) / 1_000];
      return each((name) => (to[name] - from[name]) / seconds);
    };
    const perMessage = async (room: Room, besides: Costs): Promise<Costs> => {
      const [from, startMs] = [await reader.read(), performance.now()];
      await floodFromOne(generator, room, 1, { requestsPerSender: messages });
      const [to, seconds] = [await reader.read(), (performance.now() - startMs) / 1_000];
      return each((name) => (to[name] - from[name] - besides[name] * seconds) / messages);
    };
    try {
      for (const room of [small, large]) await floodFromOne(generator, room, 1, { requestsPerSender: messages });
      const besides = await idle();
      const runs: { small: Costs; large: Costs }[] = [];
      for (let run = 0; run < bench.choose(15, 7); run++)
        runs.push({ small: await perMessage(small, besides), large: await perMessage(large, besides) });
      const [inSmall, inLarge] = (['small', 'large'] as const).map((size) =>
        each((name) => median(runs.map((run) => run[size][name])) ?? Number.NaN),
      );
      bench.note(
        `${runs.length} times ${messages} messages, one at a time, to each; background work of the nodes is not counted`,
      );
      return {
        figures: Object.fromEntries(
          costNames.flatMap((name) => [
            [`${name}_5`, rounded(inSmall?.[name], 2)],
            [`${name}_1000`, rounded(inLarge?.[name], 2)],
          ]),
        ),
        lines: costNames.flatMap((name) => [
          { figure: `${labels[name][0]}, group of 5`, value: inSmall?.[name], unit: labels[name][1] },
          { figure: `${labels[name][0]}, group of 1,000`, value: inLarge?.[name], unit: labels[name][1] },
          { figure: '1,000 / 5', value: ratio(inLarge?.[name], inSmall?.[name]), unit: '×', target: { atMost } },
        ]),
      };
    } finally {
      await reader.close();
    }
  },
};

const each = (of: (name: keyof Costs) => number): Costs => ({
  walBytes: of('walBytes'),
  rows: of('rows'),
  redisCommands: of('redisCommands'),
  redisBytes: of('redisBytes'),
});
