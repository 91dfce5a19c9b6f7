import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Generator } from '../processes/generator.ts';
import { formatted } from '../report.ts';
import type { Line, Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { devToken } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import { largest, median } from '../statistics.ts';
import { ordinaryText } from './room.ts';

const clients = 60;
const roomSize = 10;
const rooms = clients / roomSize;
/** Lengths of the stored messages, in characters. */
const lengths = [ordinaryText.length, 400, 2_000, 8_000];
const perSecond = 100;
const withinSeconds = 40;
/** How often readiness is asked for. */
const lookMs = 10;

const endings = { stop: 'SIGTERM', kill: 'SIGKILL' } as const;
type Ending = keyof typeof endings;
const targets: Record<Ending, number> = { stop: 1, kill: 2 };

/** A service's data, whose first rooms the clients are in. */
interface Data {
  dataDir: string;
  names: string[];
  chatIds: string[];
}

const databaseBytes = (dataDir: string): number => statSync(path.join(dataDir, 'parley.db')).size;

/** Data of at least this size: that of the folder, if a run before this one has made it. */
async function fill(bench: Bench, generator: Generator, bytes: number): Promise<Data> {
  const dataDir = await bench.keptDataDir();
  const note = path.join(dataDir, 'starts.json');
  // Written by this function.
  const made = await readFile(note, 'utf8').then(
    (text) => JSON.parse(text) as Data,
    () => undefined,
  );
  if (made !== undefined && databaseBytes(dataDir) >= bytes) return { ...made, dataDir };
  const service = await bench.serviceOn(dataDir);
  const names = await service.people(clients);
  const members = Array.from({ length: rooms }, (_, room) => names.slice(room * roomSize, (room + 1) * roomSize));
  const ids = made === undefined ? await service.groups(members) : [];
  const chatIds = made?.chatIds ?? names.map((_, index) => ids[Math.floor(index / roomSize)] ?? '');
  // A run that is cut off is continued by the next one.
  await writeFile(note, JSON.stringify({ names, chatIds }));
  const senders = lengths.map((length, index) => ({
    socket: index,
    conversationId: chatIds[index * roomSize] ?? '',
    content: ordinaryText.repeat(Math.ceil(length / ordinaryText.length)),
  }));
  const writers = lengths.map((_, index) => socketPath(devToken(names[index * roomSize] ?? '')));
  await generator.run('connect', { group: 'fill', url: service.url, paths: writers });
  let messages = 0;
  while (databaseBytes(dataDir) < bytes) {
    const { allAcks } = await generator.run('flood', {
      group: 'fill',
      counted: 'fill',
      senders,
      inFlight: 32,
      length: { requestsPerSender: 1_000 },
      serverPid: service.child.pid,
    });
    messages += allAcks;
  }
  await generator.run('drop', { group: 'fill' });
  await service.stop('SIGTERM');
  bench.note(`stored ${formatted(messages)} messages`);
  return { dataDir, names, chatIds };
}

/** A port that was free a moment ago: the clients find the service at the same address after each start. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Seconds from the start of the process. */
interface Start {
  ready: number;
  /** When the first and the last client had its updates. */
  first: number;
  last: number;
  /** The steps of the start in milliseconds, as the service logs them. */
  steps: Record<string, number>;
}

async function becomesReady(url: string): Promise<number> {
  const untilMs = Date.now() + withinSeconds * 1_000;
  while (Date.now() < untilMs) {
    const isReady = await fetch(`${url}/readyz`).then(
      async (response) => (await response.text(), response.ok),
      () => false,
    );
    if (isReady) return Date.now();
    await sleep(lookMs);
  }
  throw new Error(`not ready within ${withinSeconds} s`);
}

export const starts: Scenario = {
  key: 'starts',
  title: `stopped and killed beside ${clients} clients that send and reconnect`,
  async run(bench) {
    const generator = bench.generator();
    const data = await fill(bench, generator, (bench.size ?? bench.choose(0.5, 0.02)) * 1e9);
    bench.note(`a database of ${(databaseBytes(data.dataDir) / 1e9).toFixed(2)} GB`);
    const port = await freePort();
    const start = () => bench.serviceOn(data.dataDir, { port });
    let service = await start();
    const { url } = service;
    const urls = data.names.map((name) => `${url.replace('http', 'ws')}${socketPath(devToken(name))}`);
    const sends = { chatIds: data.chatIds, text: ordinaryText, perSecond };
    await generator.run('gather', { urls, sends });
    const found: Record<Ending, Start[]> = { stop: [], kill: [] };
    for (let round = 0; round < bench.choose(15, 2); round++) {
      for (const ending of ['stop', 'kill'] as const) {
        await sleep(500 + Math.random() * 1_000);
        const back = generator.run('comeBack', { isCutHere: false, awaited: null, withinSeconds });
        // A failure of what is awaited first must not leave it unhandled.
        back.catch(() => {});
        await service.stop(endings[ending]);
        const fromMs = Date.now();
        const [readyMs, running] = await Promise.all([becomesReady(url), start()]);
        service = running;
        const { first, last } = await back;
        const seconds = (ms: number): number => (ms - fromMs) / 1_000;
        found[ending].push({
          ready: seconds(readyMs),
          first: seconds(first),
          last: seconds(last),
          steps: stepsOf(service.child.ready),
        });
      }
    }
    const of = (ending: Ending, figure: 'ready' | 'first' | 'last'): number[] =>
      found[ending].map((one) => one[figure]);
    for (const ending of ['stop', 'kill'] as const) {
      for (const figure of ['ready', 'first', 'last'] as const)
        bench.note(
          `after a ${ending}, ${figure}: ${of(ending, figure)
            .map((value) => value.toFixed(2))
            .join(' ')} s`,
        );
      bench.note(`after a ${ending}, steps (median/longest ms): ${stepsText(found[ending])}`);
    }
    const lines = (['stop', 'kill'] as const).flatMap((ending): Line[] => [
      { figure: `ready after a ${ending}, median`, value: median(of(ending, 'ready')), unit: 's' },
      {
        figure: `ready after a ${ending}, longest`,
        value: largest(of(ending, 'ready')),
        unit: 's',
        target: { atMost: targets[ending] },
      },
      { figure: `… until the first client has its updates, longest`, value: largest(of(ending, 'first')), unit: 's' },
      { figure: `… until the last client has its updates, longest`, value: largest(of(ending, 'last')), unit: 's' },
    ]);
    return {
      figures: {
        stop_ready_s: rounded(median(of('stop', 'ready')), 3),
        stop_ready_longest_s: rounded(largest(of('stop', 'ready')), 3),
        stop_first_s: rounded(median(of('stop', 'first')), 3),
        stop_last_s: rounded(median(of('stop', 'last')), 3),
        kill_ready_s: rounded(median(of('kill', 'ready')), 3),
        kill_ready_longest_s: rounded(largest(of('kill', 'ready')), 3),
        kill_first_s: rounded(median(of('kill', 'first')), 3),
        kill_last_s: rounded(median(of('kill', 'last')), 3),
      },
      lines,
    };
  },
};

function stepsOf({ steps_ms }: Readonly<Record<string, unknown>>): Record<string, number> {
  // An older service logs none.
  return (steps_ms ?? {}) as Record<string, number>;
}

function stepsText(all: readonly Start[]): string {
  const names = Object.keys(all[0]?.steps ?? {});
  const texts = names.map((name) => {
    const times = all.map(({ steps }) => steps[name] ?? 0);
    return `${name} ${median(times)?.toFixed(0)}/${largest(times)?.toFixed(0)}`;
  });
  return texts.length === 0 ? 'not logged' : texts.join(', ');
}
