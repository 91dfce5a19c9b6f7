import type { Bench } from '../bench.ts';
import type { TimedFloodResult } from '../load/jobs.ts';
import type { Generator } from '../processes/generator.ts';
import { formatted } from '../report.ts';
import type { Figures, Line, Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { lacksServers } from '../service/running-cluster.ts';
import { median, ratio } from '../statistics.ts';
import { wholeFrameBytes } from './latency.ts';
import { relayRooms, roomSize, type Rooms, serviceRooms } from './rooms-of-5.ts';
import { assumedSizes } from './room.ts';
import { alternate, coresText } from './rounds.ts';

type Side = 'service' | 'node' | 'naive';

function flood(bench: Bench, generator: Generator, { group, pid, conversationIds }: Rooms): Promise<TimedFloodResult> {
  return generator.run('timedFlood', {
    group,
    senders: conversationIds.flatMap((conversationId, socket) =>
      socket % roomSize === 0 ? [{ socket, conversationId }] : [],
    ),
    roomSize,
    contentBytes: 64,
    warmUpSeconds: bench.choose(2, 0.5),
    seconds: bench.choose(5, 2),
    serverPid: pid,
  });
}

/** Measures the sides in turn; the lines and figures of the first one are judged. */
async function compare(bench: Bench, generator: Generator, sides: Partial<Record<Side, Rooms | undefined>>) {
  const results = await alternate(
    bench,
    Object.fromEntries(
      Object.entries(sides).map(([side, rooms]) => [side, rooms && (() => flood(bench, generator, rooms))]),
    ),
  );
  const figures: Record<string, number | null> = {};
  const lines: Line[] = [];
  for (const [at, [side, rounds]] of Object.entries(results).entries()) {
    const of = (value: (result: TimedFloodResult) => number | undefined) =>
      median(rounds.flatMap((result) => value(result) ?? []));
    const [answer, answerP99] = [of(({ answers }) => answers.mean), of(({ answers }) => answers.p99)];
    const [delivery, p50] = [of(({ deliveries }) => deliveries.mean), of(({ deliveries }) => deliveries.p50)];
    const deliveryP99 = of(({ deliveries }) => deliveries.p99);
    const rate = of(({ acks, seconds }) => acks / seconds);
    const last = rounds.at(-1);
    if (last) bench.note(`${side}: ${formatted(rate)} messages/s; ${coresText(last.cores, 'server')}`);
    Object.assign(figures, {
      [`${side}_messages_per_s`]: rounded(rate),
      [`${side}_answer_ms`]: rounded(answer, 1),
      [`${side}_answer_p99_ms`]: rounded(answerP99, 1),
      [`${side}_delivery_ms`]: rounded(delivery, 1),
      [`${side}_delivery_p50_ms`]: rounded(p50, 1),
      [`${side}_delivery_p99_ms`]: rounded(deliveryP99, 1),
    });
    const judged = (atMost: number) => (at === 0 ? { target: { atMost } } : {});
    lines.push(
      { figure: `${side}: answer, mean`, value: answer, unit: 'ms' },
      { figure: '… p99 / mean', value: ratio(answerP99, answer), unit: '×', ...judged(3) },
      { figure: `${side}: delivery, mean`, value: delivery, unit: 'ms' },
      { figure: '… p99 / mean', value: ratio(deliveryP99, delivery), unit: '×', ...judged(3) },
      { figure: '… delivery / answer, mean', value: ratio(delivery, answer), unit: '×', ...judged(2) },
    );
  }
  return { figures: figures as Figures, lines };
}

export const fairness: Scenario = {
  key: 'fairness',
  title: '200 rooms of five, one member of each sends after its last message was acknowledged',
  async run(bench) {
    const generator = bench.generator();
    const service = await bench.attempt('service', async () =>
      serviceRooms(await bench.service(), generator, 'fair service', wholeFrameBytes),
    );
    const naive = await bench.attempt('naive relay', () =>
      relayRooms(bench, 'naive', assumedSizes, generator, wholeFrameBytes),
    );
    return compare(bench, generator, { service, naive });
  },
};

export const clusterFairness: Scenario = {
  key: 'cluster_fairness',
  title: 'the same on one node with PostgreSQL and Redis',
  lacks: lacksServers,
  async run(bench) {
    const generator = bench.generator();
    const node = await bench.attempt('node', async () =>
      serviceRooms(await (await bench.cluster()).node(), generator, 'fair node', wholeFrameBytes),
    );
    return compare(bench, generator, { node });
  },
};
