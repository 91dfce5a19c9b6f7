import type { GrowResult } from '../load/jobs.ts';
import type { Growing } from '../load/request-frames.ts';
import type { Line, Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { socketPath } from '../service/socket-paths.ts';
import { median, ratio } from '../statistics.ts';
import { serviceRoom } from './room.ts';
import { alternate } from './rounds.ts';

const members = 200;
const bots = 20;
const streamsPerBot = 8;
/** More than the 25 events a second that a stream publishes at most, as models write. */
const tokensPerSecond = 50;
const token = ' a token';
/** Payload bytes from which on a frame's header has four bytes. */
const longPayloadBytes = 126;

/** Bytes of text or reasoning that all sockets together received. */
const received = ({ appends }: GrowResult): number => appends * Buffer.byteLength(token) * members;

const wireBytes = ({ frames, frameBytes = 0 }: GrowResult): number =>
  frames * (frameBytes + (frameBytes < longPayloadBytes ? 2 : 4));

/** CPU time of the service per MB that sockets received, and bytes on the wire per byte. */
const costs = {
  cpu_ms: (result: GrowResult) => ((result.cores.server ?? NaN) * result.seconds * 1e9) / received(result),
  bytes: (result: GrowResult) => wireBytes(result) / received(result),
} as const;

/** What grows in the streams of the bot at this place; in `both` half of the bots think while the others write. */
const kinds = {
  text: () => 'text',
  reasoning: () => 'reasoning',
  both: (bot) => (bot % 2 === 0 ? 'text' : 'reasoning'),
} as const satisfies Record<string, (bot: number) => Growing>;
type Kind = keyof typeof kinds;

const target = { atMost: 1.2 } as const;

/**
 * What agents think must cost no more than what they say: the same tokens at the same rate as text, as reasoning, and as
 * text of one half of the agents beside reasoning of the other.
 */
export const parts200: Scenario = {
  key: 'parts_200',
  title: 'the same tokens of 20 agents as text and as parts, to 200 sockets',
  async run(bench) {
    const generator = bench.generator();
    const service = await bench.service();
    const room = await serviceRoom(service, generator, members, 0, 'ext');
    const daemons = await service.bots('m0', room.conversationId, bots);
    // The daemons' own sockets receive neither deltas nor parts.
    const paths = daemons.map((bot) => socketPath(bot.token, { caps: 'nodrafts' }));
    await generator.run('connect', { group: 'daemons', url: service.url, paths });
    const opened = await service.streams(room.conversationId, daemons, streamsPerBot);
    const growth = (kind: Kind) => () =>
      generator.run('grow', {
        group: 'daemons',
        counted: room.group,
        bySocket: opened,
        growing: opened.map((_, bot) => kinds[kind](bot)),
        tokensPerSecond,
        token,
        warmUpSeconds: bench.choose(1, 0.5),
        seconds: bench.choose(3, 1),
        serverPid: service.child.pid,
      });
    const results = await alternate(bench, {
      text: growth('text'),
      reasoning: growth('reasoning'),
      both: growth('both'),
    });
    await service.finishStreams(daemons, opened);
    const costOf = (kind: Kind, cost: keyof typeof costs) => median((results[kind] ?? []).map(costs[cost]));
    for (const kind of ['text', 'reasoning', 'both'] as const)
      bench.note(
        `${kind}: ${costOf(kind, 'cpu_ms')?.toFixed(2)} ms of CPU per MB received, ` +
          `${costOf(kind, 'bytes')?.toFixed(1)} bytes on the wire per byte`,
      );
    const besideText = (kind: Kind, cost: keyof typeof costs) => ratio(costOf(kind, cost), costOf('text', cost));
    const line = (kind: Kind, cost: keyof typeof costs): Line => ({
      figure: `${kind === 'both' ? 'text and reasoning' : kind}, ${cost === 'bytes' ? 'bytes' : 'CPU time'}`,
      value: besideText(kind, cost),
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
