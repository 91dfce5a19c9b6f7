import { formatted } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { busyText, lacksServers } from '../service/running-cluster.ts';
import { median, ratio } from '../statistics.ts';
import { floodRooms, messagesPerSecond, noteRooms, serviceRooms } from './rooms-of-5.ts';
import { alternate } from './rounds.ts';

export const clusterRooms: Scenario = {
  key: 'cluster_rooms',
  title: 'rooms of five: one embedded process compared with one node on PostgreSQL and Redis',
  lacks: lacksServers,
  async run(bench) {
    const generator = bench.generator();
    const length = { warmUpSeconds: bench.choose(2, 0.5), seconds: bench.choose(5, 1.5) };
    const embedded = await bench.attempt('embedded', async () =>
      serviceRooms(await bench.service(), generator, 'embedded'),
    );
    const cluster = await bench.attempt('node', async () => {
      const running = await bench.cluster();
      return { running, rooms: await serviceRooms(await running.node(), generator, 'node') };
    });
    let busy = '';
    const results = await alternate(bench, {
      embedded: embedded && (() => floodRooms(generator, embedded, length)),
      node:
        cluster &&
        (async () => {
          const [from, startMs] = [cluster.running.cpu, performance.now()];
          const result = await floodRooms(generator, cluster.rooms, length);
          busy = busyText(from, cluster.running.cpu, (performance.now() - startMs) / 1_000);
          return result;
        }),
    });
    noteRooms(bench, 'embedded', results['embedded'] ?? []);
    noteRooms(bench, 'node', results['node'] ?? []);
    if (busy !== '') bench.note(`with the node, from the first message to the last: ${busy}`);
    const rates = ['embedded', 'node'].map((side) => median((results[side] ?? []).map(messagesPerSecond)));
    const [embeddedRate, nodeRate] = rates;
    bench.note(`${bench.rounds} round(s) of ${formatted(length.seconds)} s`);
    return {
      figures: { embedded_messages_per_s: rounded(embeddedRate), node_messages_per_s: rounded(nodeRate) },
      lines: [
        { figure: 'acknowledged, embedded', value: embeddedRate, unit: 'messages/s' },
        { figure: 'acknowledged, one node', value: nodeRate, unit: 'messages/s', target: { atLeast: 8_000 } },
        { figure: 'node / embedded', value: ratio(nodeRate, embeddedRate), unit: '×' },
      ],
    };
  },
};
