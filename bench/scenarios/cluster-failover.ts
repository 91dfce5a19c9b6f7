import { setTimeout as sleep } from 'node:timers/promises';
import { Balancer } from '@parley/testing/world/balancer.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { lacksServers } from '../service/running-cluster.ts';
import { devToken } from '../service/running-service.ts';
import type { RunningService } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';

const clients = 500;
const roomSize = 5;
const rooms = clients / roomSize;
const withinSeconds = 30;
/** The gauge with a node's number of SQL reads. */
const readsGauge = 'parley_store_reads';
/** A text that occurs in no other frame. */
const newest = 'sent when the node was gone';

/** Number of SQL reads by these nodes so far; undefined if a node does not report it. */
async function readsOf(nodes: readonly RunningService[]): Promise<number | undefined> {
  let sum = 0;
  for (const node of nodes) {
    const reads = await node.gauge(readsGauge);
    if (reads === undefined) return undefined;
    sum += reads;
  }
  return sum;
}

export const clusterFailover: Scenario = {
  key: 'cluster_failover',
  title: `one of three nodes is killed: its ${clients} sockets reconnect to the others and fetch what they missed`,
  lacks: lacksServers,
  async run(bench) {
    const generator = bench.generator();
    const cluster = await bench.cluster();
    const victim = await cluster.node();
    const others = [await cluster.node(), await cluster.node()];
    const [beside] = others;
    if (beside === undefined) throw new Error('no other node');
    const names = await beside.people(clients);
    const writers = await beside.people(rooms, 'w');
    const members = writers.map((writer, room) => [writer, ...names.slice(room * roomSize, (room + 1) * roomSize)]);
    const chats = await beside.groups(members);
    const writerPaths = writers.map((name) => socketPath(devToken(name)));
    await generator.run('connect', { group: 'writers', url: beside.url, paths: writerPaths });
    await using balancer = await Balancer.start();
    balancer.serve([victim.url]);
    const urls = names.map((name) => `${balancer.url.replace('http', 'ws')}${socketPath(devToken(name))}`);
    await generator.run('gather', { urls });
    balancer.serve([victim.url, ...others.map(({ url }) => url)]);

    const senders = chats.map((conversationId, socket) => ({ socket, conversationId, content: newest }));
    const send = () =>
      generator.run('flood', {
        group: 'writers',
        counted: 'writers',
        senders,
        inFlight: 1,
        length: { requestsPerSender: 1 },
        serverPid: beside.child.pid,
      });
    /** Reads per reconnecting socket; the nodes' background reads are not counted. */
    const readsFor = async <Result>(work: () => Promise<Result>): Promise<[Result, number | undefined]> => {
      const [idleFrom, idleMs] = [await readsOf(others), performance.now()];
      await sleep(bench.choose(4_000, 1_500));
      const [from, startMs] = [await readsOf(others), performance.now()];
      const result = await work();
      const [to, endMs] = [await readsOf(others), performance.now()];
      if (idleFrom === undefined || from === undefined || to === undefined) return [result, undefined];
      const idle = ((from - idleFrom) / (startMs - idleMs)) * (endMs - startMs);
      return [result, (to - from - idle) / clients];
    };

    const back = { isCutHere: false, awaited: newest, withinSeconds };
    const [{ halfSeconds, allSeconds }, reads] = await readsFor(async () => {
      const coming = generator.run('comeBack', back);
      const killedAt = Date.now();
      const [{ half, last }] = await Promise.all([coming, send(), victim.stop('SIGKILL')]);
      return { halfSeconds: (half - killedAt) / 1_000, allSeconds: (last - killedAt) / 1_000 };
    });
    bench.note(`killed: half of them had reconnected and caught up after ${halfSeconds.toFixed(2)} s`);
    const [seconds, quietReads] = await readsFor(async () => {
      const cutAt = Date.now();
      const { last } = await generator.run('comeBack', { isCutHere: true, awaited: null, withinSeconds });
      return (last - cutAt) / 1_000;
    });
    bench.note(`all cut off again with nothing missed: reconnected after ${seconds.toFixed(2)} s`);
    return {
      figures: {
        all_back_s: rounded(allSeconds, 3),
        half_back_s: rounded(halfSeconds, 3),
        reads: rounded(reads, 2),
        reads_without_updates: rounded(quietReads, 2),
      },
      lines: [
        { figure: 'all reconnected and caught up', value: allSeconds, unit: 's', target: { atMost: 5 } },
        {
          figure: 'reads per socket: account, position, updates',
          value: reads,
          unit: 'statements',
          target: { atMost: 3.1 },
        },
        { figure: '… with nothing missed', value: quietReads, unit: 'statements', target: { atMost: 2.1 } },
      ],
    };
  },
};
