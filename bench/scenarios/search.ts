import type { Bench } from '../bench.ts';
import { HttpConnection } from '../load/http-connection.ts';
import type { Generator } from '../processes/generator.ts';
import { formatted } from '../report.ts';
import type { Outcome, Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { lacksServers } from '../service/running-cluster.ts';
import { devToken } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { largest, median, percentile, ratio } from '../statistics.ts';
import { pacedJob } from './latency.ts';
import type { Room } from './room.ts';
import { allReaders, fill, indexed, type Kind, kinds, naiveOf, type Reader, type Stored } from './search-messages.ts';
import { clusterStore, embeddedStore, type SearchStore } from './search-stores.ts';
import { timedCall } from './timed-calls.ts';

/** Number of searches for each search without an index. */
const searchesPerScan = 8;

type Times = Map<Kind, number[]>;
const noTimes = (): Times => new Map(kinds.map((kind) => [kind, []]));
const allOf = (times: Times): number[] => [...times.values()].flat();

/** Each reader runs one search after another until the time is over. */
async function searches(stored: Stored, seconds: number): Promise<Times> {
  const times = noTimes();
  const endMs = performance.now() + seconds * 1_000;
  await Promise.all(
    allReaders.map(async (reader, offset) => {
      const connection = new HttpConnection(stored.store.service.url);
      for (let turn = offset; performance.now() < endMs; turn++) {
        const kind = kinds[turn % kinds.length];
        if (kind) times.get(kind)?.push(await searchMs(stored, connection, reader, kind));
      }
      connection.close();
    }),
  );
  return times;
}

async function searchMs(stored: Stored, connection: HttpConnection, reader: Reader, kind: Kind): Promise<number> {
  const call = { operation: 'searchMessages', token: devToken(reader), input: kind.input(stored) };
  return (await timedCall(connection, call)).ms;
}

interface Compared {
  ours: Times;
  naive: Times;
}

/**
 * Searches one after another, each several times beside the same search without an index. The sides begin in turn, and
 * neither's first search counts, which finds nothing in memory.
 */
async function compared(stored: Stored, reader: Reader, rounds: number): Promise<Compared> {
  const [ours, naive] = [noTimes(), noTimes()];
  const connection = new HttpConnection(stored.store.service.url);
  const scan = (kind: Kind) => stored.store.naiveMs(naiveOf(stored, reader, kind));
  const search = (kind: Kind) => searchMs(stored, connection, reader, kind);
  for (const kind of kinds) {
    await scan(kind);
    await search(kind);
    for (let round = 0; round < rounds; round++) {
      const sides = [
        async () => void naive.get(kind)?.push(await scan(kind)),
        async () => {
          for (let time = 0; time < searchesPerScan; time++) ours.get(kind)?.push(await search(kind));
        },
      ];
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side();
    }
  }
  connection.close();
  return { ours, naive };
}

const text = (value: number | undefined) => (value ?? Number.NaN).toFixed(2);

/** For each kind: the median search divided by the median search without an index. */
const ratiosOf = ({ ours, naive }: Compared): (number | undefined)[] =>
  kinds.map((kind) => ratio(median(ours.get(kind) ?? []), median(naive.get(kind) ?? [])));

/** A row for each kind: searches one after another, the same without an index, searches of three readers at once. */
function noteKinds(bench: Bench, { ours, naive }: Compared, atOnce: Times): void {
  const of = (times: Times, kind: Kind) => {
    const list = times.get(kind) ?? [];
    return [text(median(list)), text(percentile(list, 0.99))];
  };
  const rows = kinds.map((kind) => [
    kind.what,
    ...of(ours, kind),
    ...of(naive, kind).slice(0, 1),
    text(ratio(median(ours.get(kind) ?? []), median(naive.get(kind) ?? []))),
    ...of(atOnce, kind),
  ]);
  const heads = ['among all messages, ms', 'p50', 'p99', 'LIKE p50', 'ratio', 'three at once p50', 'p99'];
  for (const row of [heads, ...rows])
    bench.note(row.map((cell, at) => (at === 0 ? cell.padEnd(24) : cell.padStart(heads[at]?.length ?? 0))).join('  '));
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
    const behind = await indexed(stored.store);
    bench.note(`the index is complete ${behind.toFixed(1)} s after the last message`);
    return measure(bench, generator, stored);
  },
});

async function measure(bench: Bench, generator: Generator, stored: Stored): Promise<Outcome> {
  const { service } = stored.store;
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
  const rounds = bench.choose(3, 2);
  const ofOne = await compared(stored, 'of_one', rounds);
  const ofTen = await compared(stored, 'of_ten', rounds);
  const ofAll = await compared(stored, 'of_all', rounds);
  noteKinds(bench, ofAll, times);
  const ours = [ofOne, ofTen, ofAll].flatMap((one) => allOf(one.ours));
  const naive = [ofOne, ofTen, ofAll].flatMap((one) => allOf(one.naive));
  const all = allOf(times);
  const [p50, p99] = [median(all), percentile(all, 0.99)];
  const worst = largest([...times.values()].map((list) => percentile(list, 0.99)));
  const worstRatio = largest(ratiosOf(ofAll));
  const both = (what: string, list: number[]) =>
    bench.note(`${what}: p50 ${text(median(list))} ms, p99 ${text(percentile(list, 0.99))} ms`);
  both('all readers, one after another', ours);
  both('all readers, naive LIKE', naive);
  both('all readers, three at once', all);
  for (const [what, one] of [
    ['a reader of 10 rooms', ofTen],
    ['a reader of one room', ofOne],
  ] as const)
    bench.note(
      `${what}: p50 ${text(median(allOf(one.ours)))} ms, LIKE ${text(median(allOf(one.naive)))} ms; ` +
        `the worst kind takes ${text(largest(ratiosOf(one)))} of LIKE`,
    );
  bench.note(`deliveries of 100 sends/s: p99 ${text(alone.p99Ms)} ms alone, ${text(beside.p99Ms)} ms beside searches`);
  bench.note(`the loop's 10 ms timer, p99: ${text(lagAlone)} ms alone, ${text(lagBeside)} ms beside searches`);
  return {
    figures: {
      p50_ms: rounded(p50, 3),
      p99_ms: rounded(p99, 3),
      single_p50_ms: rounded(median(ours), 3),
      single_p99_ms: rounded(percentile(ours, 0.99), 3),
      worst_kind_p99_ms: rounded(worst, 3),
      naive_p50_ms: rounded(median(naive), 3),
      naive_p99_ms: rounded(percentile(naive, 0.99), 3),
      worst_kind_of_naive: rounded(worstRatio, 3),
      sends_alone_p99_ms: rounded(alone.p99Ms, 3),
      sends_beside_p99_ms: rounded(beside.p99Ms, 3),
      loop_alone_p99_ms: rounded(lagAlone, 3),
      loop_beside_p99_ms: rounded(lagBeside, 3),
    },
    lines: [
      { figure: 'p99 of searches, the worst of all kinds', value: worst, unit: 'ms', target: { atMost: 50 } },
      { figure: 'p99 of the naive LIKE', value: percentile(naive, 0.99), unit: 'ms' },
      {
        figure: 'a search / LIKE among all messages, the worst kind',
        value: worstRatio,
        unit: '×',
        target: { atMost: 1 },
      },
      { figure: 'p99 of deliveries beside searches', value: beside.p99Ms, unit: 'ms', target: { atMost: 50 } },
      {
        figure: 'beside / without searches',
        value: ratio(beside.p99Ms, alone.p99Ms),
        unit: '×',
        target: { atMost: 2 },
      },
    ],
  };
}

export const search = scenario(
  { key: 'search', title: 'searchMessages among 1,000,000 messages in 100 rooms, three readers at once' },
  embeddedStore,
);
export const clusterSearch = scenario(
  { key: 'cluster_search', title: 'the same searches on PostgreSQL', lacks: lacksServers },
  clusterStore,
);
