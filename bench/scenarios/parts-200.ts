import type { FloodResult } from '../load/jobs.ts';
import type { Growing } from '../load/request-frames.ts';
import type { Line, Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { socketPath } from '../service/socket-paths.ts';
import { median, ratio } from '../statistics.ts';
import { serviceRoom } from './room.ts';
import { alternate } from './rounds.ts';

const members = 200;
const bots = 20;
/** For each kind: a stream with both would cost more whichever of them grows. A bot has at most 100. */
const streamsPerBot = 33;
const delta = ' a token';
const inFlightPerBot = 64;
/** Payload bytes from which on a frame's header has four bytes. */
const longPayloadBytes = 126;

/** Bytes of text or reasoning that all sockets together received, of the appends that were answered. */
const received = ({ acks }: FloodResult): number => acks * Buffer.byteLength(delta) * members;

function wireBytes({ deltas, deltaBytes = 0 }: FloodResult): number {
  return deltas * (deltaBytes + (deltaBytes < longPayloadBytes ? 2 : 4));
}

/** CPU time of the service per MB that sockets received, and bytes on the wire per byte. */
const costs = {
  cpu_ms: (result: FloodResult) => ((result.cores.server ?? NaN) * result.seconds * 1e9) / received(result),
  bytes: (result: FloodResult) => wireBytes(result) / received(result),
} as const;

const growths = ['text', 'reasoning', 'both'] as const satisfies readonly Growing[];
const target = { atMost: 1.2 } as const;

/** What agents think must cost no more than what they say: the same bytes as text, as reasoning, and as both in turn. */
export const parts200: Scenario = {
  key: 'parts_200',
  title: 'the same bytes of 20 agents as text and as parts, to 200 sockets',
  async run(bench) {
    const generator = bench.generator();
    const service = await bench.service();
    const room = await serviceRoom(service, generator, members, 0, 'ext');
    const daemons = await service.bots('m0', room.conversationId, bots);
    // The daemons' own sockets receive neither deltas nor parts.
    const paths = daemons.map((bot) => socketPath(bot.token, { caps: 'nodrafts' }));
    await generator.run('connect', { group: 'daemons', url: service.url, paths });
    const streams = new Map<Growing, string[][]>();
    for (const growing of growths)
      streams.set(growing, await service.streams(room.conversationId, daemons, streamsPerBot));
    const flood = (growing: Growing) => () =>
      generator.run('flood', {
        group: 'daemons',
        counted: room.group,
        senders: (streams.get(growing) ?? []).map((ids, socket) => ({ socket, streams: ids, delta, growing })),
        inFlight: inFlightPerBot,
        length: { warmUpSeconds: bench.choose(1, 0.5), seconds: bench.choose(3, 1) },
        serverPid: service.child.pid,
      });
    const results = await alternate(bench, Object.fromEntries(growths.map((growing) => [growing, flood(growing)])));
    for (const opened of streams.values()) await service.finishStreams(daemons, opened);
    const costOf = (growing: Growing, cost: keyof typeof costs) => median((results[growing] ?? []).map(costs[cost]));
    for (const growing of growths)
      bench.note(
        `${growing}: ${costOf(growing, 'cpu_ms')?.toFixed(2)} ms of CPU per MB received, ` +
          `${costOf(growing, 'bytes')?.toFixed(1)} bytes on the wire per byte`,
      );
    const besideText = (growing: Growing, cost: keyof typeof costs) =>
      ratio(costOf(growing, cost), costOf('text', cost));
    const line = (growing: Growing, cost: keyof typeof costs): Line => ({
      figure: `${growing === 'both' ? 'text and reasoning' : growing}, ${cost === 'bytes' ? 'bytes' : 'CPU time'}`,
      value: besideText(growing, cost),
      unit: '× text',
      target,
    });
    return {
      figures: {
        reasoning_cpu_ratio: rounded(besideText('reasoning', 'cpu_ms'), 2),
        reasoning_bytes_ratio: rounded(besideText('reasoning', 'bytes'), 2),
        both_cpu_ratio: rounded(besideText('both', 'cpu_ms'), 2),
        both_bytes_ratio: rounded(besideText('both', 'bytes'), 2),
      },
      lines: [line('reasoning', 'cpu_ms'), line('reasoning', 'bytes'), line('both', 'cpu_ms'), line('both', 'bytes')],
    };
  },
};
