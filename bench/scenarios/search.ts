import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { HttpConnection } from '../load/http-connection.ts';
import type { Generator } from '../processes/generator.ts';
import { formatted } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { lacksServers } from '../service/running-cluster.ts';
import { devToken } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { largest, median, percentile } from '../statistics.ts';
import { pacedJob } from './latency.ts';
import type { Room } from './room.ts';
import { clusterStore, embeddedStore, type SearchStore } from './search-stores.ts';
import { timedCall } from './timed-calls.ts';

const rooms = 100;
const sendersPerRoom = 2;
/** Number of rooms that each reader belongs to. */
const readers = { of_one: 1, of_ten: 10, of_all: rooms } as const;
type Reader = keyof typeof readers;
const allReaders: readonly Reader[] = ['of_one', 'of_ten', 'of_all'];
/** Number of words that occur in two messages of each room. */
const rareWords = 10;
const vocabulary = 3_000;
const indexTimeoutMs = 600_000;

/** A unique word for each number; no word is a prefix of another. */
const wordOf = (number: number): string =>
  `${number.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')}ab`;

/** Sentences with a natural distribution of word frequencies, identical in every run. */
function sentences(count: number): string[] {
  let seed = 20_261_120;
  const next = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed / 0x80000000;
  };
  const word = () => wordOf(Math.floor(vocabulary ** next()));
  return Array.from({ length: count }, () => `the ${Array.from({ length: 12 }, word).join(' ')}.`);
}

interface Stored {
  store: SearchStore;
  chatIds: string[];
  senders: string[];
}

async function fill(bench: Bench, generator: Generator, store: SearchStore, messages: number): Promise<Stored> {
  const { service } = store;
  const senders = await service.people(rooms * sendersPerRoom);
  for (const name of allReaders) await service.call('getMe', devToken(name), {});
  const members = (room: number) => [
    ...senders.slice(room * sendersPerRoom, (room + 1) * sendersPerRoom),
    ...allReaders.filter((name) => room < readers[name]),
  ];
  const chatIds = await service.groups(Array.from({ length: rooms }, (_, room) => members(room)));
  await generator.run('connect', {
    group: 'seeding',
    url: service.url,
    paths: senders.map((name) => socketPath(devToken(name))),
  });
  const contents = sentences(senders.length);
  const half = { requestsPerSender: messages / senders.length / 2 };
  let seconds = 0;
  for (let part = 0; part < 2; part++) {
    const seeded = await generator.run('flood', {
      group: 'seeding',
      counted: 'seeding',
      senders: senders.map((_, socket) => ({
        socket,
        conversationId: chatIds[Math.floor(socket / sendersPerRoom)] ?? '',
        content: contents[socket] ?? '',
      })),
      inFlight: 8,
      length: half,
      serverPid: service.child.pid,
    });
    seconds += seeded.seconds;
    // Once in the middle, and once as the newest message.
    for (let rare = 0; rare < rareWords; rare++)
      for (const [room, chatId] of chatIds.entries())
        await service.call('sendMessage', devToken(senders[room * sendersPerRoom] ?? ''), {
          chat_id: chatId,
          text: `here is needle${wordOf(rare)}, once more`,
        });
  }
  await generator.run('drop', { group: 'seeding' });
  bench.note(`stored ${formatted(messages)} messages in ${rooms} rooms at ${formatted(messages / seconds)}/s`);
  return { store, chatIds, senders };
}

async function indexed(store: SearchStore): Promise<number> {
  const startMs = performance.now();
  while (!(await store.isIndexed())) {
    if (performance.now() - startMs > indexTimeoutMs) throw new Error('the index does not catch up');
    await sleep(100);
  }
  return (performance.now() - startMs) / 1_000;
}

interface Kind {
  what: string;
  input: (
    stored: Stored,
    reader: Reader,
  ) => { query: string; chat_id?: string | undefined; sender?: string | undefined };
  /** The LIKE pattern of the baseline. */
  like: string;
}

const rare = `needle${wordOf(3)}`;
const common = 'the';
const kinds: readonly Kind[] = [
  { what: 'a rare word', input: () => ({ query: rare }), like: rare },
  { what: 'a common word', input: () => ({ query: common }), like: common },
  { what: 'in one chat', input: ({ chatIds }) => ({ query: rare, chat_id: chatIds[0] }), like: rare },
  { what: 'by sender', input: ({ senders }) => ({ query: common, sender: senders[0] }), like: common },
  { what: 'two words', input: () => ({ query: `the ${wordOf(1)}` }), like: `the %${wordOf(1)}` },
  { what: 'a word of others', input: ({ chatIds }) => ({ query: wordOf(2), chat_id: chatIds[0] }), like: wordOf(2) },
  { what: 'in no message', input: () => ({ query: 'zzzzzz' }), like: 'zzzzzz' },
];

/** Each reader runs one search after another until the time is over. */
async function searches(stored: Stored, seconds: number): Promise<Map<Kind, number[]>> {
  const times = new Map(kinds.map((kind) => [kind, new Array<number>()]));
  const endMs = performance.now() + seconds * 1_000;
  await Promise.all(
    allReaders.map(async (reader, offset) => {
      const connection = new HttpConnection(stored.store.service.url);
      for (let turn = offset; performance.now() < endMs; turn++) {
        const kind = kinds[turn % kinds.length];
        if (!kind) continue;
        const input = kind.input(stored, reader);
        const { ms } = await timedCall(connection, { operation: 'searchMessages', token: devToken(reader), input });
        times.get(kind)?.push(ms);
      }
      connection.close();
    }),
  );
  return times;
}

/** Times of the same searches without an index. */
async function naiveTimes(stored: Stored, repeats: number): Promise<number[]> {
  const times: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++)
    for (const reader of allReaders)
      for (const { input, like } of kinds) {
        const { chat_id: chatId = null, sender = null } = input(stored, reader);
        times.push(await stored.store.naiveMs({ reader, like, chatId, sender }));
      }
  return times;
}

const scenario = (
  { key, title, lacks }: Pick<Scenario, 'key' | 'title' | 'lacks'>,
  open: (bench: Bench) => Promise<SearchStore>,
): Scenario => ({
  key,
  title,
  ...(lacks && { lacks }),
  async run(bench) {
    const messages = bench.choose(1_000_000, 40_000);
    if (bench.quick) bench.note(`quick: ${formatted(messages)} messages instead`);
    const generator = bench.generator();
    const stored = await fill(bench, generator, await open(bench), messages);
    const { service } = stored.store;
    const behind = await indexed(stored.store);
    bench.note(`the index is complete ${behind.toFixed(1)} s after the last message`);

    const seconds = bench.choose(15, 3);
    const path = socketPath(devToken(stored.senders[0] ?? ''));
    await generator.run('connect', { group: 'sends', url: service.url, paths: [path, path], peekBytes: 4_096 });
    const room: Room = {
      group: 'sends',
      url: service.url,
      pid: service.child.pid,
      conversationId: stored.chatIds[0] ?? '',
    };
    const sends = () => generator.run('paced', pacedJob(room, 0.5, seconds));
    const lag = async () => ((await service.gauge('nodejs_eventloop_lag_p99_seconds')) ?? Number.NaN) * 1_000;
    await searches(stored, bench.choose(3, 1));
    await lag();
    const alone = await sends();
    const lagAlone = await lag();
    const [beside, times] = await Promise.all([sends(), searches(stored, seconds)]);
    const lagBeside = await lag();
    for (const [{ what }, list] of times)
      bench.note(
        `${what}: p50 ${median(list)?.toFixed(2)} ms, p99 ${percentile(list, 0.99)?.toFixed(2)} ms, ${list.length} searches`,
      );
    const naive = await naiveTimes(stored, bench.choose(2, 1));
    const all = [...times.values()].flat();
    const [p50, p99] = [median(all), percentile(all, 0.99)];
    const worst = largest([...times.values()].map((list) => percentile(list, 0.99)));
    const text = (value: number | undefined) => value?.toFixed(2);
    bench.note(`naive LIKE: p50 ${text(median(naive))} ms, p99 ${text(percentile(naive, 0.99))} ms`);
    bench.note(
      `deliveries of 100 sends/s: p99 ${text(alone.p99Ms)} ms alone, ${text(beside.p99Ms)} ms beside searches`,
    );
    bench.note(`the loop's 10 ms timer, p99: ${text(lagAlone)} ms alone, ${text(lagBeside)} ms beside searches`);
    return {
      figures: {
        p50_ms: rounded(p50, 3),
        p99_ms: rounded(p99, 3),
        worst_kind_p99_ms: rounded(worst, 3),
        naive_p50_ms: rounded(median(naive), 3),
        naive_p99_ms: rounded(percentile(naive, 0.99), 3),
        sends_alone_p99_ms: rounded(alone.p99Ms, 3),
        sends_beside_p99_ms: rounded(beside.p99Ms, 3),
        loop_alone_p99_ms: rounded(lagAlone, 3),
        loop_beside_p99_ms: rounded(lagBeside, 3),
      },
      lines: [
        { figure: 'p99 of searches, the worst of all kinds', value: worst, unit: 'ms', target: { atMost: 50 } },
        { figure: 'p99 of the naive LIKE', value: percentile(naive, 0.99), unit: 'ms' },
        { figure: 'p99 of deliveries beside searches', value: beside.p99Ms, unit: 'ms', target: { atMost: 50 } },
      ],
    };
  },
});

export const search = scenario(
  { key: 'search', title: 'searchMessages among 1,000,000 messages in 100 rooms, three readers at once' },
  embeddedStore,
);
export const clusterSearch = scenario(
  { key: 'cluster_search', title: 'the same searches on PostgreSQL', lacks: lacksServers },
  clusterStore,
);
