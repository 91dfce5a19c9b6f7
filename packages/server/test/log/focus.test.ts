import type { EventParams } from '@parley/protocol';
import { type TestSocket, unknownId } from '@parley/testing';
import { expect, test } from 'vitest';
import { ACTIVITY_MS, COALESCE_MS, aloneIn, focusOn, scene, seen } from './caps-stage.ts';

test('CAPS-7: open replies at a new focus arrive whole immediately; those at the old one only as activity', async () => {
  await using stage = await scene();
  const { alice, bob, chatId, begin, pass } = stage;
  const { id: channel_id } = await alice.api.createChannel({ chat_id: chatId, title: 'other' });
  const root = await alice.api.sendMessage({ chat_id: chatId, text: 'a root' });
  const replies = {
    main: await begin(),
    channel: await begin({ channel_id }),
    thread: await begin({ thread_root_id: root.id }),
  };
  for (const reply of Object.values(replies)) await reply.append('text');
  await pass(ACTIVITY_MS);
  const socket = await bob.socket('focus');
  const news = () => socket.all('messageNew').map(({ id, content }) => [id, content]);
  await focusOn(socket, chatId);
  expect(news()).toEqual([[replies.main.id, 'text']]);
  await focusOn(socket, chatId);
  expect(news()).toHaveLength(1);
  await focusOn(socket, chatId.toUpperCase(), { thread_root_id: root.id.toUpperCase() });
  expect(news().slice(1)).toEqual([[replies.thread.id, 'text']]);
  await focusOn(socket, chatId, { channel_id });
  expect(news().slice(2)).toEqual([[replies.channel.id, 'text']]);
  expect(seen(socket)).toEqual(['snapshot', 'snapshot', 'snapshot']);
  expect(await aloneIn(socket)).toEqual(socket.frames);
  for (const reply of Object.values(replies)) await reply.append(' goes on');
  await pass(ACTIVITY_MS);
  expect(socket.all('messageDelta').map(({ id }) => id)).toEqual([replies.channel.id]);
  expect(new Set(socket.all('draftActivity').map(({ id }) => id))).toEqual(
    new Set([replies.main.id, replies.thread.id]),
  );
});

test('CAPS-7: an unknown chat is 404, another’s 403, and the focus stays', async () => {
  await using stage = await scene();
  const { world, bob, chatId, begin, pass } = stage;
  const carol = await world.person('carol');
  const { id: others } = await carol.api.startChat({ username: 'carol' });
  const socket = await bob.socket('focus');
  await focusOn(socket, chatId);
  await expect(focusOn(socket, others)).rejects.toMatchObject({ status: 403 });
  await expect(focusOn(socket, bob.username)).rejects.toMatchObject({ status: 400 });
  await expect(focusOn(socket, unknownId)).rejects.toMatchObject({ status: 404 });
  await expect(focusOn(socket, chatId, { channel_id: others })).rejects.toMatchObject({ status: 404 });
  const reply = await begin();
  await reply.append('here');
  await pass(0);
  expect(seen(socket)).toEqual(['placeholder', 'messageDelta']);
});

test('CAPS-7: of two concurrent calls the later one counts, whichever ends first', async () => {
  await using stage = await scene();
  const { alice, bob, chatId, begin, pass } = stage;
  const { id: channel_id } = await alice.api.createChannel({ chat_id: chatId, title: 'other' });
  const main = await begin();
  const socket = await bob.socket('focus');
  for (let at = 0; at < 10; at += 1)
    await Promise.all([focusOn(socket, chatId, { channel_id }), focusOn(socket, chatId), main.append('text ')]);
  await pass(COALESCE_MS);
  await main.append('.');
  await pass(COALESCE_MS);
  expect(socket.all('messageDelta').at(-1)?.delta).toBe('.');
});

test('CAPS-7: a removed account gets nothing more, whatever its focus and requests', async () => {
  await using stage = await scene();
  const { alice, bob, chatId, begin, pass } = stage;
  const sockets = [await bob.socket('focus'), await bob.socket('patch'), await bob.socket('patch,focus')];
  for (const socket of sockets) await focusOn(socket, chatId);
  const reply = await begin();
  await pass(0);
  await alice.api.removeMember({ chat_id: chatId, username: 'bob' });
  await pass(ACTIVITY_MS);
  const before = sockets.map(({ frames }) => frames.length);
  await reply.append('secret');
  await pass(ACTIVITY_MS);
  for (const socket of sockets) await socket.rpc('wsFocus', { socket: socket.hello.socket, snapshots: [reply.id] });
  await pass(ACTIVITY_MS);
  expect(sockets.map(({ frames }) => frames.length)).toEqual(before);
});

test('CAPS-8: activity is sent at the start, then at most twice a second, with the same number for all sockets', async () => {
  await using stage = await scene();
  const { alice, bob, chatId, clock, begin, pass } = stage;
  const sockets = [await alice.socket('focus'), await bob.socket('focus'), await bob.socket('patch,focus')];
  const here = await bob.socket('focus');
  await focusOn(here, chatId);
  const reply = await begin();
  await pass(0);
  const all = (socket: TestSocket) => socket.frames.filter(({ method }) => method === 'events.draftActivity');
  for (const socket of sockets) expect(all(socket)).toHaveLength(1);
  const begun = clock.now();
  for (let at = 0; at < 50; at += 1) {
    await reply.append(`line ${at} 🙂\n`);
    await pass(100);
  }
  const seconds = (clock.now() - begun) / 1_000;
  const [first] = sockets.map((socket) => all(socket));
  expect(first?.length).toBeGreaterThan(seconds * 2 - 2);
  expect(first?.length).toBeLessThanOrEqual(seconds * 2 + 1);
  const numbers = sockets.map((socket) => all(socket).map(({ seq, params }) => ({ seq, params })));
  for (const other of numbers) expect(other).toEqual(numbers[0]);
  expect(all(here)).toEqual([]);
  await pass(ACTIVITY_MS);
  const last = sockets[0]?.all('draftActivity').at(-1) as EventParams<'draftActivity'>; // checked above
  expect(last.preview).toBe(Array.from(reply.text).slice(-120).join(''));
  const message = (await bob.api.getMessages({ message_ids: [reply.id] })).items[0];
  const { id, conversation_id, channel_id, thread_root_id, sender, created_at, content_revision } = message ?? {};
  const expected = { id, conversation_id, channel_id, thread_root_id, sender, created_at, content_revision };
  expect(last).toEqual({ ...expected, preview: last.preview });
  // Nothing more is sent while the reply is quiet and after it has ended.
  const count = all(sockets[0] as TestSocket).length; // not empty
  await pass(5 * ACTIVITY_MS);
  await reply.append('the end');
  await reply.finish();
  await pass(5 * ACTIVITY_MS);
  expect(all(sockets[0] as TestSocket).length - count).toBeLessThanOrEqual(1); // as above
});

test('CAPS-9: a requested snapshot has a number of its own after the socket’s newest, which no later frame names', async () => {
  await using stage = await scene();
  const { bob, begin, pass } = stage;
  const reply = await begin();
  await reply.append('text');
  await pass(ACTIVITY_MS);
  for (const caps of ['', 'patch', 'focus', 'patch,focus']) {
    const [socket, other] = [await bob.socket(caps), await bob.socket(caps)];
    const ask = () => bob.api.wsFocus({ socket: socket.hello.socket, snapshots: [reply.id, reply.id] });
    await ask();
    await ask();
    await pass(0);
    const [first, second] = socket.frames;
    expect(first).toMatchObject({ prev: socket.hello.head, params: { content: reply.text } });
    expect(second).toMatchObject({ prev: first?.seq, params: { content: reply.text } });
    // A client whose newest number is a snapshot's has missed nothing.
    const since = second?.seq ?? 0;
    const nothing = { frames: [], head: socket.hello.head };
    expect(await bob.api.getUpdates({ since, socket: socket.hello.socket })).toEqual(nothing);
    await reply.append('.');
    await pass(ACTIVITY_MS);
    const [, , third] = socket.frames;
    expect(third).toMatchObject({ prev: socket.hello.head });
    expect(third?.seq).toBeGreaterThan(since);
    const last = socket.frames.at(-1)?.seq;
    await ask();
    await pass(0);
    expect(socket.frames.at(-1)).toMatchObject({ prev: last, params: { content: reply.text } });
    expect(await aloneIn(socket)).toEqual([first, second, socket.frames.at(-1)]);
    expect(await aloneIn(other)).toEqual([]);
    const numbers = socket.frames.map(({ seq }) => seq);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, next) => one - next));
  }
});

test('CAPS-9: a replay for a socket contains the snapshots that it alone was sent after `since`', async () => {
  await using stage = await scene();
  const { alice, bob, chatId, begin, pass } = stage;
  const reply = await begin();
  await reply.append('text');
  await pass(ACTIVITY_MS);
  const socket = await bob.socket('focus');
  const since = socket.hello.head;
  await focusOn(socket, chatId);
  await alice.api.sendMessage({ chat_id: chatId, text: 'later' });
  await pass(0);
  // A client that fetched up to here skips the snapshot, because its number is not above the client's newest.
  const { frames } = await bob.api.getUpdates({ since, socket: socket.hello.socket });
  expect(frames.map(({ params }) => params['content'])).toEqual(['text', 'later']);
  expect(frames[0]?.seq).toBe(socket.frames[0]?.seq);
});

test('CAPS-9: another account’s socket is 404, like an unknown one', async () => {
  await using stage = await scene();
  const { alice, bob, bot } = stage;
  const socket = await bob.socket('focus');
  const missing = { status: 404, description: 'not found: socket' };
  await expect(alice.api.wsFocus({ socket: socket.hello.socket })).rejects.toMatchObject(missing);
  await expect(bot.api.wsFocus({ socket: socket.hello.socket, focus: null })).rejects.toMatchObject(missing);
  await expect(bob.api.wsFocus({ socket: 'no such socket' })).rejects.toMatchObject(missing);
  await expect(alice.api.getUpdates({ since: 0, socket: socket.hello.socket })).rejects.toMatchObject(missing);
  await socket.close();
  await stage.pass(0);
  await expect(bob.api.wsFocus({ socket: socket.hello.socket })).rejects.toMatchObject(missing);
});

test('CAPS-9: finished, deleted or hidden replies are not sent as snapshots', async () => {
  await using stage = await scene();
  const { alice, bob, bot, chatId, begin, pass } = stage;
  const replies = [await begin(), await begin(), await begin()];
  const [ended, deleted, hidden] = replies;
  for (const reply of replies) await reply.append('text');
  await ended?.finish();
  await bot.api.deleteMessages({ message_ids: [deleted?.id ?? ''] });
  await bob.api.deleteMessagesForMe({ message_ids: [hidden?.id ?? ''] });
  const sockets = [await bob.socket('focus'), await alice.socket('focus')];
  for (const socket of sockets) {
    await focusOn(socket, chatId);
    await socket.rpc('wsFocus', { socket: socket.hello.socket, snapshots: replies.map(({ id }) => id) });
  }
  await pass(0);
  expect(sockets.map((socket) => socket.all('messageNew').map(({ id }) => id))).toEqual([[], [hidden?.id, hidden?.id]]);
});

test('CAPS-9: a slow reader still gets its snapshot', async () => {
  await using stage = await scene();
  const { bob, bot, chatId, begin, pass } = stage;
  const reply = await begin();
  await reply.append('text');
  await pass(ACTIVITY_MS);
  const socket = await bob.socket('focus');
  socket.pause();
  // More than the service buffers for a client that does not read.
  const send = async () => {
    for (let at = 0; at < 7; at += 1) await bot.api.sendMessage({ chat_id: chatId, text: 'x'.repeat(200_000) });
  };
  await send();
  // A burst alone does not make a reader slow.
  await pass(200);
  await send();
  await bob.api.wsFocus({ socket: socket.hello.socket, focus: { chat_id: chatId } });
  socket.resume();
  const snapshot = await socket.waitFor(({ params }) => params['id'] === reply.id);
  expect(snapshot.params['content']).toBe('text');
  await pass(0);
  expect(socket.all('messageNew').length).toBeLessThan(15);
});
