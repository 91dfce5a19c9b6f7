import type { Message } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, ManualClock, type TestSocket, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn } from './agents.ts';

const unknown = '00000000-0000-7000-8000-000000000000';
const missing = { status: 404, code: 'not_found' };

/** Alice and bob in a group of alice's, and a stranger who is not in it. */
async function scene(world: World) {
  const people = await world.people('alice', 'bob', 'stranger');
  const chat = await world.group(people.alice, people.bob);
  return { ...people, chat, chat_id: chat.id, both: [people.alice, people.bob] };
}

const historyOf = async (actor: Actor, chat_id: string): Promise<Message[]> =>
  (await actor.api.getChatHistory({ chat_id })).items;
const textsOf = (messages: readonly Message[]): string[] => messages.map(({ content }) => content);
const methodsOf = (socket: TestSocket): string[] => socket.frames.map(({ method }) => method.replace('events.', ''));

test('MSG-1: a message as it is plain, and with all that a sender can give it', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, both } = await scene(world);
  const created_at = '2026-01-01T00:00:00.000Z';
  const sender = { username: 'alice', kind: 'human', display_name: 'alice', created_at };
  const plain = await checkReplay(world, both, () => alice.api.sendMessage({ chat_id, text: 'plain' }));
  expect(plain).toEqual({
    id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/),
    position: expect.any(Number),
    conversation_id: chat_id,
    channel_id: null,
    thread_root_id: null,
    sender,
    content: 'plain',
    attachments: [],
    reply_to_id: null,
    mentions: [],
    dispatch: [],
    reactions: [],
    created_at,
    content_revision: 1,
    status: 'complete',
  });
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'a channel' });
  const root = await bob.api.sendMessage({ chat_id, text: 'a root', channel_id });
  const attachments = [{ kind: 'photo' as const, url: 'https://example.org/a.png', width: 1, data: { by: ['bob'] } }];
  const service = { kind: 'renamed', targets: ['bob'], data: { title: 'new' } };
  const place = { channel_id, thread_root_id: root.id };
  const given = {
    text: '**ñ** @bob',
    attachments,
    service,
    client_msg_id: 'of the client',
    reply_to_message_id: plain.id,
  };
  const full = await checkReplay(world, both, () => alice.api.sendMessage({ chat_id, ...place, ...given }));
  expect(full).toEqual({
    ...plain,
    ...place,
    id: expect.any(String),
    position: expect.any(Number),
    content: '**ñ** @bob',
    attachments,
    reply_to_id: plain.id,
    client_msg_id: 'of the client',
    service: { ...service, actor: 'alice' },
    mentions: ['bob'],
  });
  expect((await bob.api.getMessages({ message_ids: [plain.id, full.id] })).items).toEqual([plain, full]);
});

test('MSG-2: positions grow in the order of commits, whoever sends at once', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, both } = await scene(world);
  const socket = await bob.socket();
  const sent = await checkReplay(world, both, () =>
    Promise.all(
      Array.from({ length: 30 }, (_, at) => (at % 2 ? alice : bob).api.sendMessage({ chat_id, text: `${at}` })),
    ),
  );
  await world.settle();
  const told = socket.all('messageNew');
  expect(told.map(({ id }) => id).toSorted()).toEqual(sent.map(({ id }) => id).toSorted());
  const positions = told.map(({ position }) => position);
  expect(positions).toEqual([...new Set(positions)].toSorted((one, other) => one - other));
  expect(textsOf(await historyOf(alice, chat_id))).toEqual(textsOf(told));
});

test('MSG-3: a repeat of a send returns what is stored and does nothing else', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  const bot = await botIn(world, alice, await alice.api.getChat({ chat_id }));
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'passing' });
  const send = (actor: Actor, chat = chat_id, more: object = {}) =>
    actor.api.sendMessage({ chat_id: chat, text: `@${bot.username} ?`, client_msg_id: 'once', channel_id, ...more });
  const first = await send(alice);
  expect(first.dispatch).toEqual([bot.username]);
  await alice.api.saveDraft({ chat_id, text: 'the next one' });
  const sockets = [await alice.socket(), await bob.socket(), await bot.socket()];
  await checkReplay(world, [alice, bob], async () => {
    expect(await send(alice)).toEqual(first);
    expect(await Promise.all([send(alice), send(alice, chat_id, { clear_draft: true })])).toEqual([first, first]);
  });
  expect(sockets.flatMap(methodsOf)).toEqual([]);
  expect((await alice.api.getDrafts()).items).toMatchObject([{ text: 'the next one' }]);
  // Before all other checks: that the channel is gone by now does not matter, that one takes part does.
  await alice.api.deleteChannel({ chat_id, channel_id });
  expect(await send(alice)).toEqual(first);
  await expect(send(stranger)).rejects.toMatchObject({ status: 403 });
  // Another sender, or another conversation, is another message.
  const other = await world.group(alice, bob);
  const others = [await send(bob, chat_id, { channel_id: null }), await send(alice, other.id, { channel_id: null })];
  expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(3);
  await world.crash();
  expect((await send(alice)).id).toBe(first.id);
});

test('MSG-3: of two first sends at once one is stored, and both answer it', async () => {
  await using world = await createWorld();
  const { alice, chat_id, both } = await scene(world);
  const send = () => alice.api.sendMessage({ chat_id, text: 'at once', client_msg_id: 'twice' });
  const [one, ...others] = await checkReplay(world, both, () => Promise.all([send(), send(), send()]));
  for (const other of others) expect(other).toEqual(one);
  expect(await historyOf(alice, chat_id)).toEqual([one]);
});

test('MSG-4: a repeat with another payload is refused, also after the message was deleted', async () => {
  await using world = await createWorld();
  const { alice, chat_id } = await scene(world);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'a channel' });
  const root = await alice.api.sendMessage({ chat_id, text: 'a root' });
  const given = { chat_id, text: 'the payload', client_msg_id: 'once', attachments: [{ kind: 'news' as const }] };
  const stored = await alice.api.sendMessage(given);
  const others = {
    text: { text: 'another' },
    'a text that would be refused': { text: 'x'.repeat(32 * 1024 + 1) },
    channel: { channel_id },
    'a channel that is not there': { channel_id: unknown },
    thread: { thread_root_id: root.id },
    quote: { reply_to_message_id: root.id },
    'a quote that is not there': { reply_to_message_id: unknown },
    attachments: { attachments: [{ kind: 'ticker' as const }] },
    'no attachments': { attachments: [] },
    service: { service: { kind: 'a notice' } },
  };
  const refuses = async () => {
    for (const [what, other] of Object.entries(others))
      await expect(alice.api.sendMessage({ ...given, ...other }), what).rejects.toMatchObject({
        status: 409,
        code: 'conflict',
      });
  };
  await refuses();
  await alice.api.deleteMessages({ message_ids: [stored.id] });
  await refuses();
  expect(await alice.api.sendMessage(given)).toMatchObject({
    id: stored.id,
    content: '',
    deleted_at: expect.any(String),
  });
});

test('MSG-5: a message has a text, an attachment or a service notice', async () => {
  await using world = await createWorld();
  const { alice, chat_id, both } = await scene(world);
  const nothing = { status: 400, code: 'invalid_argument', parameters: { field: 'text' } };
  for (const more of [{}, { attachments: [] }, { reply_to_message_id: unknown, client_msg_id: 'x' }])
    await expect(alice.api.sendMessage({ chat_id, text: '', ...more })).rejects.toMatchObject(nothing);
  await checkReplay(world, both, async () => {
    await alice.api.sendMessage({ chat_id, text: '', attachments: [{ kind: 'file' }] });
    await alice.api.sendMessage({ chat_id, text: '', service: { kind: 'joined' } });
  });
  expect(await historyOf(alice, chat_id)).toMatchObject([{ attachments: [{ kind: 'file' }] }, { service: {} }]);
});

test('MSG-6: only a message of the same conversation that is there can be quoted', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const send = (more: object = {}, chat = chat_id) => alice.api.sendMessage({ chat_id: chat, text: 'hi', ...more });
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'a channel' });
  const elsewhere = await send({}, (await world.direct(alice, bob)).id);
  const [deleted, inChannel, quoted] = [await send(), await send({ channel_id }), await send()];
  await alice.api.deleteMessages({ message_ids: [deleted.id] });
  expect((await send({ reply_to_message_id: inChannel.id })).reply_to_id).toBe(inChannel.id);
  await alice.api.deleteChannel({ chat_id, channel_id });
  for (const { id } of [{ id: unknown }, elsewhere, deleted, inChannel])
    await expect(send({ reply_to_message_id: id })).rejects.toMatchObject(missing);
  const reply = await send({ reply_to_message_id: quoted.id });
  // A quote names its message, also when that has gone since.
  await alice.api.deleteMessages({ message_ids: [quoted.id] });
  expect((await bob.api.getMessages({ message_ids: [reply.id] })).items).toMatchObject([{ reply_to_id: quoted.id }]);
});

test('MSG-7: what is no timeline of the conversation is not found', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, both } = await scene(world);
  const send = (more: object = {}, chat = chat_id) => alice.api.sendMessage({ chat_id: chat, text: 'hi', ...more });
  const other = await world.group(alice, bob);
  const foreign = await alice.api.createChannel({ chat_id: other.id, title: 'foreign' });
  const [channel, gone] = [
    await alice.api.createChannel({ chat_id, title: 'a channel' }),
    await alice.api.createChannel({ chat_id, title: 'gone' }),
  ];
  const channel_id = channel.id;
  await alice.api.deleteChannel({ chat_id, channel_id: gone.id });
  const [root, rootInChannel, foreignRoot, deleted] = [
    await send(),
    await send({ channel_id }),
    await send({}, other.id),
    await send(),
  ];
  const reply = await send({ thread_root_id: root.id });
  await alice.api.deleteMessages({ message_ids: [deleted.id] });
  const wrong: Record<string, object> = {
    'no channel': { channel_id: unknown },
    'a channel of another conversation': { channel_id: foreign.id },
    'a deleted channel': { channel_id: gone.id },
    'no message': { thread_root_id: unknown },
    'a message of another conversation': { thread_root_id: foreignRoot.id },
    'a root of a channel, without it': { thread_root_id: rootInChannel.id },
    'a root of no channel, with one': { thread_root_id: root.id, channel_id },
    'a message of a thread': { thread_root_id: reply.id },
    'a deleted root': { thread_root_id: deleted.id },
  };
  for (const [what, place] of Object.entries(wrong)) {
    await expect(send(place), what).rejects.toMatchObject(missing);
    if (what !== 'a deleted root')
      await expect(alice.api.getChatHistory({ chat_id, ...place }), what).rejects.toMatchObject(missing);
  }
  const place = { channel_id, thread_root_id: rootInChannel.id };
  expect(await checkReplay(world, both, () => send(place))).toMatchObject(place);
});

test('MSG-8, MSG-9: what was answered is stored, and told to all participants, the sender too', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  const hearers = [await alice.socket(), await alice.socket(), await bob.socket(), await bob.socket('nodrafts')];
  const outside = await stranger.socket();
  const sent = await alice.api.sendMessage({ chat_id, text: 'heard', client_msg_id: 'mine' });
  for (const socket of hearers) {
    expect(await socket.event('messageNew')).toEqual(sent);
    expect(methodsOf(socket)).toEqual(['messageNew']);
  }
  await world.settle();
  expect(outside.frames).toEqual([]);
  await world.crash();
  expect(await historyOf(bob, chat_id)).toEqual([sent]);
});

test('MSG-10: up to 10 attachments, of the five kinds', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, both } = await scene(world);
  const kinds = ['news', 'ticker', 'positions', 'photo', 'file'] as const;
  const attachments = [...kinds, ...kinds].map((kind, at) => ({ kind, title: `${at}`, size: at }));
  const sent = await checkReplay(world, both, () => alice.api.sendMessage({ chat_id, text: '', attachments }));
  expect(sent.attachments).toEqual(attachments);
  const socket = await bob.socket();
  const refused = [[...attachments, { kind: 'file' }], [{ kind: 'video' }], [{}], ['file'], {}];
  for (const wrong of refused)
    await expect(socket.rpc('sendMessage', { chat_id, text: 'hi', attachments: wrong })).rejects.toMatchObject({
      status: 400,
      parameters: { field: expect.stringMatching(/^attachments/) },
    });
});

test('MSG-11: the actor of a service notice is who sends it, whatever is claimed', async () => {
  await using world = await createWorld();
  const { bob, chat_id, both } = await scene(world);
  const service = { kind: 'renamed', actor: 'alice', targets: ['alice'], data: { to: 'x' } };
  const sent = await checkReplay(world, both, () => bob.api.sendMessage({ chat_id, text: '', service }));
  expect(sent.service).toEqual({ ...service, actor: 'bob' });
  expect((await bob.api.sendMessage({ chat_id, text: '', service: { kind: 'x' } })).service?.actor).toBe('bob');
});

test('MSG-12: clear_draft clears the draft of that chat, if the message is sent', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, both } = await scene(world);
  const other = await world.direct(alice, bob);
  for (const chat of [chat_id, other.id]) await alice.api.saveDraft({ chat_id: chat, text: 'unsent' });
  await bob.api.saveDraft({ chat_id, text: 'of bob' });
  const send = (more: object = {}) => alice.api.sendMessage({ chat_id, text: 'sent', clear_draft: true, ...more });
  const draftsOf = async (actor: Actor) => (await actor.api.getDrafts()).items.map((draft) => draft.chat_id);
  await expect(send({ reply_to_message_id: unknown })).rejects.toMatchObject(missing);
  await alice.api.sendMessage({ chat_id, text: 'sent', clear_draft: false });
  expect(await draftsOf(alice)).toEqual([chat_id, other.id]);
  const sockets = [await alice.socket(), await bob.socket()] as const;
  await checkReplay(world, both, async () => {
    await send();
    await send();
  });
  expect(sockets.map(methodsOf)).toEqual([
    ['messageNew', 'draftUpdated', 'messageNew'],
    ['messageNew', 'messageNew'],
  ]);
  expect(sockets[0].all('draftUpdated')).toMatchObject([{ conversation_id: chat_id, text: '', reply_to_id: null }]);
  expect([await draftsOf(alice), await draftsOf(bob)]).toEqual([[other.id], [chat_id]]);
});

test('MSG-13: a message names the participants it mentions, and the agents it fires', async () => {
  await using world = await createWorld();
  const { alice, bob, chat, chat_id } = await scene(world);
  const bot = await botIn(world, alice, chat);
  const send = async (text: string, more: object = {}) => {
    const { mentions, dispatch } = await bob.api.sendMessage({ chat_id, text, ...more });
    return { mentions, dispatch };
  };
  expect(await send('@stranger and `@alice`')).toEqual({ mentions: [], dispatch: [] });
  expect(await send(`@ALICE, @bob: and @${bot.username}; @alice`)).toEqual({
    mentions: ['alice', 'bob', bot.username],
    dispatch: [bot.username],
  });
  await alice.api.setGroupAgentMode({ chat_id, agent_username: bot.username, always_on: true });
  expect(await send('hi @alice')).toEqual({ mentions: ['alice'], dispatch: [bot.username] });
  const notice = { service: { kind: 'x' } };
  expect(await send(`@${bot.username}`, notice)).toEqual({ mentions: [bot.username], dispatch: [] });
});

test('MSG-14: a thread is told at its root, as long as it has replies', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, both } = await scene(world);
  const root = await alice.api.sendMessage({ chat_id, text: 'a root' });
  const reply = async (actor: Actor) => {
    await clock.advance(1_000);
    return actor.api.sendMessage({ chat_id, text: 'a reply', thread_root_id: root.id });
  };
  const threadOf = async () => (await bob.api.getMessages({ message_ids: [root.id] })).items[0]?.thread;
  expect(await threadOf()).toBeUndefined();
  const replies = await checkReplay(world, both, async () => [await reply(alice), await reply(bob)]);
  const ids = replies.map(({ id }) => id);
  expect(await threadOf()).toEqual({ count: 2, last_at: replies[1]?.created_at });
  expect((await historyOf(alice, chat_id))[0]?.thread).toEqual(await threadOf());
  await checkReplay(world, both, () => alice.api.deleteMessages({ message_ids: ids.slice(1) }));
  expect(await threadOf()).toMatchObject({ count: 1 });
  await checkReplay(world, both, () => alice.api.deleteMessages({ message_ids: ids }));
  expect(await threadOf()).toBeUndefined();
  await reply(bob);
  expect(await threadOf()).toMatchObject({ count: 1 });
});

test('MSG-14: a reply that streams in a thread counts, until it is stopped without a text', async () => {
  await using world = await createWorld();
  const { alice, chat, chat_id, both } = await scene(world);
  const bot = await botIn(world, alice, chat);
  const root = await alice.api.sendMessage({ chat_id, text: 'a root' });
  const begin = () => bot.api.startMessageStream({ chat_id, thread_root_id: root.id });
  const countOf = async () => (await historyOf(alice, chat_id))[0]?.thread?.count;
  await checkReplay(world, both, async () => {
    const [one, other] = [await begin(), await begin()];
    expect(await countOf()).toBe(2);
    await bot.api.finishMessageStream({ message_id: one.id, status: 'cancelled' });
    expect(await countOf()).toBe(1);
    await bot.api.finishMessageStream({ message_id: other.id, text: 'said', status: 'cancelled' });
  });
  expect(await countOf()).toBe(1);
});

test('MSG-15: reactions are grouped in the order in which each emoji came, with the first 50 reactors', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const crowd = await Promise.all(Array.from({ length: 51 }, (_, at) => world.person(`p${at}`)));
  const chat = await world.group(alice, bob, ...crowd);
  const { id } = await alice.api.sendMessage({ chat_id: chat.id, text: 'react!' });
  const react = (actor: Actor, emoji: string) => actor.api.setMessageReaction({ message_id: id, emoji });
  const shown = async () => (await bob.api.getMessages({ message_ids: [id] })).items[0]?.reactions ?? [];
  await checkReplay(world, [alice], async () => {
    for (const emoji of ['👍', '🎉', '👎']) await react(alice, emoji);
    await react(bob, '🎉');
    // Comes again behind the others.
    for (let times = 0; times < 2; times += 1) await react(alice, '👍');
  });
  const [one, other] = ['alice', 'bob'].map((name) => ({ username: name, kind: 'human', display_name: name }));
  expect(await shown()).toEqual([
    { emoji: '🎉', count: 2, reactors: [one, other] },
    { emoji: '👎', count: 1, reactors: [one] },
    { emoji: '👍', count: 1, reactors: [one] },
  ]);
  for (const actor of crowd) await react(actor, '👎');
  const crowded = (await shown()).find(({ emoji }) => emoji === '👎');
  expect(crowded?.count).toBe(52);
  const names = crowd.slice(0, 49).map(({ username }) => username);
  expect(crowded?.reactors.map(({ username }) => username)).toEqual(['alice', ...names]);
});

test('MSG-16: a human writes 32 KiB, an agent 256 KiB, counted in bytes', async () => {
  await using world = await createWorld();
  const { alice, chat, chat_id } = await scene(world);
  const bot = await botIn(world, alice, chat);
  for (const [actor, kib] of [
    [alice, 32],
    [bot, 256],
  ] as const) {
    // prettier-ignore
    const text = 'ñ'.repeat(kib * 512);
    expect((await actor.api.sendMessage({ chat_id, text })).content).toBe(text);
    await expect(actor.api.sendMessage({ chat_id, text: `${text}x` })).rejects.toMatchObject({
      status: 413,
      code: 'too_large',
      parameters: { field: 'text' },
    });
  }
});
