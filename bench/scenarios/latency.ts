import type { PacedJob, PacedResult } from '../load/jobs.ts';
import type { RelayKind } from '../baselines/relay.ts';
import type { Bench } from '../bench.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { difference, median } from '../statistics.ts';
import { floodFromOne, relayRoom, serviceRoom, sizesOf, sizesText } from './room.ts';
import type { Room } from './room.ts';
import { alternate, coresText } from './rounds.ts';

export const members = 50;
const messagesPerSecond = 100;
/** Large enough for whole frames, so that the number in each text can be read. */
export const wholeFrameBytes = 4_096;
export const warmUpMessages = 2_000;

export function pacedJob(room: Room, warmUpSeconds: number, seconds: number): PacedJob {
  return {
    group: room.group,
    conversationId: room.conversationId,
    messagesPerSecond,
    contentBytes: 64,
    warmUpSeconds,
    seconds,
    serverPid: room.pid,
  };
}

export function notePaced(bench: Bench, side: string, rounds: readonly PacedResult[]): void {
  const last = rounds.at(-1);
  if (last === undefined) return;
  const p99s = rounds.map((result) => (result.p99Ms ?? Number.NaN).toFixed(2)).join(', ');
  const p50 = (median(rounds.flatMap((result) => result.p50Ms ?? [])) ?? Number.NaN).toFixed(2);
  const missing = last.expected - last.delivered;
  bench.note(
    `${side}: p99 ${p99s} ms, p50 ${p50} ms, ${missing === 0 ? 'all delivered' : `${missing} NOT delivered`}` +
      `${last.deltas > 0 ? `, ${last.deltas} delta frames of ${last.deltaBytes?.toFixed(0)} bytes` : ''}; ${coresText(last.cores, 'server')}`,
  );
}

export const p99Of = (rounds: readonly PacedResult[] | undefined): number | undefined =>
  median((rounds ?? []).flatMap((result) => result.p99Ms ?? []));

export const latency: Scenario = {
  key: 'latency',
  title: 'delivery to 50 members, 100 messages/s',
  async run(bench) {
    const generator = bench.generator();
    const paced = (room: Room) => generator.run('paced', pacedJob(room, 0.3, bench.choose(5, 1)));
    /** Warms up one side; both are warmed up before anything is timed. */
    const warm = (room: Room) => floodFromOne(generator, room, 8, { requestsPerSender: warmUpMessages });

    const service = await bench.attempt('service', async () =>
      serviceRoom(await bench.service(), generator, members, wholeFrameBytes),
    );
    const probe = service && (await bench.attempt('service', () => warm(service)));
    const sizes = sizesOf(probe);
    const relay = (kind: RelayKind) =>
      bench.attempt(`${kind} relay`, async () => {
        const room = await relayRoom(bench, { kind, sizes }, generator, members, wholeFrameBytes);
        await warm(room);
        return room;
      });
    const [naive, durable] = [await relay('naive'), await relay('durable')];
    const results = await alternate(bench, {
      service: probe && (() => paced(service)),
      naive: naive && (() => paced(naive)),
      durable: durable && (() => paced(durable)),
    });
    bench.note(sizesText(sizes));
    notePaced(bench, 'service', results['service'] ?? []);
    notePaced(bench, 'naive relay', results['naive'] ?? []);
    notePaced(bench, 'durable relay', results['durable'] ?? []);
    const [servicePart, naivePart] = [p99Of(results['service']), p99Of(results['naive'])];
    const durablePart = p99Of(results['durable']);
    return {
      figures: {
        service_p99_ms: rounded(servicePart, 3),
        naive_p99_ms: rounded(naivePart, 3),
        durable_p99_ms: rounded(durablePart, 3),
      },
      lines: [
        { figure: 'p99 of delivery, service', value: servicePart, unit: 'ms' },
        { figure: 'p99 of delivery, naive relay', value: naivePart, unit: 'ms' },
        { figure: 'p99 of delivery, a relay that flushes', value: durablePart, unit: 'ms' },
        { figure: 'service - naive', value: difference(servicePart, naivePart), unit: 'ms', target: { atMost: 1.5 } },
      ],
    };
  },
};
