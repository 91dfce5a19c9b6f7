import type { EventParams } from '@parley/protocol';
import { createWorld, ManualClock, type Actor, type Follower, type TestSocket, type World } from '@parley/testing';
import { DaemonStream } from '@parley/testing/daemon-stream.ts';
import { compareAll } from '@parley/testing/model/follower.ts';
import { SteeredStore } from '@parley/testing/steered-store.ts';
import { expect, test } from 'vitest';

const COALESCE_MS = 40;
const ACTIVITY_MS = 500;
const subsets = [
  '',
  'patch',
  'focus',
  'patch,focus',
  'nodrafts',
  'nodrafts,patch',
  'focus,nodrafts',
  'patch,nodrafts,focus',
];

interface Scene {
  world: World;
  clock: ManualClock;
  alice: Actor;
  bob: Actor;
  bot: Actor;
  chatId: string;
  /** A reply that the bot begins. */
  begin: (timeline?: { channel_id?: string; thread_root_id?: string }) => Promise<DaemonStream>;
  /** Time passes, and what was due has come. */
  pass: (ms: number) => Promise<void>;
}

/** A group of alice and bob, and a bot that writes there. */
async function scene(): Promise<Scene & AsyncDisposable> {
  const clock = new ManualClock();
  const world = await createWorld({ clock });
  const { alice, bob } = await world.people('alice', 'bob');
  const bot = await world.bot(alice);
  const { id: chatId } = await world.group(alice, bob);
  await alice.api.addGroupAgent({ chat_id: chatId, agent_username: bot.username });
  return {
    world,
    clock,
    alice,
    bob,
    bot,
    chatId,
    begin: async (timeline = {}) =>
      new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id: chatId, ...timeline })),
    async pass(ms) {
      await world.settle();
      await clock.advance(ms);
      await world.settle();
    },
    [Symbol.asyncDispose]: () => world.close(),
  };
}

const focusOn = (socket: TestSocket, chatId: string, timeline: object = {}) =>
  socket.rpc('wsFocus', { socket: socket.hello.socket, focus: { chat_id: chatId, ...timeline } });

/** What came of drafts and messages, in a word each. */
const seen = (socket: TestSocket): string[] =>
  socket.frames
    .filter(({ method }) => method !== 'events.typing')
    .map(({ method, params, seq, prev }) => {
      const isWhole = method === 'events.messageNew' && params['status'] === 'streaming';
      const word = isWhole ? (params['content'] === '' ? 'placeholder' : 'snapshot') : method.replace('events.', '');
      return seq === prev ? `${word} alone` : word;
    });

/** Typing of the bot and the words of alice, while the bot writes a line, goes on, writes something else and ends. */
async function play({ alice, chatId, begin, pass }: Scene, timeline?: { channel_id: string }): Promise<void> {
  await alice.api.sendMessage({ chat_id: chatId, text: 'well?' });
  const reply = await begin(timeline);
  await reply.append('one line\nand');
  await reply.append(' another');
  await pass(COALESCE_MS);
  await reply.replace('one line\nand no other');
  await pass(ACTIVITY_MS);
  await reply.finish();
  await pass(0);
}

const whole = ['messageNew', 'placeholder', 'messageDelta', 'messageDelta', 'snapshot', 'messageComplete'];
const patched = [
  'messageNew',
  'placeholder',
  'messageDraftPatch',
  'messageDraftPatch',
  'messageDraftPatch',
  'messageComplete',
];
const active = ['messageNew', 'draftActivity', 'draftActivity', 'messageComplete'];
const finished = ['messageNew', 'messageComplete'];

test.each([
  ['', whole, whole],
  ['patch', patched, patched],
  ['focus', active, whole],
  ['patch,focus', active, patched],
  ['focus, patch, unknown', active, patched],
  ['nodrafts', finished, finished],
  ['nodrafts,patch', finished, finished],
  ['focus,nodrafts', finished, finished],
  ['patch,nodrafts,focus', finished, finished],
])('CAPS-1, CAPS-3: what a socket with the caps "%s" sees of a reply', async (caps, elsewhere, here) => {
  await using stage = await scene();
  const { bob, chatId } = stage;
  const away = await bob.socket(caps);
  const there = await bob.socket(caps);
  await focusOn(there, chatId);
  await play(stage);
  expect(seen(away)).toEqual(elsewhere);
  expect(seen(there)).toEqual(here);
  const typing = caps.includes('nodrafts') ? [] : [true, false];
  expect(there.all('typing').map(({ is_typing }) => is_typing)).toEqual(typing);
  // What came first had hello's head before it, and nothing lay between: the chain has no gap (LOG-6, LOG-16).
  expect(away.frames[0]?.prev).toBe(away.hello.head);
  // Who comes now is told the number of the last frame that such a socket got; a view of its own does not count typing.
  const later = await bob.socket(caps);
  const last = away.frames.findLast(({ method }) => !caps.includes('focus') || method !== 'events.typing');
  expect(later.hello.head).toBe(last?.seq);
});

test('CAPS-2: a socket with nodrafts gets no draft when it asks for one', async () => {
  await using stage = await scene();
  const socket = await stage.bob.socket('nodrafts,patch,focus');
  const reply = await stage.begin();
  await reply.append('text');
  await focusOn(socket, stage.chatId);
  await socket.rpc('wsFocus', { socket: socket.hello.socket, snapshots: [reply.id] });
  await stage.pass(ACTIVITY_MS);
  expect(socket.frames).toEqual([]);
});

test('CAPS-4: getUpdates looks through the caps of a socket, at where it looks now', async () => {
  await using stage = await scene();
  const { alice, bob, chatId, begin, pass } = stage;
  const { head: since } = await alice.api.getUpdates({ since: 0 });
  const { id: channel_id } = await alice.api.createChannel({ chat_id: chatId, title: 'other' });
  const main = await begin();
  const other = await begin({ channel_id });
  for (const reply of [main, other]) await reply.append('some\ntext');
  await pass(ACTIVITY_MS);
  const updates = async (socket: TestSocket) => {
    const { frames, head } = await bob.api.getUpdates({ since, socket: socket.hello.socket });
    expect(frames.at(-1)?.seq ?? 0).toBeLessThanOrEqual(head);
    expect(head).toBe(Math.max(socket.hello.head, socket.frames.at(-1)?.seq ?? 0, frames.at(-1)?.seq ?? 0));
    return frames.map(
      ({ method, params }) => `${method.replace('events.', '')} ${params['id'] === main.id ? 'main' : 'other'}`,
    );
  };
  for (const caps of ['focus', 'patch,focus', 'focus,patch']) {
    const socket = await bob.socket(caps);
    expect((await updates(socket)).toSorted()).toEqual(['draftActivity main', 'draftActivity other']);
    await focusOn(socket, chatId);
    expect((await updates(socket)).toSorted()).toEqual(['draftActivity other', 'messageNew main']);
    await focusOn(socket, chatId, { channel_id });
    expect((await updates(socket)).toSorted()).toEqual(['draftActivity main', 'messageNew other']);
    await socket.rpc('wsFocus', { socket: socket.hello.socket, focus: null });
    expect((await updates(socket)).toSorted()).toEqual(['draftActivity main', 'draftActivity other']);
  }
  for (const caps of ['', 'patch'])
    expect((await updates(await bob.socket(caps))).toSorted()).toEqual(['messageNew main', 'messageNew other']);
  expect(await updates(await bob.socket('nodrafts,focus'))).toEqual([]);
});

test.each(['patch', 'focus', 'patch,focus'])(
  'CAPS-4, CAPS-10: who comes back with the caps "%s" has what was written while nobody listened',
  async (caps) => {
    await using stage = await scene();
    const { bob, chatId, begin, pass, clock } = stage;
    const before = await begin();
    const follower = bob.follower(caps);
    await follower.load();
    await follower.connect();
    await before.append('heard');
    await pass(ACTIVITY_MS);
    await follower.drop();
    await before.append(', unheard');
    await pass(ACTIVITY_MS);
    await follower.connect();
    await pass(0);
    await follower.compare();
    if (caps === 'patch') expect(follower.state.find(before.id)?.content).toBe('heard, unheard');
    else expect(follower.state.activity.get(before.id)?.preview).toBe('heard, unheard');
    await follower.drop();
    const during = await begin();
    await pass(ACTIVITY_MS);
    await during.append('begun and gone on');
    await pass(ACTIVITY_MS);
    await follower.connect();
    await pass(0);
    await follower.compare();
    if (caps !== 'patch') expect(follower.state.activity.get(during.id)?.preview).toBe('begun and gone on');
    await follower.setFocus({ conversation_id: chatId, channel_id: null, thread_root_id: null });
    await before.append('.');
    await pass(COALESCE_MS);
    await clock.advance(ACTIVITY_MS);
    await pass(0);
    await follower.compare();
    expect(follower.state.find(before.id)?.content).toBe('heard, unheard.');
  },
);

test('CAPS-5: patches of a reply are its lines as they change, without a question', async () => {
  await using stage = await scene();
  const { bob, begin, pass } = stage;
  const follower = await bob.follow('patch');
  const reply = await begin();
  const texts = ['one', ' and\r\n', '\n\n', '🙂', '🙂\n', 'x'.repeat(5_000), '\n'];
  for (const text of texts) {
    await reply.append(text);
    await pass(COALESCE_MS);
    expect(follower.state.find(reply.id)?.content).toBe(reply.text);
  }
  await reply.replace(reply.text.replace('one', 'two'));
  await pass(COALESCE_MS);
  await follower.compare();
  const patches = follower.socket?.all('messageDraftPatch') ?? [];
  expect(patches).toHaveLength(texts.length + 1);
  expect(patches.at(-1)?.ops).toEqual([{ at: 0, del: 1, ins: ['two and\r'] }]);
  for (const [at, { base_rev }] of patches.entries()) if (at > 0) expect(base_rev).toBe(patches[at - 1]?.rev);
  // Where every line changes the whole is smaller, and goes instead.
  await reply.replace('a\n'.repeat(2_000));
  await pass(COALESCE_MS);
  await reply.replace('b\n'.repeat(2_000));
  await pass(COALESCE_MS);
  expect(seen(follower.socket as TestSocket).at(-1)).toBe('snapshot'); // it is connected
  await reply.append('c');
  await pass(COALESCE_MS);
  await follower.compare();
  expect(follower.recovered.snapshots).toBe(0);
});

test('CAPS-5: a client that lacks the base asks once, and goes on from what it gets', async () => {
  await using stage = await scene();
  const { bob, begin, pass } = stage;
  const follower = await bob.follow('patch');
  const reply = await begin();
  await reply.append('first line\n');
  await pass(COALESCE_MS);
  const known = follower.state.find(reply.id);
  if (!known) throw new Error('the reply is known');
  follower.state.upsert({ ...known, content: 'something else', content_revision: 1 });
  await reply.append('second');
  await pass(COALESCE_MS);
  await reply.append(' line');
  await pass(COALESCE_MS);
  await follower.compare();
  expect(follower.recovered.snapshots).toBe(1);
  expect(seen(follower.socket as TestSocket).filter((word) => word.endsWith('alone'))).toEqual(['snapshot alone']); // connected
});

test.each(['restart', 'crash'] as const)(
  'CAPS-5: after a %s the first frame of a reply is whole, then patches go on',
  async (way) => {
    await using stage = await scene();
    const { world, bob, begin, pass } = stage;
    const follower = await bob.follow('patch');
    const reply = await begin();
    await reply.append('before\n');
    await pass(1_000);
    await world[way]();
    await follower.drop();
    await follower.connect();
    await reply.append('after');
    await pass(COALESCE_MS);
    await reply.append(' it');
    await pass(COALESCE_MS);
    await follower.compare();
    expect(follower.state.find(reply.id)?.content).toBe('before\nafter it');
    expect(seen(follower.socket as TestSocket)).toEqual(['snapshot', 'messageDraftPatch']); // it is connected
  },
);

test('CAPS-6: a very long line costs a socket at most 256 KiB a second, and its end comes all the same', async () => {
  await using stage = await scene();
  const { bob, begin, pass, clock } = stage;
  const follower = await bob.follow('patch');
  const bytesSoFar = () => Buffer.byteLength(JSON.stringify(follower.socket?.all('messageDraftPatch')));
  const reply = await begin();
  await reply.append('é'.repeat(60 * 1024));
  await pass(COALESCE_MS);
  const [begun, from] = [clock.now(), bytesSoFar()];
  for (let at = 0; at < 60; at += 1) {
    await reply.append('more ');
    await pass(100);
  }
  const seconds = (clock.now() - begun) / 1_000;
  const bytes = bytesSoFar() - from;
  expect(bytes).toBeGreaterThan(100 * 1024 * seconds);
  expect(bytes).toBeLessThan(256 * 1024 * (seconds + 1));
  await pass(1_000);
  await follower.compare();
  expect(follower.state.find(reply.id)?.content).toBe(reply.text);
});

test('CAPS-6: small patches do not wait for each other, and none costs more for the text before its line', async () => {
  await using stage = await scene();
  const { bob, begin, pass } = stage;
  const socket = await bob.socket('patch');
  const reply = await begin();
  await reply.append('a line of text\n'.repeat(10_000));
  await pass(1_000);
  const before = socket.all('messageDraftPatch').length;
  for (let at = 0; at < 20; at += 1) {
    await reply.append(at % 5 === 4 ? 'token\n' : 'token ');
    await pass(COALESCE_MS);
  }
  const patches = socket.all('messageDraftPatch').slice(before);
  expect(patches).toHaveLength(20);
  for (const patch of patches) expect(JSON.stringify(patch).length).toBeLessThan(200);
});

test('CAPS-7: the content of drafts follows the focus: whole at once where it goes, activity alone where it was', async () => {
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
  expect(seen(socket)).toEqual(['snapshot alone', 'snapshot alone', 'snapshot alone']);
  for (const reply of Object.values(replies)) await reply.append(' goes on');
  await pass(ACTIVITY_MS);
  expect(socket.all('messageDelta').map(({ id }) => id)).toEqual([replies.channel.id]);
  expect(new Set(socket.all('draftActivity').map(({ id }) => id))).toEqual(
    new Set([replies.main.id, replies.thread.id]),
  );
});

test('CAPS-7: a chat that is not there is 404, one of others 403, and the focus stays', async () => {
  await using stage = await scene();
  const { world, bob, chatId, begin, pass } = stage;
  const carol = await world.person('carol');
  const { id: others } = await carol.api.startChat({ username: 'carol' });
  const socket = await bob.socket('focus');
  await focusOn(socket, chatId);
  await expect(focusOn(socket, others)).rejects.toMatchObject({ status: 403 });
  await expect(focusOn(socket, bob.username)).rejects.toMatchObject({ status: 400 });
  await expect(focusOn(socket, '01890000-0000-7000-8000-000000000000')).rejects.toMatchObject({ status: 404 });
  await expect(focusOn(socket, chatId, { channel_id: others })).rejects.toMatchObject({ status: 404 });
  const reply = await begin();
  await reply.append('here');
  await pass(0);
  expect(seen(socket)).toEqual(['placeholder', 'messageDelta']);
});

test('CAPS-7: of two calls the later one counts, whichever ends first', async () => {
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

test('CAPS-7: who was removed hears nothing more, wherever they look and whatever they ask for', async () => {
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

test('CAPS-8: activity comes at the start, then at most twice a second, with one number for all that look elsewhere', async () => {
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
  const last = sockets[0]?.all('draftActivity').at(-1) as EventParams<'draftActivity'>; // there are some
  expect(last.preview).toBe(Array.from(reply.text).slice(-120).join(''));
  const message = (await bob.api.getMessages({ message_ids: [reply.id] })).items[0];
  const { id, conversation_id, channel_id, thread_root_id, sender, created_at, content_revision } = message ?? {};
  const expected = { id, conversation_id, channel_id, thread_root_id, sender, created_at, content_revision };
  expect(last).toEqual({ ...expected, preview: last.preview });
  // Once it is quiet, and once it has ended, nothing more comes.
  const count = all(sockets[0] as TestSocket).length; // there are some
  await pass(5 * ACTIVITY_MS);
  await reply.append('the end');
  await reply.finish();
  await pass(5 * ACTIVITY_MS);
  expect(all(sockets[0] as TestSocket).length - count).toBeLessThanOrEqual(1); // as above
});

test("CAPS-9: a snapshot for one socket bears its last number, hello's head on a fresh one, and moves nothing", async () => {
  await using stage = await scene();
  const { bob, begin, pass } = stage;
  const reply = await begin();
  await reply.append('text');
  await pass(ACTIVITY_MS);
  for (const caps of ['', 'patch', 'focus', 'patch,focus']) {
    const [socket, other] = [await bob.socket(caps), await bob.socket(caps)];
    const ask = () => bob.api.wsFocus({ socket: socket.hello.socket, snapshots: [reply.id, reply.id] });
    await ask();
    await pass(0);
    expect(socket.frames).toMatchObject([
      { seq: socket.hello.head, prev: socket.hello.head, params: { content: reply.text } },
    ]);
    await reply.append('.');
    await pass(ACTIVITY_MS);
    const last = socket.frames.at(-1)?.seq;
    expect(last).toBeGreaterThan(socket.hello.head);
    await ask();
    await pass(0);
    expect(socket.frames.at(-1)).toMatchObject({ seq: last, prev: last, params: { content: reply.text } });
    expect(seen(other).filter((word) => word.endsWith('alone'))).toEqual([]);
  }
});

test("CAPS-9: somebody else's socket is answered as one that is not there", async () => {
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

test('CAPS-9: what has ended, is deleted or is hidden comes in no snapshot', async () => {
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

test('CAPS-9: a reader who is behind gets its snapshot all the same', async () => {
  await using stage = await scene();
  const { bob, bot, chatId, begin, pass } = stage;
  const reply = await begin();
  await reply.append('text');
  await pass(ACTIVITY_MS);
  const socket = await bob.socket('focus');
  socket.pause();
  // More than the service keeps for a reader that does not read.
  const send = async () => {
    for (let at = 0; at < 7; at += 1) await bot.api.sendMessage({ chat_id: chatId, text: 'x'.repeat(200_000) });
  };
  await send();
  // A burst alone is no sign of a slow reader.
  await pass(200);
  await send();
  await bob.api.wsFocus({ socket: socket.hello.socket, focus: { chat_id: chatId } });
  socket.resume();
  const snapshot = await socket.waitFor(({ seq, prev }) => seq === prev);
  expect(snapshot.params['content']).toBe('text');
  await pass(0);
  expect(socket.all('messageNew').length).toBeLessThan(15);
});

test('CAPS-5, STREAM-9: a replacement that meets an end which cannot be stored comes with the next text', async () => {
  const store = new SteeredStore();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, startStore: store.start, expectsErrors: true });
  const { alice, bob } = await world.people('alice', 'bob');
  const bot = await world.bot(alice);
  const { id: chat_id } = await world.group(alice, bob);
  await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
  const followers = [await bob.follow('patch'), await bob.follow('')];
  const reply = new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id }));
  for (let at = 0; at < 10; at += 1) {
    store.failCommits(true);
    const line = `${'abc'[at % 3]}\n`;
    // The whole is smaller than the lines: it is being made while the end is on its way.
    const [, ended] = await Promise.allSettled([reply.replace(line.repeat(500)), reply.finish()]);
    expect(ended).toMatchObject({ status: 'rejected', reason: { status: 503 } });
    store.failCommits(false);
    // It was not stored either: the daemon says it again.
    await reply.replace(line.repeat(500));
    await reply.append(`${at}`);
    await world.settle();
    await clock.advance(1_000);
    await world.settle();
    await compareAll(followers);
    expect(followers[0]?.state.find(reply.id)?.content).toBe(reply.text);
  }
});

test('LOG-17: every set of caps ends with what a fresh fetch shows when a reply ends while it is being sent', async () => {
  await using stage = await scene();
  const { bob, begin, pass, chatId } = stage;
  const followers: Follower[] = [];
  for (const caps of subsets) {
    const follower = await bob.follow(caps);
    if (follower.has('focus'))
      await follower.setFocus({ conversation_id: chatId, channel_id: null, thread_root_id: null });
    followers.push(follower);
  }
  const reply = await begin();
  await reply.append('one\ntwo\n');
  await reply.replace('one\nthree\n');
  const message = await reply.finish();
  await pass(0);
  await compareAll(followers);
  for (const { state } of followers) expect(state.find(reply.id)).toEqual(message);
});
