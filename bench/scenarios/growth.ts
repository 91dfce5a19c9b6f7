import type { Bench } from '../bench.ts';
import { HttpConnection } from '../load/http-connection.ts';
import type { Generator } from '../processes/generator.ts';
import { formatted } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { devToken } from '../service/running-service.ts';
import type { RunningService } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { largest, median, ratio } from '../statistics.ts';
import { floodFromOne, ordinaryText } from './room.ts';
import type { Room } from './room.ts';
import { repeatFor } from './rounds.ts';
import { timedCall } from './timed-calls.ts';

const members = 4;
const owner = devToken('m0');
const smallMessages = 1_000;
const seedingInFlight = 250;

/** One chat with its messages, in a data directory on which services can be started. */
interface Stored {
  dataDir: string;
  chatId: string;
  /** A time in the middle of its history. */
  middle: string;
}

async function store(bench: Bench, generator: Generator, messages: number): Promise<Stored> {
  const dataDir = await bench.dataDir();
  const service = await bench.serviceOn(dataDir);
  const names = await service.people(members);
  const chatId = await service.group('A long history', names);
  const group = `seeding ${chatId}`;
  const paths = names.map((name) => socketPath(devToken(name)));
  await generator.run('connect', { group, url: service.url, paths });
  const fromMs = Date.now();
  const seeded = await generator.run('flood', {
    group,
    counted: group,
    senders: names.map((_, socket) => ({ socket, conversationId: chatId, content: ordinaryText })),
    inFlight: seedingInFlight,
    length: { requestsPerSender: messages / members },
    serverPid: service.child.pid,
  });
  const middle = new Date((fromMs + fromMs + seeded.seconds * 1_000) / 2).toISOString();
  bench.note(`stored ${formatted(seeded.allAcks)} messages at ${formatted(seeded.allAcks / seeded.seconds)}/s`);
  await generator.run('drop', { group });
  await service.stop('SIGTERM');
  return { dataDir, chatId, middle };
}

/** The small and the large store, each with a running service. */
type Sides<Value> = { small: Value; large: Value };

/** A store without messages. Its first start creates the tables, so that later starts compare with the large store. */
async function initialised(bench: Bench): Promise<string> {
  const dataDir = await bench.dataDir();
  await (await bench.serviceOn(dataDir)).stop('SIGTERM');
  return dataDir;
}

/** Time from the start of the process to its ready line, on an empty and on the large store. */
async function startTimes(bench: Bench, empty: string, large: Stored): Promise<{ empty: number[]; large: number[] }> {
  const times = { empty: [] as number[], large: [] as number[] };
  for (let round = 0; round < bench.choose(5, 1); round++) {
    for (const [side, dataDir] of [['empty', empty] as const, ['large', large.dataDir] as const]) {
      const service = await bench.serviceOn(dataDir);
      times[side].push(service.child.startMs);
      await service.stop('SIGTERM');
    }
  }
  return times;
}

/** Ratios of median times, large history to small, of the newest page and of one from the middle. */
async function historyRatios(bench: Bench, stored: Sides<Stored>, services: Sides<RunningService>) {
  const connections = {
    small: new HttpConnection(services.small.url),
    large: new HttpConnection(services.large.url),
  };
  const times: Record<'newest' | 'middle', Sides<number[]>> = {
    newest: { small: [], large: [] },
    middle: { small: [], large: [] },
  };
  const warmUps = bench.choose(60, 30);
  await repeatFor({ times: bench.choose(360, 130), seconds: bench.choose(30, 2) }, async (round) => {
    for (const page of ['newest', 'middle'] as const) {
      for (const side of ['small', 'large'] as const) {
        const { chatId, middle } = stored[side];
        const input = { chat_id: chatId, limit: 50, ...(page === 'middle' ? { around: middle } : {}) };
        const { ms } = await timedCall(connections[side], { operation: 'getChatHistory', token: owner, input });
        if (round >= warmUps) times[page][side].push(ms);
      }
    }
  });
  for (const connection of Object.values(connections)) connection.close();
  return Object.entries(times).map(([page, { small, large }]) => {
    const medians = { small: median(small), large: median(large) };
    bench.note(`history, ${page} page: ${medians.small?.toFixed(3)} ms small, ${medians.large?.toFixed(3)} ms large`);
    return ratio(medians.large, medians.small);
  });
}

async function sendRatio(
  bench: Bench,
  generator: Generator,
  stored: Sides<Stored>,
  services: Sides<RunningService>,
): Promise<number | undefined> {
  const messages = bench.choose(5_000, 1_500);
  const rates: Sides<number[]> = { small: [], large: [] };
  const roomOf = (side: keyof Sides<Room>): Room => {
    const { url, child } = services[side];
    return { group: side, url, pid: child.pid, conversationId: stored[side].chatId };
  };
  const rooms = { small: roomOf('small'), large: roomOf('large') };
  for (const side of ['small', 'large'] as const) {
    await generator.run('connect', { group: side, url: services[side].url, paths: [socketPath(owner)] });
    // Warms up in another chat, so that the small one stays small.
    const warmUpId = await services[side].group('Warming up', ['m0', 'm1']);
    const warmUp = { ...rooms[side], conversationId: warmUpId };
    await floodFromOne(generator, warmUp, 64, { requestsPerSender: messages });
  }
  for (let round = 0; round < bench.choose(5, 3); round++) {
    for (const side of ['small', 'large'] as const) {
      const result = await floodFromOne(generator, rooms[side], 64, { requestsPerSender: messages });
      rates[side].push(result.allAcks / result.seconds);
    }
  }
  const [small, large] = [median(rates.small), median(rates.large)];
  bench.note(`sends, 64 unacknowledged: ${formatted(small)}/s small, ${formatted(large)}/s large`);
  return ratio(small, large);
}

export const growth: Scenario = {
  key: 'growth',
  title: 'with 1,000,000 stored messages compared with 1,000: history, sends, start',
  async run(bench) {
    const largeMessages = bench.choose(1_000_000, 30_000);
    if (bench.quick) bench.note(`quick: ${formatted(largeMessages)} messages instead`);
    const generator = bench.generator();
    // Nothing is timed until all three stores are ready.
    const [empty, storedSmall, storedLarge] = await Promise.all([
      initialised(bench),
      store(bench, generator, smallMessages),
      store(bench, generator, largeMessages),
    ]);
    const stored = { small: storedSmall, large: storedLarge };
    const starts = await startTimes(bench, empty, stored.large);
    const [small, large] = await Promise.all([
      bench.serviceOn(stored.small.dataDir),
      bench.serviceOn(stored.large.dataDir),
    ]);
    const services = { small, large };
    const history = largest(await historyRatios(bench, stored, services));
    const send = await sendRatio(bench, generator, stored, services);
    const [emptyStart, largeStart] = [median(starts.empty), median(starts.large)];
    bench.note(`start until ready: ${emptyStart?.toFixed(0)} ms empty, ${largeStart?.toFixed(0)} ms large`);
    const start = ratio(largeStart, emptyStart);
    const target = { atMost: 1.5 };
    return {
      figures: {
        history_ratio: rounded(history, 3),
        send_ratio: rounded(send, 3),
        start_ratio: rounded(start, 3),
      },
      lines: [
        { figure: 'a page of history, the worse of two', value: history, unit: '×', target },
        { figure: 'time of a send', value: send, unit: '×', target },
        { figure: 'start until ready', value: start, unit: '×', target },
      ],
    };
  },
};
