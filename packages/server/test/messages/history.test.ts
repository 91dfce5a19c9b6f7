import type { Message } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, ManualClock, unknownId, type World } from '@parley/testing';
import { ReadCounter } from '@parley/testing/stores/slow-reads.ts';
import { DaemonStream } from '@parley/testing/world/daemon-stream.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Slice } from '../../core/slices.ts';
import { botIn } from '../helpers/agents.ts';

const MiB = 1024 * 1024;

/** Alice and bob in alice's group, and functions with which alice writes and reads there. */
async function scene(world: World) {
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const chat_id = chat.id;
  const send = (text: string, more: object = {}) => alice.api.sendMessage({ chat_id, text, ...more });
  const sendAll = async (count: number): Promise<Message[]> => {
    const sent: Message[] = [];
    for (let at = 0; at < count; at += 1) sent.push(await send(`${at}`));
    return sent;
  };
  const page = (more: object = {}, actor: Actor = alice) => actor.api.getChatHistory({ chat_id, ...more });
  const texts = async (more: object = {}, actor: Actor = alice) =>
    (await page(more, actor)).items.map(({ content }) => content);
  return { alice, bob, chat, chat_id, send, sendAll, page, texts };
}

test('HIST-1: pages go from newest to oldest, each sorted oldest first, until the beginning', async () => {
  await using world = await createWorld();
  const { alice, bob, page, sendAll, send } = await scene(world);
  expect(await page()).toEqual({ items: [] });
  const sent = await checkReplay(world, [alice, bob], () => sendAll(7));
  expect(await page({ limit: 7 })).toEqual({ items: sent });
  const first = await page({ limit: 3 });
  expect(first).toEqual({ items: sent.slice(4), next_cursor: expect.any(String) });
  // Messages sent in between are newer than the cursor.
  await send('meanwhile');
  const second = await page({ limit: 3, cursor: first.next_cursor });
  expect(second).toEqual({ items: sent.slice(1, 4), next_cursor: expect.any(String) });
  expect(await page({ limit: 3, cursor: second.next_cursor })).toEqual({ items: sent.slice(0, 1) });
});

test('HIST-2: a history contains exactly one timeline', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, send, texts } = await scene(world);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'a channel' });
  await checkReplay(world, [alice, bob], async () => {
    const root = await send('root');
    const rootInChannel = await send('channel root', { channel_id });
    await send('in a thread', { thread_root_id: root.id });
    await send('in a thread of the channel', { channel_id, thread_root_id: rootInChannel.id });
    await send('last of all');
    expect(await texts()).toEqual(['root', 'last of all']);
    expect(await texts({ thread_root_id: root.id })).toEqual(['in a thread']);
    expect(await texts({ channel_id })).toEqual(['channel root']);
    expect(await texts({ channel_id, thread_root_id: rootInChannel.id })).toEqual(['in a thread of the channel']);
  });
});

test('HIST-3: a window can be around a message or a time, or after a message', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, send, page, texts } = await scene(world);
  const sent: Message[] = [];
  for (let at = 0; at < 9; at += 1) {
    await clock.advance(1_000);
    sent.push(await send(`${at}`));
  }
  const [first, middle, last] = [sent[0], sent[4], sent[8]].map((message) => message?.id ?? '');

  expect(await texts({ around: middle, limit: 4 })).toEqual(['2', '3', '4', '5']);
  expect(await texts({ around: middle, limit: 1 })).toEqual(['4']);
  expect(await texts({ around: first, limit: 4 })).toEqual(['0', '1', '2', '3']);
  expect(await texts({ around: last, limit: 4 })).toEqual(['5', '6', '7', '8']);
  expect(await texts({ around: middle?.toUpperCase(), limit: 3 })).toEqual(['3', '4', '5']);
  expect(await texts({ around: sent[4]?.created_at, limit: 4 })).toEqual(['2', '3', '4', '5']);
  expect(await texts({ around: '2026-01-01T00:00:04.500Z', limit: 2 })).toEqual(['3', '4']);
  for (const early of ['0000-01-01T00:00:00Z', '1970-01-01T00:00:00+14:00'])
    expect(await texts({ around: early, limit: 2 })).toEqual(['0', '1']);
  expect(await texts({ around: '9999-12-31T23:59:59Z', limit: 2 })).toEqual(['7', '8']);

  expect(await texts({ after: middle, limit: 3 })).toEqual(['5', '6', '7']);
  expect(await texts({ after: sent[6]?.id, limit: 3 })).toEqual(['7', '8']);
  expect(await page({ after: last })).toEqual({ items: [] });
  // From each window a cursor leads to older messages, up to the beginning.
  const { next_cursor } = await page({ around: middle, limit: 4 });
  expect(await page({ cursor: next_cursor, limit: 2 })).toEqual({ items: sent.slice(0, 2) });
  expect((await page({ around: first, limit: 4 })).next_cursor).toBeUndefined();
  expect(await texts({ cursor: (await page({ after: first, limit: 2 })).next_cursor })).toEqual(['0']);
  // A deleted message can still be used as a position.
  await alice.api.deleteMessages({ message_ids: [middle ?? ''] });
  expect(await texts({ after: middle, limit: 1 })).toEqual(['5']);
  expect(await texts({ around: middle, limit: 2 })).toEqual(['3', '5']);

  const elsewhere = await alice.api.sendMessage({ chat_id: (await world.direct(alice, bob)).id, text: 'elsewhere' });
  for (const id of [unknownId, elsewhere.id])
    for (const window of [{ around: id }, { after: id }])
      await expect(page(window)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  const cursor = next_cursor ?? '';
  const wrong = [
    { around: middle, after: middle },
    { cursor, around: middle },
    { cursor, after: middle },
    { after: 'yesterday' },
    { around: 'yesterday' },
    { around: '2026-01-01' },
    { around: '2026-13-01T00:00:00Z' },
    { cursor: 'made up' },
    { cursor: (await alice.api.getChats({ limit: 1 })).next_cursor },
  ];
  for (const window of wrong)
    await expect(page(window)).rejects.toMatchObject({ status: 400, code: 'invalid_argument' });
  expect(await texts({ chat_id, cursor: null, around: null, after: last })).toEqual([]);
});

test('HIST-4: deleted and hidden messages are left out and do not count towards the limit', async () => {
  await using world = await createWorld();
  const { alice, bob, sendAll, texts } = await scene(world);
  const ids = (await sendAll(6)).map(({ id }) => id);
  await checkReplay(world, [alice, bob], async () => {
    await alice.api.deleteMessages({ message_ids: ids.slice(4, 5) });
    await bob.api.deleteMessagesForMe({ message_ids: ids.slice(2, 4) });
  });
  expect(await texts({ limit: 3 }, bob)).toEqual(['0', '1', '5']);
  expect(await texts({ limit: 3 })).toEqual(['2', '3', '5']);
  expect(await texts({ after: ids[0], limit: 2 }, bob)).toEqual(['1', '5']);
  expect(await texts({ around: ids[3], limit: 2 }, bob)).toEqual(['1', '5']);
});

test('HIST-5: a streaming message is included with its text so far', async () => {
  await using world = await createWorld();
  const { alice, bob, chat, chat_id, page } = await scene(world);
  const bot = await botIn(world, alice, chat);
  await checkReplay(world, [alice, bob], async () => {
    const reply = new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id }));
    expect((await page()).items).toMatchObject([{ content: '', status: 'streaming' }]);
    await reply.append('so ');
    await reply.append('far');
    await world.settle();
    expect((await page({}, bob)).items).toMatchObject([{ id: reply.id, content: 'so far', status: 'streaming' }]);
    expect((await bob.api.getMessages({ message_ids: [reply.id] })).items).toEqual((await page()).items);
    await reply.finish();
  });
  expect((await page()).items).toMatchObject([{ content: 'so far', status: 'complete' }]);
});

test('HIST-6: a page is limited to 1 MiB, but contains at least one message', async () => {
  await using world = await createWorld();
  const { alice, chat, chat_id, send, page } = await scene(world);
  const bot = await botIn(world, alice, chat);
  await send('the first');
  for (let at = 0; at < 5; at += 1) await bot.api.sendMessage({ chat_id, text: `${at}${'x'.repeat(220 * 1024)}` });
  const seen: string[] = [];
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const { items, next_cursor } = await page({ cursor });
    expect(JSON.stringify(items).length).toBeLessThan(MiB);
    seen.unshift(...items.map(({ content }) => content.slice(0, 1)));
    pages.push(items.length);
    cursor = next_cursor;
  } while (cursor !== undefined);
  expect({ seen, pages }).toEqual({ seen: ['t', '0', '1', '2', '3', '4'], pages: [4, 2] });

  // Escaped control characters exceed 1 MiB on the wire.
  const { id } = await bot.api.startMessageStream({ chat_id });
  const delta = '\u0001'.repeat(100 * 1024);
  for (const offset of [delta.length, 2 * delta.length])
    await bot.api.appendMessageStream({ message_id: id, delta, offset });
  await bot.api.finishMessageStream({ message_id: id });
  await send('the last');
  expect((await page()).items).toHaveLength(1);
  const large = await page({ cursor: (await page()).next_cursor });
  expect(large.items).toMatchObject([{ id }]);
  expect(JSON.stringify(large.items).length).toBeGreaterThan(MiB);
  const around = (await page({ around: id })).items;
  expect(around.map((message) => message.id)).toEqual([id]);
  expect((await page({ cursor: large.next_cursor })).items).toHaveLength(4);
});

test('HIST-7: getMessages returns the messages that the caller may see, in the order of the request', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, send, sendAll } = await scene(world);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'passing' });
  const inChannel = await send('in a channel', { channel_id });
  const [plain, hidden, deleted, ...more] = await sendAll(5);
  const direct = await alice.api.sendMessage({ chat_id: (await world.direct(alice, bob)).id, text: 'direct' });
  const ownNote = await alice.api.sendMessage({ chat_id: (await world.direct(alice, alice)).id, text: 'private' });
  await bob.api.deleteMessagesForMe({ message_ids: [hidden?.id ?? ''] });
  await alice.api.deleteMessages({ message_ids: [deleted?.id ?? ''] });
  const named = [direct, ownNote, ...more.toReversed(), deleted, hidden, inChannel, plain].map(
    (message) => message?.id ?? '',
  );
  const get = async (actor: Actor) =>
    (await actor.api.getMessages({ message_ids: [unknownId, ...named, direct.id] })).items.map(({ id }) => id);
  expect(await get(bob)).toEqual([direct, ...more.toReversed(), inChannel, plain].map((message) => message?.id));
  await alice.api.deleteChannel({ chat_id, channel_id });
  expect(await get(bob)).toEqual([direct, ...more.toReversed(), plain].map((message) => message?.id));
  await alice.api.removeMember({ chat_id, username: 'bob' });
  expect(await get(bob)).toEqual([direct.id]);
  expect(await get(alice)).toContain(hidden?.id);
  const tooMany = Array.from({ length: 101 }, () => unknownId);
  await expect(alice.api.getMessages({ message_ids: tooMany })).rejects.toMatchObject({ status: 400 });
  expect(await alice.api.getMessages({ message_ids: tooMany.slice(1) })).toEqual({ items: [] });
});

test('HIST-8: a page has 50 messages by default and at most 200', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, page } = await scene(world);
  const socket = await alice.socket();
  await Promise.all(Array.from({ length: 201 }, (_, at) => socket.rpc('sendMessage', { chat_id, text: `${at}` })));
  expect((await page()).items).toHaveLength(50);
  expect((await page({ limit: 1_000_000 })).items).toHaveLength(200);
  expect((await page({ limit: 200 }, bob)).items[0]).toMatchObject({ content: '1' });
  for (const limit of [0, -1, 1.5, '5', 2 ** 53])
    await expect(page({ limit })).rejects.toMatchObject({ status: 400, parameters: { field: 'limit' } });
});

test.each(['getChatHistory', 'getUpdates'] as const)(
  'HIST-11: the number of reads of %s does not grow with the number of plain messages on a page',
  async (name) => {
    // A page that pauses reads again what it had (HIST-5): here none does, however slow the machine.
    const pause = vi.spyOn(Slice.prototype, 'pause').mockResolvedValue(false);
    onTestFinished(() => pause.mockRestore());
    const counter = new ReadCounter();
    await using world = await createWorld({ wrapRead: counter.wrap });
    const { alice, bob, chat_id } = await scene(world);
    const { head: since } = await bob.api.getChats();
    const readsOfPage = async (): Promise<number> => {
      const before = counter.reads;
      if (name === 'getChatHistory') await bob.api.getChatHistory({ chat_id });
      else await bob.api.getUpdates({ since });
      return counter.reads - before;
    };
    await alice.api.sendMessage({ chat_id, text: 'one' });
    const ofOne = await readsOfPage();
    for (let at = 0; at < 39; at += 1) await alice.api.sendMessage({ chat_id, text: `${at}` });
    expect(await readsOfPage()).toBeLessThanOrEqual(ofOne + 1);
  },
);

test('HIST-9: a thread with a deleted root can be read but not written to', async () => {
  await using world = await createWorld();
  const { alice, bob, send, texts } = await scene(world);
  const root = await send('a root');
  await send('a reply', { thread_root_id: root.id });
  await checkReplay(world, [alice, bob], () => alice.api.deleteMessages({ message_ids: [root.id] }));
  expect(await texts({ thread_root_id: root.id }, bob)).toEqual(['a reply']);
  await expect(send('another', { thread_root_id: root.id })).rejects.toMatchObject({ status: 404 });
});
