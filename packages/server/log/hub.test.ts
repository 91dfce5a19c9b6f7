import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { allClasses, classesOf } from './caps.ts';
import type { Awaitable } from '../store/sql.ts';
import type { EventLog, ScopeHead } from './event-log.ts';
import { Hub, type Receiver, type Subscription } from './hub.ts';
import { chatScope, scopesOf } from '../core/event-kinds.ts';

/** A socket that records its writes in a list shared with the other sockets. */
class Reader implements Receiver {
  subscription: Subscription | null = null;
  ownLast: number | null = null;
  isOpen = true;
  isAttentive = true;
  readonly id: string;
  readonly name: string;
  readonly #writes: string[];

  constructor(name: string, writes: string[]) {
    this.id = name;
    this.name = name;
    this.#writes = writes;
  }

  joined(subscription: Subscription): void {
    this.subscription = subscription;
  }

  sendFrames(bytes: Buffer): void {
    this.#writes.push(`${this.name}: ${seqsIn(bytes)}`);
  }

  tick(): void {
    this.#writes.push(`${this.name}: tick ${this.ownLast ?? this.subscription?.last}`);
  }

  sendReplies(frames: Buffer | null): void {
    this.#writes.push(`${this.name}: replies${frames ? `, ${seqsIn(frames)}` : ''}`);
  }
}

const noHead: ScopeHead = { base: 0, draft: 0, delta: 0, typing: 0, patch: 0, activity: 0, ext: 0, part: 0 };

/** A hub with a fake log that has memberships and heads. */
function hubOf(standing: (accountKey: number) => Awaitable<{ chats: number[]; head?: ScopeHead }>): Hub {
  const hub = new Hub();
  const standingOf = async (accountKey: number) => {
    const { chats, head = noHead } = await standing(accountKey);
    return { scopes: scopesOf(accountKey, chats), head };
  };
  // The part of the log that a hub uses.
  hub.attach({ published: 10, standingOf } satisfies Partial<EventLog> as unknown as EventLog);
  return hub;
}

const seqsIn = (bytes: Buffer): string =>
  [...bytes.toString('latin1').matchAll(/"seq":(\d+),"prev":(\d+)/g)]
    .map(([, seq, prev]) => `${seq}<${prev}`)
    .join(' ');

test('SOCKET-6, LOG-6: each socket gets one write per tick, and sockets that wait for a reply come first', async () => {
  const chatKey = 7;
  const hub = hubOf(() => ({ chats: [chatKey] }));
  const writes: string[] = [];
  const readers = ['ann', 'bob', 'cid'].map((name) => new Reader(name, writes));
  for (const [at, reader] of readers.entries()) await hub.connect(at + 1, allClasses, reader);
  const [ann, bob, cid] = readers;
  const publish = (seq: number) =>
    hub.publish({
      seq,
      scope: chatScope(chatKey),
      kind: 'messageNew',
      params: '{}',
      except: 0,
      timeline: null,
      draft: 0,
    });
  for (const seq of [11, 12, 15]) publish(seq);
  if (bob) hub.reply(bob);
  hub.flush();
  expect(writes).toEqual(['bob: replies, 11<0 12<11 15<12', 'ann: 11<0 12<11 15<12', 'cid: 11<0 12<11 15<12']);
  writes.length = 0;
  publish(20);
  hub.flush();
  expect(writes).toEqual(['ann: 20<15', 'bob: 20<15', 'cid: 20<15']);
  expect([ann, cid].map((reader) => reader?.subscription?.last)).toEqual([20, 20]);
});

const event = (seq: number, chatKey: number) => ({
  seq,
  scope: chatScope(chatKey),
  kind: 'messageNew' as const,
  params: '{}',
  except: 0,
  timeline: null,
  draft: 0,
});

/** Connects readers of accounts with consecutive keys. */
async function connectReaders(hub: Hub, writes: string[], { count, name, firstKey }: Connecting): Promise<Reader[]> {
  const readers = Array.from({ length: count }, (_, at) => new Reader(`${name} ${at}`, writes));
  for (const [at, reader] of readers.entries()) await hub.connect(firstKey + at, allClasses, reader);
  return readers;
}

interface Connecting {
  count: number;
  name: string;
  firstKey: number;
}

test('SOCKET-15: while replies keep coming, every fifth write sends frames', async () => {
  const hub = hubOf((accountKey) => ({ chats: [accountKey > 1_000 ? 8 : 7] }));
  const writes: string[] = [];
  const members = await connectReaders(hub, writes, { count: 200, name: 'member', firstKey: 1 });
  const askers = await connectReaders(hub, writes, { count: 100, name: 'asker', firstKey: 1_001 });
  hub.publish(event(11, 7));
  let turns = 0;
  const isDone = () => writes.filter((write) => write.startsWith('member')).length === members.length;
  for (; !isDone() && turns < 100; turns += 1) {
    // More replies in every turn than are sent.
    for (const asker of askers) hub.reply(asker);
    await turnOfLoop();
  }
  expect(turns).toBeLessThan(25);
  expect(writes[0]).toContain('asker');
  expect(new Set(writes.filter((write) => write.startsWith('member'))).size).toBe(members.length);
  hub.flush();
});

test('SOCKET-15: members and sockets that have missed events get their turn beside busy senders', async () => {
  const hub = hubOf((accountKey) => ({ chats: [accountKey > 2_000 ? 9 : accountKey > 1_000 ? 8 : 7] }));
  const writes: string[] = [];
  await connectReaders(hub, writes, { count: 200, name: 'member', firstKey: 1 });
  const senders = await connectReaders(hub, writes, { count: 60, name: 'sender', firstKey: 1_001 });
  await connectReaders(hub, writes, { count: 1, name: 'late', firstKey: 2_001 });
  let seq = 20;
  const turn = async () => {
    for (const sender of senders.slice(0, 39)) hub.reply(sender);
    hub.publish(event((seq += 1), 8));
    await turnOfLoop();
  };
  for (let turns = 0; turns < 100; turns += 1) await turn();
  writes.length = 0;
  hub.publish(event((seq += 1), 7));
  hub.skip(chatScope(9), seq);
  const waits = () => writes.filter((write) => /^(member|late)/.test(write)).length < 201;
  let turns = 0;
  for (; waits() && turns < 100; turns += 1) await turn();
  expect(turns).toBeLessThan(30);
  hub.flush();
});

test('SOCKET-15: frames that have waited eight times as long as a reply are sent before it', async () => {
  const hub = hubOf((accountKey) => ({ chats: [accountKey > 1_000 ? 8 : 7] }));
  const writes: string[] = [];
  await connectReaders(hub, writes, { count: 400, name: 'member', firstKey: 1 });
  const askers = await connectReaders(hub, writes, { count: 38, name: 'asker', firstKey: 1_001 });
  hub.publish(event(11, 7));
  const membersWritten: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    for (const asker of askers) hub.reply(asker);
    await turnOfLoop();
    membersWritten.push(writes.splice(0).filter((write) => write.startsWith('member')).length);
  }
  // Each reply is sent in the next slice.
  expect(membersWritten).toEqual([10, 10, 10, 10, 10, 10, 10, 10, 48, 10]);
  hub.flush();
});

test('SOCKET-16: frames for sockets that may not be read go after all others, in one of eight writes in any case', async () => {
  const hub = hubOf((accountKey) => ({ chats: [accountKey > 1_000 ? 8 : 7] }));
  const writes: string[] = [];
  const unread = await connectReaders(hub, writes, { count: 100, name: 'unread', firstKey: 1 });
  for (const reader of unread) reader.isAttentive = false;
  await connectReaders(hub, writes, { count: 60, name: 'member', firstKey: 1_001 });
  hub.publish(event(11, 7));
  hub.publish(event(12, 8));
  const written = async (): Promise<number[]> => {
    await turnOfLoop();
    const slice = writes.splice(0);
    return ['member', 'unread'].map((name) => slice.filter((write) => write.startsWith(name)).length);
  };
  expect(await written()).toEqual([42, 6]);
  expect(await written()).toEqual([18, 30]);
  // A later event joins the frames of those that still wait.
  hub.publish(event(13, 7));
  expect(await written()).toEqual([0, 48]);
  hub.flush();
  expect(writes.filter((write) => write.endsWith(': 11<0 13<11')).length).toBeGreaterThan(0);
});

test('SOCKET-16: a client that gives a sign of life gets the frames that wait for it before the others', async () => {
  const hub = hubOf(() => ({ chats: [7] }));
  const writes: string[] = [];
  const unread = await connectReaders(hub, writes, { count: 200, name: 'unread', firstKey: 1 });
  for (const reader of unread) reader.isAttentive = false;
  hub.publish(event(11, 7));
  const last = unread.at(-1);
  if (last?.subscription) hub.attended(last.subscription);
  await turnOfLoop();
  expect(writes[0]).toBe('unread 199: 11<0');
  hub.flush();
  expect(writes.length).toBe(200);
});

test('CONV-5: a socket excluded from an event gets the earlier frames, and its next frame continues them', async () => {
  const hub = hubOf(() => ({ chats: [7] }));
  const writes: string[] = [];
  const [one, two] = [new Reader('one', writes), new Reader('two', writes)];
  for (const reader of [one, two]) await hub.connect(1, allClasses, reader);
  hub.publish(event(11, 7));
  for (const seq of [12, 13]) hub.publish({ ...event(seq, 7), exceptSocket: 'one' });
  hub.publish(event(14, 7));
  hub.flush();
  const before = ['one: 11<0', 'two: 11<0', 'two: 12<11', 'two: 13<12'];
  expect(writes).toEqual([...before, 'one: 14<11', 'two: 14<13']);
  hub.publish({ ...event(15, 7), exceptSocket: 'one' });
  hub.skip(chatScope(7), 16);
  hub.publish(event(17, 7));
  hub.flush();
  // After a skipped number all sockets must fetch, so the socket is at the same number as the others again.
  expect(writes.slice(6)).toEqual(['two: 15<14', 'one: 17<16', 'two: 17<16', 'one: tick 17', 'two: tick 17']);
});

test('LOG-6: the head of a connecting account includes events published while its conversations are read', async () => {
  const loading = Promise.withResolvers<{ chats: number[] }>();
  const hub = hubOf(() => loading.promise);
  const writes: string[] = [];
  const ann = new Reader('ann', writes);
  const connecting = hub.connect(1, allClasses, ann);
  hub.apply({ type: 'leave', chatKey: 7, accountKey: 1 });
  hub.apply({ type: 'join', chatKey: 8, accountKey: 1 });
  // The read sees the state before both events.
  loading.resolve({ chats: [7, 9] });
  await connecting;
  for (const [at, chatKey] of [7, 8, 9].entries()) hub.publish(event(11 + at, chatKey));
  hub.flush();
  expect(writes).toEqual(['ann: 12<0 13<12']);
});

test('LOG-6: a head that is read slowly includes events published meanwhile, which are not sent again', async () => {
  const reading = Promise.withResolvers<{ chats: number[]; head: ScopeHead }>();
  const hub = hubOf(() => reading.promise);
  const writes: string[] = [];
  const [ann, other] = [new Reader('ann', writes), new Reader('other', writes)];
  const connecting = [ann, other].map((reader) => hub.connect(1, allClasses, reader));
  await turnOfLoop();
  hub.publish(event(12, 7));
  hub.publish(event(13, 8));
  hub.skip(chatScope(9), 14);
  other.isOpen = false;
  reading.resolve({ chats: [7], head: { ...noHead, base: 9 } });
  await Promise.all(connecting);
  expect([ann.subscription?.last, other.subscription]).toEqual([12, null]);
  hub.publish(event(15, 7));
  hub.flush();
  expect(writes).toEqual(['ann: 15<12']);
});

test('LOG-6, CLUSTER-2: a connecting account’s head includes numbers skipped meanwhile, whatever its caps', async () => {
  const reading = Promise.withResolvers<{ chats: number[]; head: ScopeHead }>();
  const hub = hubOf(() => reading.promise);
  const writes: string[] = [];
  const readers = ['', 'nodrafts', 'focus'].map((caps) => ({ caps, reader: new Reader(caps, writes) }));
  const connecting = readers.map(({ caps, reader }) => hub.connect(1, classesOf(caps), reader));
  hub.skip(chatScope(7), 11);
  hub.publish({ ...event(12, 7), kind: 'draftActivity', timeline: '7//' });
  hub.publish({ ...event(13, 7), kind: 'messageDelta', timeline: '7//' });
  hub.publish({ ...event(14, 7), kind: 'typing', except: 1 });
  reading.resolve({ chats: [7], head: { ...noHead, base: 9, activity: 10 } });
  await Promise.all(connecting);
  expect(readers.map(({ reader }) => reader.subscription?.last)).toEqual([14, 11, 14]);
});

test('if the load of an account’s conversations fails, the next socket loads them again', async () => {
  let isBroken = true;
  const hub = hubOf(() => {
    if (isBroken) throw new Error('the store is away');
    return { chats: [7] };
  });
  const writes: string[] = [];
  const ann = new Reader('ann', writes);
  await expect(hub.connect(1, allClasses, ann)).rejects.toThrow('the store is away');
  isBroken = false;
  await hub.connect(1, allClasses, ann);
  hub.publish(event(11, 7));
  hub.flush();
  expect(writes).toEqual(['ann: 11<0']);
});

test('CLUSTER-2: sockets that have missed an event are notified immediately, after the frames before it', async () => {
  const hub = hubOf((accountKey) => ({ chats: accountKey === 3 ? [] : [7] }));
  const writes: string[] = [];
  for (const [at, name] of ['ann', 'bob', 'cid'].entries())
    await hub.connect(at + 1, allClasses, new Reader(name, writes));
  hub.publish(event(11, 7));
  hub.skip(chatScope(7), 12);
  hub.skip(chatScope(7), 14);
  hub.publish(event(15, 7));
  hub.flush();
  expect(writes).toEqual(['ann: 11<0', 'bob: 11<0', 'ann: 15<14', 'ann: tick 15', 'bob: 15<14', 'bob: tick 15']);
});
