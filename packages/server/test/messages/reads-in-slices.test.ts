import type { Conversation } from '@parley/protocol';
import { type Actor, createWorld, type World } from '@parley/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { Slice } from '../../core/slices.ts';
import { botIn } from '../helpers/agents.ts';

afterEach(() => void vi.restoreAllMocks());

/** Pushes and presence work in slices too, whenever they get to it. */
const isOfRead = (): boolean => new Error('where it pauses').stack?.includes('/operations/') === true;

/** Makes the next time slice of a read count as spent, and runs `happens` in the pause. */
function inThePause(happens: () => Promise<unknown>): { times: number } {
  const pauses = { times: 0 };
  vi.spyOn(Slice.prototype, 'pause').mockImplementation(async () => {
    if (!isOfRead()) return false;
    pauses.times += 1;
    if (pauses.times === 1) await happens();
    return pauses.times === 1;
  });
  return pauses;
}

async function scene(world: World) {
  const { alice, bob } = await world.people('alice', 'bob');
  const say = (chat_id: string, text: string, more: object = {}) => alice.api.sendMessage({ chat_id, text, ...more });
  return { alice, bob, say };
}

const listed = async (actor: Actor) => (await actor.api.getChats()).items;

test.each([['the first'], ['the second']])(
  'LOG-13, CONV-6: a list of conversations leaves out one that its reader left while the list was built: %s',
  async (which) => {
    await using world = await createWorld();
    const { alice, bob, say } = await scene(world);
    const [older, newer] = [await world.group(alice, bob), await world.group(alice, bob)];
    await say(newer.id, 'newer');
    const [left, kept] = which === 'the first' ? [newer, older] : [older, newer];
    const pauses = inThePause(() => alice.api.removeMember({ chat_id: left.id, username: 'bob' }));
    expect((await listed(bob)).map(({ id }) => id)).toEqual([kept.id]);
    expect(pauses.times).toBeGreaterThan(0);
  },
);

test('DEL-5, CONV-11: a list of conversations shows no last message that was deleted while the list was built', async () => {
  await using world = await createWorld();
  const { alice, bob, say } = await scene(world);
  const [older, newer] = [await world.group(alice, bob), await world.group(alice, bob)];
  await say(older.id, 'another');
  const [stays, goes] = [await say(newer.id, 'stays'), await say(newer.id, 'a secret')];
  inThePause(() => alice.api.deleteMessages({ message_ids: [goes.id] }));
  const [first, second] = await listed(bob);
  expect(first).toMatchObject({ id: newer.id, last_message: { id: stays.id }, unread_count: 1 });
  expect(second).toMatchObject({ id: older.id, last_message: { content: 'another' } });
});

test('PAGE-3: a reader that leaves a conversation while a page is built finds all its other conversations on the next pages', async () => {
  await using world = await createWorld();
  const { alice, bob, say } = await scene(world);
  const chats: Conversation[] = [];
  for (let at = 0; at < 4; at += 1) chats.push(await world.group(alice, bob));
  for (const { id } of chats) await say(id, 'hello');
  const [, second, third] = chats.map(({ id }) => id).toReversed();
  inThePause(() => alice.api.removeMember({ chat_id: second ?? '', username: 'bob' }));
  const page = await bob.api.getChats({ limit: 2 });
  const rest = await bob.api.getChats({ cursor: page.next_cursor });
  expect(page.items).toHaveLength(1);
  expect(rest.items.map(({ id }) => id)).toEqual([third, chats[0]?.id]);
});

test.each(['getMessages', 'getChatHistory', 'getChatHistory around'] as const)(
  'DEL-5, HIST-4: messages deleted or hidden while an answer is built are not in it: %s',
  async (name) => {
    await using world = await createWorld();
    const { alice, bob, say } = await scene(world);
    const { id: chat_id } = await world.group(alice, bob);
    const large = 'x'.repeat(10_000);
    const sent: string[] = [];
    for (const text of ['0', '1', '2', '3', large, large, '6']) sent.push((await say(chat_id, text)).id);
    const read = async () => {
      if (name === 'getMessages') return bob.api.getMessages({ message_ids: sent });
      return bob.api.getChatHistory({ chat_id, ...(name.endsWith('around') && { around: sent[3] }) });
    };
    const [zero, one, , , four, five, six] = sent;
    inThePause(async () => {
      await alice.api.deleteMessages({ message_ids: [zero, one, four, six].map((id) => id ?? '') });
      await bob.api.deleteMessagesForMe({ message_ids: [five ?? ''] });
    });
    expect((await read()).items.map(({ content }) => content)).toEqual(['2', '3']);
  },
);

test('HIST-5: a reply that ends while a history is built is shown as ended', async () => {
  await using world = await createWorld();
  const { alice, bob, say } = await scene(world);
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const ids: string[] = [];
  for (let at = 0; at < 2; at += 1) {
    await say(chat.id, 'between');
    const { id } = await bot.api.startMessageStream({ chat_id: chat.id });
    await bot.api.appendMessageStream({ message_id: id, delta: 'so far', offset: 6 });
    ids.push(id);
  }
  inThePause(async () => {
    for (const message_id of ids) await bot.api.finishMessageStream({ message_id, text: 'all of it' });
  });
  const { items } = await bob.api.getChatHistory({ chat_id: chat.id });
  const replies = items.filter(({ id }) => ids.includes(id));
  expect(replies).toMatchObject(ids.map((id) => ({ id, content: 'all of it', status: 'complete' })));
});

test('LOG-13, CONV-12: a history is 403 for an account that was removed while it was built', async () => {
  await using world = await createWorld();
  const { alice, bob, say } = await scene(world);
  const { id: chat_id } = await world.group(alice, bob);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'passing' });
  const sent = [await say(chat_id, 'one', { channel_id }), await say(chat_id, 'two', { channel_id })];
  inThePause(() => alice.api.deleteChannel({ chat_id, channel_id }));
  await expect(bob.api.getChatHistory({ chat_id, channel_id })).rejects.toMatchObject({ status: 404 });
  for (const text of ['three', 'four']) sent.push(await say(chat_id, text));
  inThePause(() => alice.api.removeMember({ chat_id, username: 'bob' }));
  await expect(bob.api.getChatHistory({ chat_id })).rejects.toMatchObject({ status: 403 });
  await alice.api.addMembers({ chat_id, usernames: ['bob'] });
  inThePause(() => alice.api.removeMember({ chat_id, username: 'bob' }));
  expect(await bob.api.getMessages({ message_ids: sent.map(({ id }) => id) })).toEqual({ items: [] });
});

test('SOCKET-13: a history pauses between its messages', async () => {
  await using world = await createWorld();
  const { alice, bob, say } = await scene(world);
  const { id: chat_id } = await world.group(alice, bob);
  for (let at = 0; at < 5; at += 1) await say(chat_id, `${at}`);
  const pauses = inThePause(async () => {});
  expect((await bob.api.getChatHistory({ chat_id })).items).toHaveLength(5);
  expect(pauses.times).toBe(4);
});
