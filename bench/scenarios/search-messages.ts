// What the search scenarios store and search for: rooms of messages, three readers of different size, kinds of queries.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Generator } from '../processes/generator.ts';
import { formatted } from '../report.ts';
import { numberAt, textAt } from '../service/reply-fields.ts';
import { devToken, type RunningService } from '../service/running-service.ts';
import { socketPath } from '../service/socket-paths.ts';
import type { Naive, SearchStore } from './search-stores.ts';

const rooms = 100;
const sendersPerRoom = 2;
/** Number of rooms that each reader belongs to. */
const readers = { of_one: 1, of_ten: 10, of_all: rooms } as const;
export type Reader = keyof typeof readers;
export const allReaders: readonly Reader[] = ['of_one', 'of_ten', 'of_all'];
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

export interface Stored {
  store: SearchStore;
  chatIds: string[];
  senders: string[];
  /** A message of the first room in the middle of all. */
  middle: { id: string; position: number };
}

const senderOf = (room: number): string => `m${room * sendersPerRoom}`;

export async function fill(bench: Bench, generator: Generator, store: SearchStore, messages: number): Promise<Stored> {
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
  let middle: Stored['middle'] | undefined;
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
    // Once in the middle, and once as the newest messages.
    const first = await sendRare(service, chatIds);
    middle ??= { id: textAt(first, 'id'), position: numberAt(first, 'position') };
  }
  await generator.run('drop', { group: 'seeding' });
  bench.note(`stored ${formatted(messages)} messages in ${rooms} rooms at ${formatted(messages / seconds)}/s`);
  if (!middle) throw new Error('nothing was sent');
  return { store, chatIds, senders, middle };
}

/** Sends messages that few others are like, to each room; returns the first. */
async function sendRare(service: RunningService, chatIds: readonly string[]): Promise<unknown> {
  let first: unknown;
  const texts = Array.from({ length: rareWords }, (_, rare) => `here is needle${wordOf(rare)}, once more`);
  for (const text of [...texts, '明日は東京タワーに行きます'])
    for (const [room, chat_id] of chatIds.entries()) {
      const sent = await service.call('sendMessage', devToken(senderOf(room)), { chat_id, text });
      first ??= sent;
    }
  for (const [room, chat_id] of chatIds.entries()) {
    const attachments = [{ id: await uploaded(service, devToken(senderOf(room))) }];
    await service.call('sendMessage', devToken(senderOf(room)), { chat_id, text: 'here is the file', attachments });
  }
  return first;
}

async function uploaded({ url }: RunningService, token: string): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob(['0101'], { type: 'application/octet-stream' }), 'numbers.bin');
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`${url}/api/uploadFile`, { method: 'POST', headers, body });
  return textAt(await reply.json(), 'result', 'id');
}

/** Waits until all messages are indexed; returns the seconds that this took. */
export async function indexed(store: SearchStore): Promise<number> {
  const startMs = performance.now();
  while (!(await store.isIndexed())) {
    if (performance.now() - startMs > indexTimeoutMs) throw new Error('the index does not catch up');
    await sleep(100);
  }
  return (performance.now() - startMs) / 1_000;
}

interface SearchInput {
  query: string;
  chat_id?: string | undefined;
  sender?: string | undefined;
  has?: 'file';
  before?: string;
}

export interface Kind {
  what: string;
  input: (stored: Stored) => SearchInput;
  /** What the baseline looks for. */
  like: string;
}

const rare = `needle${wordOf(3)}`;
const common = 'the';
export const kinds: readonly Kind[] = [
  { what: 'one word', input: () => ({ query: rare }), like: rare },
  { what: 'a very common word', input: () => ({ query: common }), like: common },
  { what: 'two words', input: () => ({ query: `the ${wordOf(1)}` }), like: `the %${wordOf(1)}` },
  { what: 'a prefix', input: () => ({ query: 'needl' }), like: 'needl' },
  { what: 'a quoted phrase', input: () => ({ query: '"once more"' }), like: 'once more' },
  { what: 'Chinese and Japanese', input: () => ({ query: '東京タワー' }), like: '東京タワー' },
  { what: 'in one chat', input: ({ chatIds }) => ({ query: rare, chat_id: chatIds[0] }), like: rare },
  { what: 'by sender', input: ({ senders }) => ({ query: common, sender: senders[0] }), like: common },
  { what: 'with a file', input: () => ({ query: common, has: 'file' }), like: common },
  { what: 'before a message', input: ({ middle }) => ({ query: rare, before: middle.id }), like: rare },
  { what: 'a word of others', input: ({ chatIds }) => ({ query: wordOf(2), chat_id: chatIds[0] }), like: wordOf(2) },
  { what: 'in no message', input: () => ({ query: 'zzzzzz' }), like: 'zzzzzz' },
];

/** The same search without an index. */
export function naiveOf(stored: Stored, reader: Reader, { input, like }: Kind): Naive {
  const { chat_id: chatId = null, sender = null, has, before } = input(stored);
  return {
    reader,
    like,
    chatId,
    sender,
    holdsFile: has !== undefined,
    before: before === undefined ? null : stored.middle.position,
  };
}
