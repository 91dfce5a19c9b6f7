import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ApiError } from '@parley/client';
import { expect, test } from 'vitest';
import { ManualClock } from '../clocks/manual-clock.ts';
import { checkReplay } from '../model/replay-check.ts';
import { createWorld } from './world.ts';

test('SOCKET-1, SOCKET-2: hello comes first, once; frames of the log have their number and the previous one', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const socket = await bob.socket();
  const { hello } = socket;
  expect(hello).toMatchObject({ method: 'events.hello', params: { username: 'bob' }, head: expect.any(Number) });
  expect(hello).toMatchObject({ socket: expect.any(String), feature_level: expect.any(Number) });
  expect(hello).not.toHaveProperty('seq');
  await alice.api.sendMessage({ chat_id, text: 'hello' });
  const frame = await socket.waitFor(({ method }) => method === 'events.messageNew');
  expect(Object.keys(frame).toSorted()).toEqual(['method', 'params', 'prev', 'seq']);
  expect(frame.prev).toBe(hello.head);
});

test('a message is answered, and is a frame for the other member', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.direct(alice, bob);
  const socket = await bob.socket();
  const sent = await alice.api.sendMessage({ chat_id: chat.id, text: 'hello' });
  const message = await socket.event('messageNew', ({ content }) => content === 'hello');
  expect(message).toEqual(sent);
});

test('sockets call methods; errors are the same as over HTTP', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const socket = await alice.socket();
  expect(await socket.rpc('auth.me')).toMatchObject({ username: 'alice' });
  const failure = await socket.rpc('nothing.such').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ status: 404, code: 'not_found', description: 'not found: operation' });
});

test('a replay is checked for clients that were connected and for those that connect later', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  await checkReplay(world, [alice, bob], async () => {
    const { id } = await alice.api.sendMessage({ chat_id: chat.id, text: 'one' });
    await bob.api.setMessageReaction({ message_id: id, emoji: '👍' });
    await alice.api.pinMessage({ chat_id: chat.id, message_id: id });
    const other = await bob.api.sendMessage({ chat_id: chat.id, text: 'two' });
    await bob.api.deleteMessages({ message_ids: [other.id] });
    await bob.api.saveDraft({ chat_id: chat.id, text: 'three' });
  });
});

test.each(['restart', 'crash'] as const)('stored data survives a %s, at the same address', async (way) => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.direct(alice, bob);
  const follower = await bob.follow();
  await alice.api.sendMessage({ chat_id: chat.id, text: 'before' });
  await world[way]();
  await alice.api.sendMessage({ chat_id: chat.id, text: 'after' });
  await follower.connect();
  await world.settle();
  await follower.compare();
  const { items } = await bob.api.getChatHistory({ chat_id: chat.id });
  expect(items.map(({ content }) => content)).toEqual(['before', 'after']);
});

test('a member has its own session, a bot its token', async () => {
  await using world = await createWorld();
  const member = await world.member('carol');
  const other = await world.signIn(member);
  expect((await other.api.getSessions()).items).toHaveLength(2);
  const bot = await world.bot(member, 'helper');
  expect(await bot.api.getMe()).toMatchObject({ username: 'carol:helper', kind: 'agent' });
});

test("with a test's clock, time only moves when advanced, also while the world closes", async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.direct(alice, bob);
  const socket = await bob.socket();
  await alice.api.sendChatAction({ chat_id: chat.id, action: 'typing' });
  await socket.event('typing', ({ is_typing }) => is_typing);
  await clock.advance(5_999);
  await world.settle();
  expect(socket.all('typing')).toHaveLength(1);
  await clock.advance(1);
  await socket.event('typing', ({ is_typing }) => !is_typing);
  await alice.api.sendChatAction({ chat_id: chat.id, action: 'typing' });
});

test('a daemon writes a reply; a client that loads in the middle gets the whole text', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const bot = await world.bot(alice);
  const chat = await world.group(alice);
  await alice.api.addGroupAgent({ chat_id: chat.id, agent_username: bot.username });
  await checkReplay(world, [alice, bot], async () => {
    const { id } = await bot.api.startMessageStream({ chat_id: chat.id });
    await bot.api.appendMessageStream({ message_id: id, delta: 'hé', offset: 3 });
    await bot.api.appendMessageStream({ message_id: id, delta: 'llo', offset: 6 });
  });
  await checkReplay(world, [alice, bot], async () => {
    const { items } = await bot.api.getChatHistory({ chat_id: chat.id });
    const id = items[0]?.id ?? '';
    await bot.api.appendMessageStream({ message_id: id, delta: '!', offset: 7 });
    await bot.api.finishMessageStream({ message_id: id });
  });
});

/** What is left of the services of a world that was used and closed. */
async function closedServices(): Promise<WeakRef<object>[]> {
  const world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  await bob.socket();
  await world.group(alice, bob);
  const used = world.services.map((service) => new WeakRef(service));
  await world.close();
  return used;
}

test('a closed service leaves the memory: a test file, like a program that starts several, pays for the open ones only', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // given by the flag
  const closed = await closedServices();
  expect(closed.length).toBeGreaterThan(0);
  const isLeft = () => {
    collect();
    return closed.some((service) => service.deref() !== undefined);
  };
  // Timers and sockets that are closing hold it for some seconds more.
  await expect.poll(isLeft, { timeout: 15_000, interval: 500 }).toBe(false);
});
