import { createWorld, ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import { agentChat } from '../helpers/agents.ts';
import { closed, scene } from '../helpers/stream-stage.ts';

test('STREAM-1, STREAM-2, STREAM-6: a reply is sent as deltas, and whole to a client that connects in between', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, chat_id, begin } = await scene(world);
  const socket = await bob.socket();
  const reply = await begin();
  const placeholder = await socket.event('messageNew');
  expect(placeholder).toMatchObject({ id: reply.id, status: 'streaming', content: '', content_revision: 1 });
  // The first text is sent immediately, then the text gathered in 40 ms.
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

test('STREAM-6: a character that a provider splits arrives in one delta; a lone surrogate and NUL are replaced', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const { agent, chat } = await agentChat(world, alice);
  world.providers.script(agent.key, { chunks: ['a\ud83d', '\ude42b', '\0', '\ud83d'] });
  const socket = await alice.socket();
  await alice.api.sendMessage({ chat_id: chat.id, text: '?' });
  const end = await socket.event('messageComplete');
  const deltas = socket.all('messageDelta').map(({ delta }) => delta);
  expect(deltas.every((delta) => delta.isWellFormed())).toBe(true);
  expect(deltas.join('')).toBe('a🙂b\ufffd\ufffd');
  expect(end).toMatchObject({ content: 'a🙂b\ufffd\ufffd', status: 'complete' });
});

test('STREAM-4, STREAM-12: an append continues the text, repeats a part of it, or is refused with the current length', async () => {
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
    expect(await append(delta, offset)).toMatchObject({ offset: 5 });
  for (const [delta, offset] of [
    ['x', 3],
    ['cd', 6],
    ['d', 7],
    ['longer', 3],
    ['', 6],
  ] as const)
    await expect(append(delta, offset)).rejects.toMatchObject({ ...closed, parameters: { offset: 5 } });
  reply.text = 'aébc';
  await reply.finish();
});

test('STREAM-10, STREAM-11: a replaced text is sent whole, with its own revision', async () => {
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

test('STREAM-5, STREAM-13: of two concurrent ends one is stored, and later appends are refused', async () => {
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

test('SOCKET-4, STREAM-13: calls that a daemon sends without waiting take effect in order', async () => {
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

test('STREAM-5, STREAM-17: daemons that start the same reply concurrently share one', async () => {
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
