import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sizes } from '../baselines/relay.ts';
import type { Bench } from '../bench.ts';
import type { Cores, FloodJob, FloodResult } from '../load/jobs.ts';
import type { Generator } from '../processes/generator.ts';
import { formatted } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { devToken } from '../service/running-service.ts';
import type { RunningService } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { largest, median, ratio } from '../statistics.ts';
import { ordinaryText, sizesOf, sizesText } from './room.ts';
import { alternate, coresText } from './rounds.ts';

const roomCount = 200;
export const roomSize = 5;
const people = roomCount * roomSize;
const httpConnections = 256;
/** The service's gauge: how late its repeating timer fires at p99 over the last ten seconds, in seconds. */
const timerGauge = 'parley_timer_p99_late_seconds';

/** The rooms of one server, with every member connected. */
export interface Rooms {
  group: string;
  pid: number;
  /** The conversation of each connection. */
  conversationIds: string[];
}

const roomOf = (person: number): number => Math.floor(person / roomSize);

export async function serviceRooms(
  service: RunningService,
  generator: Generator,
  group = 'service',
  peekBytes = 0,
): Promise<Rooms> {
  const names = await service.people(people);
  const members = Array.from({ length: roomCount }, (_, room) => names.slice(room * roomSize, (room + 1) * roomSize));
  const ids = await service.groups(members);
  const paths = names.map((name) => socketPath(devToken(name)));
  await generator.run('connect', { group, url: service.url, paths, peekBytes });
  return {
    group,
    pid: service.child.pid,
    conversationIds: names.map((_, index) => ids[roomOf(index)] ?? ''),
  };
}

export async function relayRooms(
  bench: Bench,
  kind: 'naive' | 'coalescing',
  sizes: Sizes | 'own',
  generator: Generator,
  peekBytes = 0,
): Promise<Rooms> {
  const relay = await bench.relay(kind, sizes);
  const ids = Array.from({ length: roomCount }, () => randomUUID());
  const conversationIds = Array.from({ length: people }, (_, index) => ids[roomOf(index)] ?? '');
  const paths = conversationIds.map((room, index) => socketPath(devToken(`m${index}`), { room }));
  await generator.run('connect', { group: kind, url: relay.url, paths, peekBytes });
  return { group: kind, pid: relay.pid, conversationIds };
}

/** Every member sends, one message after another. */
export const floodRooms = (
  generator: Generator,
  { group, pid, conversationIds }: Rooms,
  length: FloodJob['length'],
): Promise<FloodResult> =>
  generator.run('flood', {
    group,
    counted: group,
    senders: conversationIds.map((conversationId, socket) => ({ socket, conversationId, content: ordinaryText })),
    inFlight: 1,
    length,
    serverPid: pid,
  });

export const messagesPerSecond = (result: FloodResult): number => result.acks / result.seconds;

export const roomsOf5: Scenario = {
  key: 'rooms_of_5',
  title: '1,000 connections in rooms of five, each sends after its last message was acknowledged',
  async run(bench) {
    const generator = bench.generator();
    const length = { warmUpSeconds: bench.choose(2, 0.3), seconds: bench.choose(5, 1) };
    const probeLength = { warmUpSeconds: 0, seconds: bench.choose(2, 0.4) };
    const flood = (rooms: Rooms, during = length) => floodRooms(generator, rooms, during);

    const running = await bench.attempt('service', () => bench.service());
    const service = running && (await bench.attempt('service', () => serviceRooms(running, generator)));
    const probe = service && (await bench.attempt('service', () => flood(service, probeLength)));
    const sizes = sizesOf(probe);
    const naive = await bench.attempt('naive relay', () => relayRooms(bench, 'naive', sizes, generator));

    const timerMs: (number | undefined)[] = [];
    const results = await alternate(bench, {
      service:
        running &&
        probe &&
        (async () => {
          const [result, timer] = await Promise.all([flood(service), timerUnderLoad(running, length)]);
          timerMs.push(timer);
          return result;
        }),
      naive: naive && (() => flood(naive)),
    });
    const overHttp: number[] = [];
    let httpCores: Cores | undefined;
    if (running && probe) {
      await bench.attempt('service over HTTP', async () => {
        const senders = service.conversationIds.slice(0, httpConnections).map((chatId, index) => ({
          token: devToken(`m${index}`),
          chatId,
          text: ordinaryText,
        }));
        for (let round = 0; round < bench.rounds; round++) {
          const { url, child } = running;
          const result = await generator.run('httpFlood', { url, senders, ...length, serverPid: child.pid });
          overHttp.push(result.replies / result.seconds);
          httpCores = result.cores;
        }
      });
    }
    bench.note(`${sizesText(sizes)}, ${bench.rounds} round(s) of ${length.seconds} s`);
    noteRooms(bench, 'service', results['service'] ?? []);
    noteRooms(bench, 'naive relay', results['naive'] ?? []);
    if (httpCores) {
      const rates = overHttp.map(formatted).join(', ');
      bench.note(`over HTTP: ${rates} messages/s, ${httpConnections} connections; ${coresText(httpCores, 'server')}`);
    }
    if (!bench.quick) {
      const ceiling = await bench.attempt('coalescing relay', async () =>
        flood(await relayRooms(bench, 'coalescing', sizes, generator)),
      );
      if (ceiling) noteRooms(bench, 'ceiling (coalescing relay, stores nothing)', [ceiling]);
    }

    const serviceRate = median((results['service'] ?? []).map(messagesPerSecond));
    const naiveRate = median((results['naive'] ?? []).map(messagesPerSecond));
    const httpRate = median(overHttp);
    const timer = largest(timerMs);
    return {
      figures: {
        service_messages_per_s: rounded(serviceRate),
        http_messages_per_s: rounded(httpRate),
        naive_messages_per_s: rounded(naiveRate),
        timer_p99_ms: rounded(timer, 2),
      },
      lines: [
        { figure: 'acknowledged, service', value: serviceRate, unit: 'messages/s' },
        { figure: 'acknowledged, naive relay', value: naiveRate, unit: 'messages/s' },
        { figure: 'service / naive', value: ratio(serviceRate, naiveRate), unit: '×', target: { atLeast: 1.3 } },
        { figure: 'acknowledged over HTTP', value: httpRate, unit: 'messages/s' },
        { figure: 'HTTP / naive', value: ratio(httpRate, naiveRate), unit: '×', target: { atLeast: 0.8 } },
        { figure: 'a timer, p99 late (worst round)', value: timer, unit: 'ms', target: { atMost: 11.5 } },
      ],
    };
  },
};

/** Read just before the load ends, so that the gauge's window lies within the load. */
async function timerUnderLoad(
  service: RunningService,
  length: { warmUpSeconds: number; seconds: number },
): Promise<number | undefined> {
  await sleep((length.warmUpSeconds + length.seconds) * 1_000 - 300);
  const seconds = await service.gauge(timerGauge);
  return seconds === undefined ? undefined : seconds * 1_000;
}

export function noteRooms(bench: Bench, side: string, rounds: readonly FloodResult[]): void {
  const last = rounds.at(-1);
  if (last === undefined) return;
  const rates = rounds.map((result) => formatted(messagesPerSecond(result))).join(', ');
  const delivered = ((100 * last.allMessages) / (last.allAcks * roomSize)).toFixed(1);
  bench.note(`${side}: ${rates} messages/s; ${delivered}% delivered; ${coresText(last.cores, 'server')}`);
}
