import type { Message } from '@parley/protocol';
import { type Actor, createWorld, ManualClock, type TestSocket, type World } from '@parley/testing';
import { DaemonStream } from '@parley/testing/daemon-stream.ts';
import { expect, test } from 'vitest';
import { agentChat, botIn } from './agents.ts';
import { HeldStore } from './held-store.ts';
import { refusingStore } from './refusing-store.ts';

const closed = { status: 409, code: 'conflict' };

/** Alice and bob in a group with alice's bot, and a reply that the bot has begun. */
async function scene(world: World) {
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const begin = async (more: object = {}) =>
    new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id: chat.id, ...more }));
  return { alice, bob, bot, chat, chat_id: chat.id, begin, reply: await begin() };
}

const messageOf = async (actor: Actor, id: string): Promise<Message | undefined> =>
  (await actor.api.getMessages({ message_ids: [id] })).items[0];

/** What a socket was told of one message, in short. */
const toldOf = (socket: TestSocket, id: string) =>
  socket.frames.flatMap(({ method, params }) =>
    params['id'] === id ? [[method.replace('events.', ''), params['delta'] ?? params['content']]] : [],
  );
const revisionsOf = (socket: TestSocket, id: string) =>
  socket.frames.flatMap(({ params }) => (params['id'] === id ? [Number(params['content_revision'])] : []));

test('STREAM-1, STREAM-2, STREAM-6: a reply is told piece by piece, and whole to who comes in between', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, chat_id, begin } = await scene(world);
  const socket = await bob.socket();
  const reply = await begin();
  const placeholder = await socket.event('messageNew');
  expect(placeholder).toMatchObject({ id: reply.id, status: 'streaming', content: '', content_revision: 1 });
  // At once, then what has gathered in 40 ms.
  for (const word of ['ñandú', ' and', ' 🙂']) await reply.append(word);
  await socket.event('messageDelta');
  await clock.advance(40);
  await socket.event('messageDelta', ({ offset }) => offset === 16);
  expect(socket.all('messageDelta')).toEqual([
    { id: reply.id, delta: 'ñandú', offset: 7, content_revision: 2 },
    { id: reply.id, delta: ' and 🙂', offset: 16, content_revision: 3 },
  ]);
  const late = await bob.socket();
  const { items } = await bob.api.getChatHistory({ chat_id });
  expect(items.at(-1)).toMatchObject({ content: 'ñandú and 🙂', content_revision: 3, status: 'streaming' });
  await reply.append('!');
  await reply.finish();
  const end = await late.event('messageComplete');
  expect(end).toMatchObject({ content: 'ñandú and 🙂!', status: 'complete', finalized_at: expect.any(String) });
  expect(end.content_revision).toBeGreaterThan(late.all('messageDelta')[0]?.content_revision ?? Infinity);
});

test('STREAM-6: a character whose halves a provider sends apart comes in one delta', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const { agent, chat } = await agentChat(world, alice);
  world.providers.script(agent.key, { chunks: ['a\ud83d', '\ude42b', '\ud83d'] });
  const socket = await alice.socket();
  await alice.api.sendMessage({ chat_id: chat.id, text: '?' });
  const end = await socket.event('messageComplete');
  const deltas = socket.all('messageDelta').map(({ delta }) => delta);
  expect(deltas.every((delta) => delta.isWellFormed())).toBe(true);
  expect(deltas.join('')).toBe('a🙂b\ufffd');
  expect(end).toMatchObject({ content: 'a🙂b\ufffd', status: 'complete' });
});

test('STREAM-4, STREAM-12: an append fits at the end, or is there already, or is refused with the place of the end', async () => {
  await using world = await createWorld();
  const { bot, reply } = await scene(world);
  const append = (delta: string, offset: number) =>
    bot.api.appendMessageStream({ message_id: reply.id, delta, offset });
  expect(await append('aé', 3)).toMatchObject({ cancel_requested: false, offset: 3 });
  expect(await append('bc', 5)).toMatchObject({ offset: 5 });
  for (const [delta, offset] of [
    ['é', 3],
    ['éb', 4],
    ['', 2],
    ['aébc', 5],
  ] as const)
    // prettier-ignore
    expect(await append(delta, offset)).toMatchObject({ offset: 5 });
  for (const [delta, offset] of [
    ['x', 3],
    ['cd', 6],
    ['d', 7],
    ['longer', 3],
    ['', 6],
  ] as const)
    // prettier-ignore
    await expect(append(delta, offset)).rejects.toMatchObject({ ...closed, parameters: { offset: 5 } });
  reply.text = 'aébc';
  await reply.finish();
});

test('STREAM-10, STREAM-11: a text that is replaced goes out whole, with a number of its own', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, reply } = await scene(world);
  const socket = await bob.socket();
  await reply.append('first');
  await reply.replace('second');
  await reply.append(' thought');
  await clock.advance(40);
  const snapshot = await socket.waitFor(({ params }) => params['content'] === 'second thought');
  expect(snapshot).toMatchObject({ method: 'events.messageNew', params: { status: 'streaming', content_revision: 3 } });
  expect(snapshot.seq).toBeGreaterThan(snapshot.prev);
  await reply.append('!');
  await clock.advance(40);
  expect(await socket.event('messageDelta', ({ delta }) => delta === '!')).toMatchObject({ offset: 15 });
});

test('STREAM-8, STREAM-14: after a crash a daemon goes on from what is left, first as a snapshot, under fresh revisions', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, bot, reply } = await scene(world);
  const before = await bob.socket();
  await reply.append('one');
  await world.settle();
  await reply.append(' two');
  await clock.advance(40);
  await before.event('messageDelta', ({ offset }) => offset === 7);
  await world.crash();
  const after = await bob.socket();
  const lost = bot.api.appendMessageStream({ message_id: reply.id, delta: ' three', offset: 13 });
  await expect(lost).rejects.toMatchObject({ ...closed, parameters: { offset: 3 } });
  await reply.append(' three');
  await world.settle();
  await reply.append(' four');
  await reply.finish();
  await world.settle();
  expect(toldOf(after, reply.id)).toEqual([
    ['messageNew', 'one two three'],
    ['messageDelta', ' four'],
    ['messageComplete', 'one two three four'],
  ]);
  const revisions = [...revisionsOf(before, reply.id), ...revisionsOf(after, reply.id)];
  expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
});

test('STREAM-14: who reads a reply after a crash is shown what is left, and those who had more are told', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, reply } = await scene(world);
  const follower = await bob.follow();
  await reply.append('kept');
  await world.settle();
  await reply.append(', lost');
  await clock.advance(40);
  await world.settle();
  await world.crash();
  await follower.connect();
  expect(await messageOf(alice, reply.id)).toMatchObject({ content: 'kept', status: 'streaming' });
  await world.settle();
  await follower.compare();
  const late = await bob.socket();
  await reply.append(' and more');
  await world.settle();
  expect(toldOf(late, reply.id)).toEqual([['messageNew', 'kept, lost and more']]);
});

test('STREAM-14: what was appended a second before a crash is left', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, reply } = await scene(world);
  await clock.advance(500);
  await reply.append('at once');
  await world.settle();
  await clock.advance(50);
  await reply.append(', soon after');
  await clock.advance(1_000);
  await world.crash();
  expect(await messageOf(bob, reply.id)).toMatchObject({ content: 'at once, soon after' });
});

test('STREAM-14, DRAIN-3: a SIGTERM takes nothing from an open reply', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, reply } = await scene(world);
  const before = await bob.socket();
  await reply.append('shown');
  await reply.append(', gathered');
  await world.restart();
  expect(await before.closed).toMatchObject({ code: 1012 });
  expect(await messageOf(bob, reply.id)).toMatchObject({ content: 'shown, gathered', status: 'streaming' });
  await reply.append('!');
  expect(await reply.finish()).toMatchObject({ content: 'shown, gathered!', status: 'complete' });
});

test('STREAM-12, STREAM-13: of two ends at once one is stored, and what is appended behind it is refused', async () => {
  await using world = await createWorld();
  const { bot, reply } = await scene(world);
  await reply.append('text');
  const message_id = reply.id;
  const answers = await Promise.allSettled([
    bot.api.finishMessageStream({ message_id }),
    bot.api.finishMessageStream({ message_id }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: closed });
  await expect(bot.api.appendMessageStream({ message_id, delta: '!', offset: 5 })).rejects.toMatchObject(closed);
});

test('SOCKET-4, STREAM-13: what a daemon sends without waiting takes effect in its order', async () => {
  await using world = await createWorld();
  const { bob, bot, chat_id, reply } = await scene(world);
  const [reader, writer] = [await bob.socket(), await bot.socket()];
  const message_id = reply.id;
  const answers = await Promise.allSettled([
    writer.rpc('streams.append', { message_id, delta: 'ab', offset: 2 }),
    writer.rpc('streams.append', { message_id, delta: 'cd', offset: 4 }),
    writer.rpc('streams.finish', { message_id }),
    writer.rpc('messages.send', { conversation_id: chat_id, content: 'behind it' }),
    writer.rpc('streams.append', { message_id, delta: 'late', offset: 8 }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected']);
  const end = await reader.waitFor(({ method }) => method === 'events.messageComplete');
  const behind = await reader.waitFor(({ params }) => params['content'] === 'behind it');
  expect(end.params['content']).toBe('abcd');
  expect(behind.seq).toBeGreaterThan(end.seq);
});

test('STREAM-5, STREAM-17: daemons that start the same reply at once share one', async () => {
  await using world = await createWorld();
  const { alice, bot, chat_id } = await scene(world);
  const start = () => bot.api.startMessageStream({ chat_id, client_msg_id: 're:1' });
  const messages = await Promise.all(Array.from({ length: 6 }, start));
  expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
  expect(messages.filter(({ resumed }) => resumed)).toHaveLength(5);
  await expect(bot.api.sendMessage({ chat_id, text: 'x', client_msg_id: 're:1' })).rejects.toMatchObject(closed);
  await expect(alice.api.startMessageStream({ chat_id })).rejects.toMatchObject({ status: 403 });
  const message_id = messages[0]?.id ?? '';
  await expect(alice.api.finishMessageStream({ message_id })).rejects.toMatchObject({ status: 403 });
});

test('STREAM-7: a reply whose bot has no socket and makes no call for 60 s fails', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bot, chat_id } = await scene(world);
  const { id: asked } = await alice.api.sendMessage({ chat_id, text: `@${bot.username} ?` });
  const { id } = await bot.api.startMessageStream({ chat_id, reply_to_message_id: asked });
  const statusNow = async () => {
    await world.settle();
    return (await messageOf(alice, id))?.status;
  };
  await clock.advance(59_000);
  // Any call of the bot will do.
  await bot.api.getMe();
  await clock.advance(59_000);
  expect(await statusNow()).toBe('streaming');
  const daemon = await bot.socket();
  // A socket that answers no ping would be closed after 75 s.
  await clock.advance(70_000);
  expect(await statusNow()).toBe('streaming');
  await daemon.close();
  await clock.advance(59_000);
  expect(await statusNow()).toBe('streaming');
  const reader = await alice.socket();
  await clock.advance(2_000);
  const end = await reader.event('messageComplete', (message) => message.id === id);
  expect(end).toMatchObject({ status: 'failed', finish_reason: 'lease' });
  expect(await reader.event('alert')).toMatchObject({ level: 'error', from: { username: bot.username } });
});

test('STREAM-15, STREAM-16: whoever fired a reply that failed is told, whether it quotes them or not', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, reply } = await scene(world);
  const sockets = [await alice.socket(), await bob.socket()] as const;
  await reply.finish('failed');
  const ask = () => bob.api.sendMessage({ chat_id, text: `@${bot.username} ?` });
  const fail = async (more: object) => {
    const { id } = await bot.api.startMessageStream({ chat_id, ...more });
    await bot.api.finishMessageStream({ message_id: id, status: 'failed' });
    await world.settle();
  };
  await fail({ reply_to_message_id: (await ask()).id });
  expect(sockets.map((socket) => socket.all('alert').length)).toEqual([0, 1]);
  await ask();
  await fail({});
  expect(sockets.map((socket) => socket.all('alert').length)).toEqual([0, 2]);
  // Nobody fired this one.
  await fail({});
  expect(sockets.map((socket) => socket.all('alert').length)).toEqual([0, 2]);
});

test('DEL-3, STREAM-5: a reply that was deleted takes no more, and is told of no more', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, reply } = await scene(world);
  const socket = await bob.socket();
  await reply.append('text');
  await alice.api.deleteMessages({ message_ids: [reply.id] });
  const { id: message_id } = reply;
  for (const call of [
    bot.api.appendMessageStream({ message_id, delta: '!', offset: 5 }),
    bot.api.finishMessageStream({ message_id }),
  ])
    await expect(call).rejects.toMatchObject({ status: 404 });
  await world.settle();
  expect(socket.all('messageComplete')).toEqual([]);
  expect(socket.all('typing').at(-1)).toMatchObject({ is_typing: false });
});

test('DEL-5: text that waits for its number when its reply is deleted reaches nobody', async () => {
  const store = new HeldStore();
  await using world = await createWorld({ startStore: store.start });
  const { alice, bob, bot, reply } = await scene(world);
  await reply.append('known');
  await world.settle();
  const socket = await bob.socket();
  const held = store.hold();
  const deletion = alice.api.deleteMessages({ message_ids: [reply.id] });
  await held;
  // Committed, but nobody knows: the reply still takes text.
  await bot.api.appendMessageStream({ message_id: reply.id, delta: ' and a secret', offset: 18 });
  store.release();
  await deletion;
  await world.settle();
  expect(socket.all('messageDeleted')).toMatchObject([{ ids: [reply.id] }]);
  expect(toldOf(socket, reply.id)).toEqual([]);
});

test('TURN-9: an end that was on its way when the bot was taken out is a cancellation, and fires nobody', async () => {
  const store = new HeldStore();
  await using world = await createWorld({ startStore: store.start });
  const { alice, bot, chat, chat_id, reply } = await scene(world);
  const other = await botIn(world, alice, chat, 'other');
  const daemon = await bot.socket();
  const held = store.hold();
  const removal = alice.api.removeGroupAgent({ chat_id, agent_username: bot.username });
  await held;
  const end = daemon.rpc('streams.finish', { message_id: reply.id, text: `@${other.username} go on` });
  const behind = daemon.rpc('streams.append', { message_id: reply.id, delta: '!', offset: 1 });
  await expect(behind).rejects.toMatchObject(closed);
  store.release();
  await removal;
  expect(await end).toMatchObject({ status: 'cancelled', finish_reason: 'removed', mentions: [], dispatch: [] });
});

test('BOT-4, TURN-9: deleting a bot ends its replies in groups and direct chats, with the text they have', async () => {
  await using world = await createWorld();
  const { alice, bot, reply } = await scene(world);
  const direct = await world.direct(alice, bot);
  const [half, empty] = [
    await bot.api.startMessageStream({ chat_id: direct.id }),
    await bot.api.startMessageStream({ chat_id: direct.id }),
  ];
  const socket = await alice.socket();
  await reply.append('one');
  await bot.api.appendMessageStream({ message_id: half.id, delta: 'two', offset: 3 });
  await alice.api.deleteBot({ username: bot.username });
  const ended = { status: 'cancelled', finish_reason: 'removed' };
  expect(await socket.event('messageComplete', ({ id }) => id === reply.id)).toMatchObject({
    ...ended,
    content: 'one',
  });
  expect(await socket.event('messageComplete', ({ id }) => id === half.id)).toMatchObject({ ...ended, content: 'two' });
  expect(await socket.event('messageDeleted')).toMatchObject({ ids: [empty.id] });
  await world.settle();
  const typing = socket.all('typing').map(({ is_typing }) => is_typing);
  expect(typing).toEqual([false, false, false]);
});

test('BOT-4, STREAM-18: a reply whose bot was deleted just before a crash ends with the start', async () => {
  const store = refusingStore(['closeStream'], Infinity);
  await using world = await createWorld({ startStore: store.start, expectsErrors: true });
  const { alice, bot } = await scene(world);
  const direct = await world.direct(alice, bot);
  const { id } = await bot.api.startMessageStream({ chat_id: direct.id });
  await bot.api.appendMessageStream({ message_id: id, delta: 'half', offset: 4 });
  await alice.api.deleteBot({ username: bot.username });
  expect(await messageOf(alice, id)).toMatchObject({ status: 'streaming' });
  await world.crash();
  expect(await messageOf(alice, id)).toMatchObject({ status: 'cancelled', content: 'half' });
});

test('STREAM-18: the end of a reply whose bot was taken out is tried again while the store refuses it', async () => {
  const clock = new ManualClock();
  const store = refusingStore(['closeStream'], 2);
  await using world = await createWorld({ clock, startStore: store.start, expectsErrors: true });
  const { alice, bot, chat_id, reply } = await scene(world);
  const socket = await alice.socket();
  await reply.append('half');
  await alice.api.removeGroupAgent({ chat_id, agent_username: bot.username });
  await world.settle();
  await expect(reply.append(' and more')).rejects.toMatchObject({ status: 409 });
  await clock.advance(2_000);
  expect(await socket.event('messageComplete')).toMatchObject({ status: 'cancelled', content: 'half' });
});
