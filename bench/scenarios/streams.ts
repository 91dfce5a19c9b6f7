import { randomUUID } from 'node:crypto';
import type { PacedJob } from '../load/jobs.ts';
import type { Generator } from '../processes/generator.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import type { RunningService } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { difference } from '../statistics.ts';
import { notePaced, p99Of, pacedJob, wholeFrameBytes } from './latency.ts';
import { floodFromOne, relayRoom, serviceRoom, sizesOf, sizesText } from './room.ts';
import type { Room } from './room.ts';
import { alternate } from './rounds.ts';

const members = 50;
const bots = 5;
const streamsPerBot = 4;
const tokensPerSecond = 20;
const token = ' token';

interface StreamingRoom extends Room {
  streams: NonNullable<PacedJob['streams']>;
}

async function serviceSide(service: RunningService, generator: Generator): Promise<StreamingRoom> {
  const room = await serviceRoom(service, generator, members, wholeFrameBytes);
  const daemons = await service.bots('m0', room.conversationId, bots);
  const bySocket = await service.streams(room.conversationId, daemons, streamsPerBot);
  const group = `daemons of ${room.group}`;
  const paths = daemons.map((bot) => socketPath(bot.token, { caps: 'nodrafts' }));
  await generator.run('connect', { group, url: room.url, paths });
  return { ...room, streams: { group, bySocket, tokensPerSecond, token } };
}

async function relaySide(room: Room, generator: Generator): Promise<StreamingRoom> {
  const group = `daemons of ${room.group}`;
  const path = socketPath('mb_bench', { caps: 'nodrafts', room: room.conversationId });
  await generator.run('connect', { group, url: room.url, paths: Array.from({ length: bots }, () => path) });
  const bySocket = Array.from({ length: bots }, () => Array.from({ length: streamsPerBot }, () => randomUUID()));
  return { ...room, streams: { group, bySocket, tokensPerSecond, token } };
}

export const streams: Scenario = {
  key: 'streams',
  title: '20 streams of 20 tokens/s into a room of 50, with 100 messages/s',
  async run(bench) {
    const generator = bench.generator();
    const paced = (room: StreamingRoom, seconds: number) =>
      generator.run('paced', { ...pacedJob(room, 0.3, seconds), streams: room.streams });
    const warm = (room: StreamingRoom) => floodFromOne(generator, room, 8, { requestsPerSender: 1_000 });

    const service = await bench.attempt('service', async () => serviceSide(await bench.service(), generator));
    const probe =
      service &&
      (await bench.attempt('service', async () => {
        await warm(service);
        return paced(service, 0.5);
      }));
    const sizes = sizesOf(probe);
    const naive = await bench.attempt('naive relay', async () => {
      const room = await relayRoom(bench, { kind: 'naive', sizes }, generator, members, wholeFrameBytes);
      const side = await relaySide(room, generator);
      await warm(side);
      return side;
    });
    const seconds = bench.choose(5, 1);
    const results = await alternate(bench, {
      service: probe && (() => paced(service, seconds)),
      naive: naive && (() => paced(naive, seconds)),
    });
    bench.note(`${sizesText(sizes)}, deltas of ${sizes.deltaBytes}`);
    notePaced(bench, 'service', results['service'] ?? []);
    notePaced(bench, 'naive relay', results['naive'] ?? []);
    const [servicePart, naivePart] = [p99Of(results['service']), p99Of(results['naive'])];
    return {
      figures: { message_p99_ms: rounded(servicePart, 3), naive_p99_ms: rounded(naivePart, 3) },
      lines: [
        { figure: 'p99 of messages, service', value: servicePart, unit: 'ms' },
        { figure: 'p99 of messages, naive relay', value: naivePart, unit: 'ms' },
        { figure: 'service - naive', value: difference(servicePart, naivePart), unit: 'ms', target: { atMost: 2 } },
      ],
    };
  },
};
