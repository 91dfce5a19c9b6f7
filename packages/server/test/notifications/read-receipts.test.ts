import { type Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { FailingReads } from '@parley/testing/stores/slow-reads.ts';
import { failure } from '@parley/testing/world/failure.ts';
import { inBatches } from '@parley/testing/world/in-batches.ts';
import { expect, test } from 'vitest';

const say = ({ api }: Actor, chat_id: string, text: string) => api.sendMessage({ chat_id, text });
const read = ({ api }: Actor, chat_id: string, message_id: string) => api.markRead({ chat_id, message_id });
const position = async ({ api }: Actor, chat_id: string) => (await api.getReadPosition({ chat_id })).position;
const readers = async ({ api }: Actor, message_id: string) => {
  const { items, count } = await api.getMessageReaders({ message_id });
  expect(count).toBe(items.length);
  return items.map(({ username }) => username);
};

/** Lets the pause between two events about one conversation pass. */
async function rest(world: World, clock: ManualClock): Promise<void> {
  await world.settle();
  await clock.advance(1_000);
  await world.settle();
}

test('READ-12, READ-13: a sender learns how far the others have read, and who', async () => {
  await using world = await createWorld();
  const { ann, bob, cid, dan } = await world.people('ann', 'bob', 'cid', 'dan');
  const { id: chat_id } = await world.group(ann, bob, cid);
  const [one, two] = [await say(ann, chat_id, 'one'), await say(ann, chat_id, 'two')];
  expect(await position(ann, chat_id)).toBe(0);
  expect(await readers(ann, one.id)).toEqual([]);
  await read(bob, chat_id, one.id);
  await read(cid, chat_id, two.id);
  expect(await position(ann, chat_id)).toBe(two.position);
  expect(await position(cid, chat_id)).toBe(one.position);
  expect(await readers(ann, one.id)).toEqual(['bob', 'cid']);
  expect(await readers(ann, two.id)).toEqual(['cid']);
  const page = await ann.api.getMessageReaders({ message_id: one.id, limit: 1 });
  const rest = await ann.api.getMessageReaders({ message_id: one.id, limit: 1, cursor: page.next_cursor ?? '' });
  expect([page, rest].map(({ items, count }) => [items[0]?.username, count])).toEqual([
    ['bob', 2],
    ['cid', 2],
  ]);
  expect(rest).not.toHaveProperty('next_cursor');

  // Whoever joins has read nothing, although nothing is unread.
  await ann.api.addMembers({ chat_id, usernames: ['dan'] });
  expect(await dan.api.getChat({ chat_id })).toMatchObject({ unread_count: 0, last_read_message_id: two.id });
  expect(await readers(ann, two.id)).toEqual(['cid']);
  const three = await say(ann, chat_id, 'three');
  await read(dan, chat_id, three.id);
  expect(await readers(ann, three.id)).toEqual(['dan']);
  // Whoever has left is no reader, and learns nothing.
  await ann.api.removeMember({ chat_id, username: 'dan' });
  expect(await readers(ann, three.id)).toEqual([]);
  expect(await position(ann, chat_id)).toBe(two.position);
  for (const call of [dan.api.getReadPosition({ chat_id }), dan.api.getMessageReaders({ message_id: three.id })])
    expect(await failure(call)).toMatchObject({ status: 403 });
});

test('READ-13: only the sender learns who has read a message', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const { id } = await say(ann, chat_id, 'one');
  await read(bob, chat_id, id);
  expect(await failure(bob.api.getMessageReaders({ message_id: id }))).toMatchObject({ status: 403 });
  await ann.api.deleteMessages({ message_ids: [id] });
  expect(await failure(ann.api.getMessageReaders({ message_id: id }))).toMatchObject({ status: 404 });
});

test('READ-12: agents have no receipts and know of none, whatever they mark as read', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const bot = await world.bot(ann);
  await ann.api.addGroupAgent({ chat_id, agent_username: bot.username });
  const [asked, answer] = [await say(ann, chat_id, 'one'), await say(bot, chat_id, 'two')];
  await read(bot, chat_id, answer.id);
  expect(await position(ann, chat_id)).toBe(0);
  expect(await readers(ann, asked.id)).toEqual([]);
  await read(bob, chat_id, answer.id);
  expect(await position(bot, chat_id)).toBe(0);
  expect(await failure(bot.api.getMessageReaders({ message_id: answer.id }))).toMatchObject({ status: 403 });
});

test('READ-12: without sharing receipts a person sends and sees none; what it read meanwhile stays its own', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.direct(ann, bob);
  const [one, two, three] = [
    await say(ann, chat_id, 'one'),
    await say(ann, chat_id, 'two'),
    await say(ann, chat_id, 'three'),
  ];
  const own = await say(bob, chat_id, 'own');
  await read(ann, chat_id, own.id);
  await read(bob, chat_id, one.id);
  await bob.api.setPrivacy({ read_receipts: false });
  expect(await position(bob, chat_id)).toBe(0);
  expect(await failure(bob.api.getMessageReaders({ message_id: own.id }))).toMatchObject({ status: 403 });
  await read(bob, chat_id, two.id);
  expect(await position(ann, chat_id)).toBe(one.position);
  expect(await readers(ann, two.id)).toEqual([]);
  await bob.api.setPrivacy({ read_receipts: true });
  expect(await position(ann, chat_id)).toBe(one.position);
  expect(await position(bob, chat_id)).toBe(own.position);
  await read(bob, chat_id, three.id);
  expect(await readers(ann, three.id)).toEqual(['bob']);
});

test('READ-12, BLOCK-2: a block separates two people; in their direct chat the receipts of before stay', async () => {
  await using world = await createWorld();
  const { ann, bob, cid } = await world.people('ann', 'bob', 'cid');
  const { id: chat_id } = await world.group(ann, bob, cid);
  const { id: direct } = await world.direct(ann, bob);
  const before = await say(ann, direct, 'before');
  const after = await say(ann, direct, 'after');
  await read(bob, direct, before.id);
  const shared = await say(ann, chat_id, 'to all');
  await bob.api.blockUser({ username: 'ann' });
  await read(bob, direct, after.id);
  expect(await position(ann, direct)).toBe(before.position);
  expect(await readers(ann, before.id)).toEqual(['bob']);
  expect(await readers(ann, after.id)).toEqual([]);
  const theirs = await say(bob, chat_id, 'to all too');
  await read(bob, chat_id, theirs.id);
  await read(ann, chat_id, theirs.id);
  await read(cid, chat_id, shared.id);
  expect(await position(ann, chat_id)).toBe(shared.position);
  expect(await position(bob, chat_id)).toBe(shared.position);
  expect(await position(cid, chat_id)).toBe(theirs.position);
  expect(await readers(ann, shared.id)).toEqual(['cid']);
  expect(await readers(bob, theirs.id)).toEqual([]);
});

test('READ-14: each person receives what it may know, at most once a second, however many read', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob, cid, dan, eve } = await world.people('ann', 'bob', 'cid', 'dan', 'eve');
  const { id: chat_id } = await world.group(ann, bob, cid, dan, eve);
  await dan.api.setPrivacy({ read_receipts: false });
  await eve.api.blockUser({ username: 'bob' });
  const [one, two] = [await say(ann, chat_id, 'one'), await say(ann, chat_id, 'two')];
  world.stayOnFirst();
  const open = async (caps: string) => Promise.all([ann, bob, cid, dan, eve].map(async (actor) => actor.socket(caps)));
  const [sockets, quiet] = [await open('ext'), [await ann.socket(), await ann.socket('nodrafts,ext')]];
  const seen = () => sockets.map((socket) => socket.all('messagesRead').map((event) => event.position));

  await read(cid, chat_id, one.id);
  await rest(world, clock);
  expect(seen()).toEqual([[one.position], [one.position], [], [], [one.position]]);
  // Two read on within a second of the event for the first: one event for all.
  await read(bob, chat_id, one.id);
  await world.settle();
  await read(bob, chat_id, two.id);
  await read(cid, chat_id, two.id);
  await read(dan, chat_id, two.id);
  await rest(world, clock);
  await rest(world, clock);
  const [ofAnn, ofBob, ofCid, ofDan, ofEve] = seen();
  expect(ofAnn?.at(-1)).toBe(two.position);
  expect(ofAnn?.length).toBeLessThanOrEqual(3);
  expect(ofBob?.at(-1)).toBe(two.position);
  expect(ofCid?.at(-1)).toBe(two.position);
  expect(ofDan).toEqual([]);
  expect(ofEve?.at(-1)).toBe(two.position);
  for (const socket of quiet) expect(socket.methods).not.toContain('messagesRead');

  // Whom a block separates from the only reader of a message learns nothing of it.
  const three = await say(ann, chat_id, 'three');
  await read(bob, chat_id, three.id);
  await rest(world, clock);
  expect(seen().map((positions) => positions.includes(three.position))).toEqual([true, false, true, false, false]);
  // Nobody has read on: no event.
  const before = seen();
  await read(eve, chat_id, one.id);
  await rest(world, clock);
  await read(bob, chat_id, one.id);
  await rest(world, clock);
  expect(seen().map((positions) => Math.max(...positions))).toEqual(before.map((positions) => Math.max(...positions)));
  // No replay contains it.
  const { frames } = await ann.api.getUpdates({ since: 0 });
  expect(frames.filter(({ method }) => method === 'events.messagesRead')).toEqual([]);
});

test(
  'READ-15: when everyone in a group of 1,000 reads at once, each other person receives two events at most',
  { timeout: 120_000 },
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const { ann, bob } = await world.people('ann', 'bob');
    const names = Array.from({ length: 998 }, (_, at) => `reader${at}`);
    const crowd: Actor[] = [];
    await inBatches(names, async (name) => crowd.push(await world.person(name)));
    const { id: chat_id } = await world.group(ann, bob, ...crowd);
    const { id, position: at } = await say(ann, chat_id, 'news');
    world.stayOnFirst();
    const [sender, reader] = [await ann.socket('ext'), await bob.socket('ext')];
    const before = [sender.methods.length, reader.methods.length];
    // At one moment of the service's clock. Those with the oldest accounts last: each is one of the eight that count.
    await inBatches([bob, ...crowd].toReversed(), async (actor) => read(actor, chat_id, id));
    for (let second = 0; second < 3; second += 1) await rest(world, clock);
    const sent = [sender, reader].map((socket, index) => socket.methods.slice(before[index]));
    // What the other 999 do costs two frames at most; a reader's own counts are sent to that person alone.
    expect(sent[0]?.every((method) => method === 'messagesRead')).toBe(true);
    expect(sent[0]?.length).toBeLessThanOrEqual(2);
    expect(sent[1]?.filter((method) => method !== 'messagesRead')).toEqual(['conversationUpdated']);
    expect(sent[1]?.length).toBeLessThanOrEqual(3);
    expect(sender.all('messagesRead').at(-1)).toEqual({ conversation_id: chat_id, position: at });
    const page = await ann.api.getMessageReaders({ message_id: id, limit: 100 });
    expect([page.items.length, page.count]).toEqual([100, 999]);
  },
);

embeddedTest('one node sends the event')(
  'READ-14: an event that could not be made is sent when somebody reads on, even behind the eight furthest readers',
  async () => {
    const clock = new ManualClock();
    const reads = new FailingReads();
    await using world = await createWorld({ clock, wrapRead: reads.wrap, expectsErrors: true });
    const people = Object.values(await world.people('ann', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'));
    const [ann, late, ...furthest] = people;
    if (!ann || !late) throw new Error('nobody is there');
    const { id: chat_id } = await world.group(ann, ...people.slice(1));
    const [one, two] = [await say(ann, chat_id, 'one'), await say(ann, chat_id, 'two')];
    const socket = await ann.socket('ext');
    for (const reader of furthest) {
      reads.fail('v.read_receipts = 0');
      await read(reader, chat_id, two.id);
      await rest(world, clock);
    }
    expect(socket.all('messagesRead')).toEqual([]);
    await read(late, chat_id, one.id);
    await rest(world, clock);
    expect(socket.all('messagesRead')).toEqual([{ conversation_id: chat_id, position: two.position }]);
  },
);

test('READ-12, READ-14: over several nodes the sender learns of a reader whose calls another node answers', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.direct(ann, bob);
  const { id } = await say(ann, chat_id, 'one');
  const sockets = [await ann.socket('ext'), await ann.socket('ext')];
  await read(bob, chat_id, id);
  for (const socket of sockets) expect(await socket.event('messagesRead')).toMatchObject({ conversation_id: chat_id });
});
