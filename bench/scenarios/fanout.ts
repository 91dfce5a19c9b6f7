import type { Bench } from '../bench.ts';
import type { FloodResult } from '../load/jobs.ts';
import { formatted } from '../report.ts';
import type { Outcome } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { median, ratio } from '../statistics.ts';
import { floodFromOne, relayRoom, serviceRoom, sizesOf, sizesText } from './room.ts';
import type { Room } from './room.ts';
import { alternate, coresText } from './rounds.ts';

export const framesPerSecond = (result: FloodResult): number => result.messages / result.seconds;

/** One sender, all members' sockets in one generator; counts the `events.messageNew` frames received. */
export async function measureFanout(bench: Bench, members: number, inFlight: number, withCeiling: boolean) {
  const generator = bench.generator();
  const length = { warmUpSeconds: bench.choose(1, 0.3), seconds: bench.choose(3, 0.7) };
  const probeLength = { warmUpSeconds: 0, seconds: bench.choose(2, 0.3) };
  const flood = (room: Room) => floodFromOne(generator, room, inFlight, length);

  const service = await bench.attempt('service', async () => serviceRoom(await bench.service(), generator, members));
  const probe =
    service && (await bench.attempt('service', () => floodFromOne(generator, service, inFlight, probeLength)));
  const sizes = sizesOf(probe);
  const naive = await bench.attempt('naive relay', () =>
    relayRoom(bench, { kind: 'naive', sizes }, generator, members),
  );
  const ceiling = withCeiling
    ? await bench.attempt('coalescing relay', () => relayRoom(bench, { kind: 'coalescing', sizes }, generator, members))
    : undefined;
  const results = await alternate(bench, {
    service: probe && (() => flood(service)),
    naive: naive && (() => flood(naive)),
    coalescing: ceiling && (() => flood(ceiling)),
  });
  bench.note(`${sizesText(sizes)}, ${inFlight} unacknowledged, ${bench.rounds} round(s) of ${length.seconds} s`);
  noteSide(bench, 'service', members, results['service'] ?? []);
  noteSide(bench, 'naive relay', members, results['naive'] ?? []);
  noteSide(bench, 'ceiling (coalescing relay, stores nothing)', members, results['coalescing'] ?? []);
  return {
    service: median((results['service'] ?? []).map(framesPerSecond)),
    naive: median((results['naive'] ?? []).map(framesPerSecond)),
    coalescing: median((results['coalescing'] ?? []).map(framesPerSecond)),
  };
}

function noteSide(bench: Bench, side: string, members: number, rounds: readonly FloodResult[]): void {
  const last = rounds.at(-1);
  if (last === undefined) return;
  const rates = rounds.map((result) => formatted(framesPerSecond(result))).join(', ');
  // Frames to slow readers are skipped, so less than 100% means that the generator did not keep up.
  const delivered = ((100 * last.allMessages) / (last.allAcks * members)).toFixed(1);
  bench.note(`${side}: ${rates} frames/s; ${delivered}% delivered; ${coresText(last.cores, 'server')}`);
}

export async function fanout(bench: Bench, members: number, withCeiling: boolean): Promise<Outcome> {
  const { service, naive, coalescing } = await measureFanout(bench, members, 64, withCeiling);
  return {
    figures: {
      service_frames_per_s: rounded(service),
      naive_frames_per_s: rounded(naive),
      ...(withCeiling && { coalescing_frames_per_s: rounded(coalescing) }),
    },
    lines: [
      { figure: 'delivered, service', value: service, unit: 'frames/s' },
      { figure: 'delivered, naive relay', value: naive, unit: 'frames/s' },
      { figure: 'service / naive', value: ratio(service, naive), unit: '×', target: { atLeast: 20 } },
      ...(withCeiling
        ? [{ figure: 'service / coalescing', value: ratio(service, coalescing), unit: '×', target: { atLeast: 0.8 } }]
        : []),
    ],
  };
}
