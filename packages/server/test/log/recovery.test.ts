import type { Result } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, ManualClock, type TestSocket, unknownId } from '@parley/testing';
import { indexLog } from '@parley/testing/stores/tend-log.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { agentChat, botIn } from '../helpers/agents.ts';

type Frame = Result<'getUpdates'>['frames'][number];

const kinds = (frames: readonly Frame[]) => frames.map(({ method }) => method.replace('events.', ''));
const headOf = async (actor: Actor): Promise<number> => (await actor.api.getChats()).head;

/** All pages after `since`, of `limit` frames each, and the last head. */
async function pages(actor: Actor, since: number, limit: number): Promise<{ frames: Frame[]; head: number }> {
  const frames: Frame[] = [];
  for (let from = since; ;) {
    const page = await actor.api.getUpdates({ since: from, limit });
    expect(page.frames.length).toBeLessThanOrEqual(limit);
    frames.push(...page.frames);
    if (!page.more) return { frames, head: page.head };
    from = page.frames.at(-1)?.seq ?? expect.fail('a page with more to come is not empty');
  }
}

test('LOG-5, LOG-6, LOG-16: `prev` and `head` of two sockets of one account count only what their own caps let through', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const sockets = [await bob.socket(), await bob.socket('nodrafts')] as const;
  const { id } = await bot.api.startMessageStream({ chat_id: chat.id });
  await alice.api.sendChatAction({ chat_id: chat.id, action: 'typing' });
  for (const [offset, delta] of ['a', 'b', 'c'].entries())
    await bot.api.appendMessageStream({ message_id: id, delta, offset: offset + 1 });
  await alice.api.sendMessage({ chat_id: chat.id, text: 'meanwhile' });
  await bot.api.finishMessageStream({ message_id: id });
  await world.settle();
  const [full, quiet] = sockets.map((socket) => kinds(socket.frames));
  expect(quiet).toEqual(['messageNew', 'messageComplete']);
  expect(full).toEqual(expect.arrayContaining(['messageNew', 'typing', 'messageDelta', 'messageComplete']));
  for (const { hello, frames } of sockets) expect(frames[0]?.prev).toBe(hello.head);
  const [, { chain, hello }] = sockets;
  expect(await bob.api.getUpdates({ since: 0, socket: hello.socket })).toMatchObject({ head: chain.lastSeq });
});

test('LOG-4, CAPS-1: events for an account reach all its sockets and no others; unknown caps change nothing', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.direct(alice, bob);
  const sockets = [
    await alice.socket(),
    await alice.socket('nodrafts'),
    await alice.socket('magic, '),
    await bob.socket(),
  ];
  await alice.api.saveDraft({ chat_id: chat.id, text: 'unsent' });
  await bob.api.sendChatAction({ chat_id: chat.id, action: 'typing' });
  await world.settle();
  expect(sockets.map(({ frames }) => kinds(frames))).toEqual([
    ['draftUpdated', 'typing'],
    ['draftUpdated'],
    ['draftUpdated', 'typing'],
    [],
  ]);
});

test('MSG-3, MSG-8, STORE-7: a message is stored once, however often it is sent concurrently, over either transport, and after a crash', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.direct(alice, bob);
  const [reader, writer] = [await bob.socket(), await alice.socket()];
  const send = () => alice.api.sendMessage({ chat_id: chat.id, text: 'once', client_msg_id: 'k' });
  const call = () => writer.rpc('messages.send', { conversation_id: chat.id, content: 'once', client_msg_id: 'k' });
  const sent = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? send() : call())));
  await world.settle();
  expect(new Set(sent.map((message) => JSON.stringify(message))).size).toBe(1);
  expect(reader.all('messageNew')).toEqual([sent[0]]);
  await world.crash();
  expect(await send()).toEqual(sent[0]);
  expect((await bob.api.getChatHistory({ chat_id: chat.id })).items).toEqual([sent[0]]);
});

embeddedTest('a crash loses numbers')(
  'LOG-2, LOG-15: after a crash a `since` above the head counts as up to date, and numbers continue above it',
  async () => {
    await using world = await createWorld();
    const { alice, bob, carol } = await world.people('alice', 'bob', 'carol');
    const chat = await world.direct(alice, bob);
    const other = await world.direct(alice, carol);
    await alice.api.sendMessage({ chat_id: chat.id, text: 'before' });
    const socket = await carol.socket();
    await alice.api.sendChatAction({ chat_id: other.id, action: 'typing' });
    await socket.event('typing');
    const since = socket.chain.lastSeq;
    await world.crash();
    const { head } = (await bob.socket()).hello;
    expect(head).toBeLessThan(since);
    expect(await bob.api.getUpdates({ since })).toEqual({ frames: [], head });
    const live = await bob.socket();
    await alice.api.sendMessage({ chat_id: chat.id, text: 'after' });
    const { seq, prev } = await live.waitFor(({ method }) => method === 'events.messageNew');
    expect(prev).toBe(head);
    expect(seq).toBeGreaterThan(since);
  },
);

test('LOG-8: a `since` above the counter gets `truncated`', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const updates = await alice.api.getUpdates({ since: Number.MAX_SAFE_INTEGER });
  expect(updates).toEqual({ frames: [], head: await headOf(alice), truncated: true });
});

test('LOG-8: the retention counts events: numbers used by restarts, deltas and typing do not count', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock, settings: { eventRetentionCount: 100, eventsKeptPerScope: 1 } });
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.direct(alice, bob);
  const since = await headOf(bob);
  await alice.api.sendMessage({ chat_id: chat.id, text: 'long ago' });
  for (let times = 0; times < 3; times += 1) {
    await world.restart();
    await alice.api.sendMessage({ chat_id: chat.id, text: 'later' });
    await indexLog(world.service);
    await clock.advance(120_000);
    await world.settle();
  }
  const updates = await bob.api.getUpdates({ since });
  expect(updates.truncated).toBeUndefined();
  expect(updates.frames.map(({ params }) => params['content'])).toEqual(['long ago', 'later', 'later', 'later']);
});

test('LOG-8: a `since` below the retained events gets `truncated` only for accounts that have missed something', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock, settings: { eventRetentionCount: 10, eventsKeptPerScope: 5 } });
  const { alice, bob, carol } = await world.people('alice', 'bob', 'carol');
  const chat = await world.direct(alice, bob);
  const [since, sinceOfCarol] = [await headOf(bob), await headOf(carol)];
  for (let n = 0; n < 30; n += 1) await alice.api.sendMessage({ chat_id: chat.id, text: `${n}` });
  await indexLog(world.service);
  await clock.advance(120_000);
  await world.settle();
  expect(await bob.api.getUpdates({ since })).toMatchObject({ frames: [], truncated: true });
  expect(await carol.api.getUpdates({ since: sinceOfCarol })).toEqual({ frames: [], head: sinceOfCarol });
  const { frames } = await bob.api.getUpdates({ since: (await headOf(bob)) - 3 });
  expect(frames.map(({ params }) => params['content'])).toEqual(['27', '28', '29']);
});

test('LOG-8: an account that makes many events in its own group does not push out the events of others', async () => {
  const clock = new ManualClock();
  const settings = { eventRetentionCount: 100, eventsKeptPerScope: 20 };
  await using world = await createWorld({ clock, settings });
  const { alice, bob, mallory } = await world.people('alice', 'bob', 'mallory');
  const chat = await world.direct(alice, bob);
  const own = await world.group(mallory);
  const sent: string[] = [];
  const since = await headOf(bob);
  // Sockets with this cap get title changes.
  const socket = await mallory.socket('ext');
  const sinceOfMallory = socket.hello.head;
  const flood = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) => mallory.api.setChatTitle({ chat_id: own.id, title: `title ${at}` })),
    );
  for (let round = 0; round < 4; round += 1) {
    sent.push((await alice.api.sendMessage({ chat_id: chat.id, text: `round ${round}` })).id);
    await flood(50);
    await indexLog(world.service);
    // Each pass of the log's upkeep trims a part.
    for (let looks = 0; looks < 3; looks += 1) {
      await clock.advance(60_000);
      await world.settle();
    }
  }
  const [stored] = await world.sql<{ count: number }>('SELECT count(*) AS count FROM events');
  expect(stored?.count).toBeLessThanOrEqual(settings.eventRetentionCount);
  const { truncated, frames } = await bob.api.getUpdates({ since });
  expect(truncated).toBeUndefined();
  expect(frames.map(({ params }) => params['id'])).toEqual(sent);
  // Only the flooded scope has lost events, and not its newest ones.
  const { lastSeq } = socket.chain;
  const missed = (from: TestSocket, behind: number) => from.rpc('getUpdates', { since: behind });
  expect(await missed(socket, sinceOfMallory)).toMatchObject({ frames: [], truncated: true });
  expect(await missed(socket, lastSeq - 1)).toMatchObject({ frames: [{ seq: lastSeq }] });
  await world.restart();
  expect(await bob.api.getUpdates({ since })).toMatchObject({ frames });
  expect(await missed(await mallory.socket('ext'), sinceOfMallory)).toMatchObject({ frames: [], truncated: true });
});

test('LOG-8: the newest events of each scope stay, even if together they exceed the log’s retention', async () => {
  const clock = new ManualClock();
  const settings = { eventRetentionCount: 10, eventsKeptPerScope: 8, eventRetentionMs: 600_000 };
  await using world = await createWorld({ clock, settings });
  const { alice, bob, carol } = await world.people('alice', 'bob', 'carol');
  const [one, other] = [await world.direct(alice, bob), await world.direct(alice, carol)];
  const since = [await headOf(bob), await headOf(carol)] as const;
  for (let n = 0; n < 8; n += 1)
    for (const { id } of [one, other]) await alice.api.sendMessage({ chat_id: id, text: `${n}` });
  await indexLog(world.service);
  await clock.advance(120_000);
  await world.settle();
  for (const [at, actor] of [bob, carol].entries())
    expect((await actor.api.getUpdates({ since: since[at] ?? 0 })).frames).toHaveLength(8);
  // 20 minutes later the events are older than `eventRetentionMs`.
  for (let looks = 0; looks < 2; looks += 1) {
    await clock.advance(600_000);
    await world.settle();
  }
  expect(await bob.api.getUpdates({ since: since[0] })).toMatchObject({ frames: [], truncated: true });
});

test('LOG-7, LOG-10: pages of one frame each add up to the frames of a single page, also with an open reply', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const since = await headOf(bob);
  const socket = await bob.socket();
  await alice.api.sendMessage({ chat_id: chat.id, text: 'one' });
  const { id } = await bot.api.startMessageStream({ chat_id: chat.id });
  await alice.api.sendMessage({ chat_id: chat.id, text: 'two' });
  await bot.api.appendMessageStream({ message_id: id, delta: 'half', offset: 4 });
  await socket.event('messageDelta');
  await alice.api.sendMessage({ chat_id: chat.id, text: 'three' });
  const whole = await bob.api.getUpdates({ since });
  expect(whole.frames.map(({ params }) => params['content'])).toEqual(['one', 'two', 'half', 'three']);
  expect(whole.frames[0]?.prev).toBe(since);
  expect(whole.head).toBe(whole.frames.at(-1)?.seq);
  expect(await pages(bob, since, 1)).toEqual({ frames: whole.frames, head: whole.head });
});

test('LOG-10: a new member of a group gets its earlier events, and a head that is not below them', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice);
  const socket = await bob.socket();
  await alice.api.sendMessage({ chat_id: chat.id, text: 'before bob' });
  await alice.api.addMembers({ chat_id: chat.id, usernames: ['bob'] });
  const { head, socket: id } = socket.hello;
  const updates = await bob.api.getUpdates({ since: head, socket: id });
  expect(kinds(updates.frames)).toEqual(['messageNew']);
  expect(updates.head).toBe(updates.frames[0]?.seq);
  await alice.api.sendMessage({ chat_id: chat.id, text: 'with bob' });
  const live = await socket.waitFor(({ method }) => method === 'events.messageNew');
  expect(live.prev).toBe(head);
});

test('LOG-7: getUpdates applies the caps of the named socket, which must be the caller’s own', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const since = await headOf(bob);
  const quiet = await bob.socket('nodrafts');
  const full = await bob.socket();
  await bot.api.startMessageStream({ chat_id: chat.id });
  expect(kinds((await bob.api.getUpdates({ since, socket: full.hello.socket })).frames)).toEqual(['messageNew']);
  const { head } = quiet.hello;
  expect(await bob.api.getUpdates({ since, socket: quiet.hello.socket })).toEqual({ frames: [], head });
  expect(await quiet.rpc('getUpdates', { since })).toEqual({ frames: [], head });
  const failures = [
    alice.api.getUpdates({ since, socket: quiet.hello.socket }),
    bob.api.getUpdates({ since, socket: unknownId }),
  ];
  await Promise.all(failures.map((failure) => expect(failure).rejects.toMatchObject({ status: 404 })));
});

embeddedTest('text gathered on the reader’s node')(
  'LOG-12, STREAM-3: the snapshot of a replay contains the gathered text, and the next delta continues it',
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const { alice, bob } = await world.people('alice', 'bob');
    const chat = await world.group(alice, bob);
    const bot = await botIn(world, alice, chat);
    const since = await headOf(bob);
    const socket = await bob.socket();
    const { id } = await bot.api.startMessageStream({ chat_id: chat.id });
    await bot.api.appendMessageStream({ message_id: id, delta: 'at once', offset: 7 });
    await bot.api.appendMessageStream({ message_id: id, delta: ', gathered', offset: 17 });
    expect(socket.all('messageDelta')).toHaveLength(1);
    const { frames, head } = await bob.api.getUpdates({ since });
    expect(frames.map(({ params }) => params['content'])).toEqual(['at once, gathered']);
    expect(frames.at(-1)?.seq).toBe(head);
    await bot.api.appendMessageStream({ message_id: id, delta: '!', offset: 18 });
    await clock.advance(40);
    const next = await socket.waitFor(({ seq }) => seq > head);
    expect(next).toMatchObject({ prev: head, params: { delta: '!', offset: 18 } });
  },
);

test('LOG-12: a reply that a client has missed whole is its placeholder, then its messageComplete', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const sockets = await Promise.all(['', 'patch', 'focus', 'nodrafts'].map((caps) => bob.socket(caps)));
  const since = await headOf(bob);
  const started = await bot.api.startMessageStream({ chat_id: chat.id });
  const message_id = started.id;
  await bot.api.appendMessageStream({ message_id, delta: 'half', offset: 4 });
  const between = await headOf(bob);
  const ended = await bot.api.finishMessageStream({ message_id, text: 'the whole text' });
  const cancelled = await bot.api.startMessageStream({ chat_id: chat.id });
  await bot.api.finishMessageStream({ message_id: cancelled.id, status: 'cancelled' });
  await world.settle();
  const replayed = async (from: number, socket: TestSocket) =>
    (await bob.api.getUpdates({ since: from, socket: socket.hello.socket })).frames
      .filter(({ method }) => method.startsWith('events.message'))
      .map(({ method, params }) => ({ method, params }));
  const [full, patch, focus, nodrafts] = sockets;
  for (const socket of [full, patch, focus])
    expect(socket && (await replayed(since, socket))).toEqual([
      { method: 'events.messageNew', params: started },
      { method: 'events.messageComplete', params: ended },
      { method: 'events.messageDeleted', params: { conversation_id: chat.id, ids: [cancelled.id] } },
    ]);
  // Its beginning was seen.
  expect(full && (await replayed(between, full))[0]).toEqual({ method: 'events.messageComplete', params: ended });
  expect(nodrafts && (await replayed(since, nodrafts))[0]).toEqual({ method: 'events.messageComplete', params: ended });
});

test('LOG-19: of typing a replay contains its ends, once for each actor and timeline, for 10 minutes', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, carol } = await world.people('alice', 'bob', 'carol');
  const chat = await world.group(alice, bob, carol);
  const channel = await alice.api.createChannel({ chat_id: chat.id, title: 'a channel' });
  const before = await carol.socket();
  await carol.socket('nodrafts');
  const act = (actor: Actor, action: string, channel_id?: string) =>
    actor.api.sendChatAction({ chat_id: chat.id, action, channel_id });
  await act(alice, 'typing');
  await world.settle();
  const since = before.chain.lastSeq;
  await before.close();
  for (const action of ['typing', 'cancel', 'typing', 'cancel']) await act(alice, action);
  await act(bob, 'typing', channel.id);
  await act(bob, 'cancel', channel.id);
  await act(bob, 'typing');
  await act(carol, 'typing');
  await act(carol, 'cancel');
  await world.settle();
  const after = await carol.socket();
  expect(after.hello.head).toBeGreaterThan(since);
  const ends = async (from: number) =>
    (await carol.api.getUpdates({ since: from, socket: after.hello.socket })).frames.map(({ method, params }) => ({
      method,
      ...params,
    }));
  const end = (actor: Actor, channel_id: string | null) => ({
    method: 'events.typing',
    conversation_id: chat.id,
    channel_id,
    thread_root_id: null,
    actor: expect.objectContaining({ username: actor.username }) as unknown,
    is_typing: false,
  });
  expect(await ends(since)).toEqual([end(alice, null), end(bob, channel.id)]);
  expect(await ends(after.hello.head)).toEqual([]);
  const quiet = await carol.socket('nodrafts');
  expect(await carol.api.getUpdates({ since, socket: quiet.hello.socket })).toMatchObject({ frames: [] });
  await clock.advance(6_000);
  await world.settle();
  expect(await ends(since)).toEqual([end(alice, null), end(bob, channel.id), end(bob, null)]);
  await clock.advance(10 * 60_000 + 1);
  await act(alice, 'cancel');
  await world.settle();
  expect(await ends(since)).toEqual([end(alice, null)]);
});

test('TYPING-7: after a crash typing that clients may still show ends, but not that of a reply that goes on', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const socket = await bob.socket();
  await alice.api.sendChatAction({ chat_id: chat.id, action: 'typing' });
  await bot.api.startMessageStream({ chat_id: chat.id });
  await world.settle();
  const since = socket.chain.lastSeq;
  await world.crash();
  const { frames } = await bob.api.getUpdates({ since });
  const ends = frames.filter(({ method }) => method === 'events.typing').map(({ params }) => params);
  expect(ends).toMatchObject([{ actor: { username: alice.username }, is_typing: false }]);
  // A client that is away for a second crash too.
  await world.crash();
  const again = (await bob.api.getUpdates({ since })).frames.filter(({ method }) => method === 'events.typing');
  expect(again.map(({ params }) => params)).toEqual(ends);
});

test('LOG-13: no replay contains messages that were deleted or hidden, or are in a deleted channel', async () => {
  await using world = await createWorld();
  const { alice, bob, carol } = await world.people('alice', 'bob', 'carol');
  const chat = await world.group(alice, bob, carol);
  const since = await headOf(bob);
  const send = (text: string, channel_id?: string) => alice.api.sendMessage({ chat_id: chat.id, text, channel_id });
  const channel = await alice.api.createChannel({ chat_id: chat.id, title: 'a channel' });
  const deleted = await send('a deleted text');
  const hidden = await send('a hidden text');
  await send('a text of the channel', channel.id);
  await send('a text that stays');
  for (const { id } of [deleted, hidden]) await carol.api.setMessageReaction({ message_id: id, emoji: '👍' });
  await alice.api.deleteMessages({ message_ids: [deleted.id] });
  await bob.api.deleteMessagesForMe({ message_ids: [hidden.id] });
  await alice.api.deleteChannel({ chat_id: chat.id, channel_id: channel.id });
  const { frames } = await bob.api.getUpdates({ since });
  expect(kinds(frames)).toEqual(['messageNew', 'messageDeleted']);
  expect(frames[0]?.params['content']).toBe('a text that stays');
  expect(kinds((await carol.api.getUpdates({ since })).frames)).toEqual([
    'messageNew', 'messageNew', 'reactionAdded', 'messageDeleted',
  ]); // prettier-ignore
});

test('LOG-13: no replay contains a conversation that the account has left', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  await alice.api.sendMessage({ chat_id: chat.id, text: 'within' });
  await bob.api.saveDraft({ chat_id: chat.id, text: 'unsent' });
  expect((await bob.api.getUpdates({ since: 0 })).frames).toHaveLength(2);
  await bob.api.leaveChat({ chat_id: chat.id });
  expect((await bob.api.getUpdates({ since: 0 })).frames).toEqual([]);
});

test('LOG-14: alerts and cancels are replayed for a minute', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob } = await world.people('alice', 'bob');
  const { agent } = await agentChat(world, alice);
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  await alice.api.addGroupAgent({ chat_id: chat.id, agent_username: agent.username });
  const reply = agent.steer();
  await alice.api.sendMessage({ chat_id: chat.id, text: `@${agent.username} hello` });
  await reply.started;
  const [since, sinceOfBot] = [await headOf(bob), await headOf(bot)];
  await bob.api.stopRun({ chat_id: chat.id });
  const replayed = async () => [
    kinds((await bob.api.getUpdates({ since })).frames),
    kinds((await bot.api.getUpdates({ since: sinceOfBot })).frames),
  ];
  // After 30 s of silence the request to the provider would time out.
  reply.text('a sign of life');
  await clock.advance(20_000);
  reply.end();
  await world.turnsEnded();
  expect(await replayed()).toEqual([
    ['alert', 'messageComplete', 'typing'],
    ['cancelRun', 'messageComplete', 'typing'],
  ]);
  await clock.advance(40_001);
  expect(await replayed()).toEqual([
    ['messageComplete', 'typing'],
    ['messageComplete', 'typing'],
  ]);
});

test('LOG-14: a removed bot gets no cancels of the conversation', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const chat = await world.group(alice);
  const bot = await botIn(world, alice, chat);
  await alice.api.stopRun({ chat_id: chat.id });
  expect(kinds((await bot.api.getUpdates({ since: 0 })).frames)).toEqual(['cancelRun']);
  await alice.api.removeGroupAgent({ chat_id: chat.id, agent_username: bot.username });
  expect((await bot.api.getUpdates({ since: 0 })).frames).toEqual([]);
});

test('LOG-17, CAPS-2: a client that follows a reply from any point ends in the state of a fresh fetch', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const { id } = await bot.api.startMessageStream({ chat_id: chat.id });
  await checkReplay(world, [alice, bob], async () => {
    await bot.api.appendMessageStream({ message_id: id, delta: 'ñandú ', offset: 8 });
    await alice.api.setMessageReaction({ message_id: id, emoji: '👀' });
    await bot.api.appendMessageStream({ message_id: id, text: 'instead ' });
  });
  await checkReplay(world, [alice, bob], async () => {
    await bot.api.appendMessageStream({ message_id: id, delta: '🙂', offset: 12 });
    await alice.api.pinMessage({ chat_id: chat.id, message_id: id });
    await bot.api.finishMessageStream({ message_id: id });
  });
  await checkReplay(world, [alice, bob], () => alice.api.deleteMessages({ message_ids: [id] }));
});

test.each(['restart', 'crash'] as const)(
  'LOG-17: after a %s clients recover the state of a fresh fetch',
  async (way) => {
    await using world = await createWorld();
    const { alice, bob } = await world.people('alice', 'bob');
    const chat = await world.group(alice, bob);
    const bot = await botIn(world, alice, chat);
    const followers = [await bob.follow(), await bob.follow('nodrafts'), await alice.follow()];
    const { id } = await bot.api.startMessageStream({ chat_id: chat.id });
    await bot.api.appendMessageStream({ message_id: id, delta: 'half', offset: 4 });
    const { id: sent } = await alice.api.sendMessage({ chat_id: chat.id, text: 'sent' });
    await bob.api.setMessageReaction({ message_id: sent, emoji: '👍' });
    await world.settle();
    await world[way]();
    for (const follower of followers) await follower.connect();
    await bot.api.finishMessageStream({ message_id: id, text: 'whole' });
    await alice.api.deleteMessages({ message_ids: [sent] });
    await world.settle();
    for (const follower of followers) await follower.compare();
    expect(followers.map(({ recovered }) => recovered.reloads)).toEqual([0, 0, 0]);
  },
);

test('LOG-6: an event of a later version in the log does not lower the head of a socket', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const socket = await bob.socket();
  await alice.api.sendMessage({ chat_id: chat.id, text: 'of this version' });
  const { seq } = await socket.waitFor(({ params }) => params['content'] === 'of this version');
  await alice.api.sendMessage({ chat_id: chat.id, text: 'of a later one' });
  await world.sql('UPDATE events SET kind = 99 WHERE seq > $1', seq);
  await world.crash();
  expect((await bob.socket()).hello.head).toBeGreaterThanOrEqual(seq);
});

test('LOG-18: over HTTP getUpdates applies the caps of the sockets of the same token, if they agree', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const bob = await world.member('bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const since = await headOf(bob);
  await bot.api.startMessageStream({ chat_id: chat.id });
  const seen = async () => kinds((await bob.api.getUpdates({ since })).frames);
  expect(await seen()).toEqual(['messageNew']);
  const quiet = [await bob.socket('nodrafts'), await bob.socket('nodrafts')];
  expect(await seen()).toEqual([]);
  // Another session of the same person has its own token.
  const phone = await world.signIn(bob);
  expect(kinds((await phone.api.getUpdates({ since })).frames)).toEqual(['messageNew']);
  const other = await phone.socket();
  expect(await seen()).toEqual([]);
  const full = await bob.socket();
  expect(await seen()).toEqual(['messageNew']);
  await Promise.all([...quiet, other, full].map((socket) => socket.close()));
});

test(
  'LOG-10: without a limit 10,000 missed frames are one answer, and one more is truncated',
  { tags: ['long'], timeout: 240_000 },
  async () => {
    await using world = await createWorld();
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.group(alice, bob);
    const since = await headOf(bob);
    const sent = await Promise.all(
      Array.from({ length: 100 }, (_, at) => alice.api.sendMessage({ chat_id, text: `m${at}` })),
    );
    const message_ids = sent.map(({ id }) => id);
    for (let times = 1; times < 100; times += 1) await alice.api.forwardMessages({ message_ids, to_chat_id: chat_id });
    const whole = await bob.api.getUpdates({ since });
    expect(whole).not.toHaveProperty('more');
    expect(whole).not.toHaveProperty('truncated');
    expect(whole.frames).toHaveLength(10_000);
    expect(whole.frames.every(({ prev }, at) => prev === (whole.frames[at - 1]?.seq ?? since))).toBe(true);
    expect(whole.frames.at(-1)?.seq).toBe(whole.head);
    await alice.api.sendMessage({ chat_id, text: 'one more' });
    const beyond = await bob.api.getUpdates({ since });
    expect(beyond).toMatchObject({ frames: [], truncated: true });
    expect(beyond).not.toHaveProperty('more');
    const page = await bob.api.getUpdates({ since, limit: 5_000 });
    expect(page).toMatchObject({ more: true });
    expect(page.frames).toHaveLength(1_000);
  },
);

test('LOG-10: without a limit more than 8 MiB of frames are truncated', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const since = await headOf(bob);
  const say = () => bot.api.sendMessage({ chat_id: chat.id, text: 'x'.repeat(255 * 1024) });
  for (let sent = 0; sent < 30; sent += 1) await say();
  expect((await bob.api.getUpdates({ since })).frames).toHaveLength(30);
  for (let sent = 0; sent < 3; sent += 1) await say();
  expect(await bob.api.getUpdates({ since })).toMatchObject({ frames: [], truncated: true });
  expect((await bob.api.getUpdates({ since, limit: 1_000 })).frames.length).toBeLessThan(5);
});
