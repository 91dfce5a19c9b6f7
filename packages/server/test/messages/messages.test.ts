import { type Actor, checkReplay, createWorld, ManualClock, unknownId } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { historyOf, missing, scene, textsOf } from '../helpers/message-stage.ts';

test('MSG-1: a message is stored with only a text, and with every field that a sender can set', async () => {
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

test('MSG-2: positions increase in the order of commits, also with concurrent senders', async () => {
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

test('MSG-5: a message has a text, an attachment or a service notice', async () => {
  await using world = await createWorld();
  const { alice, chat_id, both } = await scene(world);
  const nothing = { status: 400, code: 'invalid_argument', parameters: { field: 'text' } };
  for (const more of [{}, { attachments: [] }, { reply_to_message_id: unknownId, client_msg_id: 'x' }])
    await expect(alice.api.sendMessage({ chat_id, text: '', ...more })).rejects.toMatchObject(nothing);
  await checkReplay(world, both, async () => {
    await alice.api.sendMessage({ chat_id, text: '', attachments: [{ kind: 'file' }] });
    await alice.api.sendMessage({ chat_id, text: '', service: { kind: 'joined' } });
  });
  expect(await historyOf(alice, chat_id)).toMatchObject([{ attachments: [{ kind: 'file' }] }, { service: {} }]);
});

test('MSG-6: only an existing message of the same conversation can be quoted', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const send = (more: object = {}, chat = chat_id) => alice.api.sendMessage({ chat_id: chat, text: 'hi', ...more });
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'a channel' });
  const elsewhere = await send({}, (await world.direct(alice, bob)).id);
  const [deleted, inChannel, quoted] = [await send(), await send({ channel_id }), await send()];
  await alice.api.deleteMessages({ message_ids: [deleted.id] });
  expect((await send({ reply_to_message_id: inChannel.id })).reply_to_id).toBe(inChannel.id);
  await alice.api.deleteChannel({ chat_id, channel_id });
  for (const { id } of [{ id: unknownId }, elsewhere, deleted, inChannel])
    await expect(send({ reply_to_message_id: id })).rejects.toMatchObject(missing);
  const reply = await send({ reply_to_message_id: quoted.id });
  // A quote keeps the id of its message, even if that is deleted later.
  await alice.api.deleteMessages({ message_ids: [quoted.id] });
  expect((await bob.api.getMessages({ message_ids: [reply.id] })).items).toMatchObject([{ reply_to_id: quoted.id }]);
});

test('MSG-8, MSG-9: an acknowledged message is stored and sent to all participants, including the sender', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  const hearers = [await alice.socket(), await alice.socket(), await bob.socket(), await bob.socket('nodrafts')];
  const outside = await stranger.socket();
  const sent = await alice.api.sendMessage({ chat_id, text: 'heard', client_msg_id: 'mine' });
  for (const socket of hearers) {
    expect(await socket.event('messageNew')).toEqual(sent);
    expect(socket.methods).toEqual(['messageNew']);
  }
  await world.settle();
  expect(outside.frames).toEqual([]);
  await world.crash();
  expect(await historyOf(bob, chat_id)).toEqual([sent]);
});

test('MSG-10: a message has up to 10 attachments of the five kinds', async () => {
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

test('MSG-11: the actor of a service notice is its sender, whatever the sender claims', async () => {
  await using world = await createWorld();
  const { bob, chat_id, both } = await scene(world);
  const service = { kind: 'renamed', actor: 'alice', targets: ['alice'], data: { to: 'x' } };
  const sent = await checkReplay(world, both, () => bob.api.sendMessage({ chat_id, text: '', service }));
  expect(sent.service).toEqual({ ...service, actor: 'bob' });
  expect((await bob.api.sendMessage({ chat_id, text: '', service: { kind: 'x' } })).service?.actor).toBe('bob');
});

test('MSG-12: clear_draft clears the chat’s draft if the message is stored', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, both } = await scene(world);
  const other = await world.direct(alice, bob);
  for (const chat of [chat_id, other.id]) await alice.api.saveDraft({ chat_id: chat, text: 'unsent' });
  await bob.api.saveDraft({ chat_id, text: 'of bob' });
  const send = (more: object = {}) => alice.api.sendMessage({ chat_id, text: 'sent', clear_draft: true, ...more });
  const draftsOf = async (actor: Actor) => (await actor.api.getDrafts()).items.map((draft) => draft.chat_id);
  await expect(send({ reply_to_message_id: unknownId })).rejects.toMatchObject(missing);
  await alice.api.sendMessage({ chat_id, text: 'sent', clear_draft: false });
  expect(await draftsOf(alice)).toEqual([chat_id, other.id]);
  const sockets = [await alice.socket(), await bob.socket()] as const;
  await checkReplay(world, both, async () => {
    await send();
    await send();
  });
  expect(sockets.map(({ methods }) => methods)).toEqual([
    ['messageNew', 'draftUpdated', 'messageNew'],
    ['messageNew', 'messageNew'],
  ]);
  expect(sockets[0].all('draftUpdated')).toMatchObject([{ conversation_id: chat_id, text: '', reply_to_id: null }]);
  expect([await draftsOf(alice), await draftsOf(bob)]).toEqual([[other.id], [chat_id]]);
});

test('MSG-12: clear_draft "timeline" clears the draft of the thread that the message is sent to', async () => {
  await using world = await createWorld();
  const { alice, chat_id } = await scene(world);
  const { id: thread_root_id } = await alice.api.sendMessage({ chat_id, text: 'a root' });
  const draftsOf = async () => (await alice.api.getDrafts({ timelines: true })).items.map(({ text }) => text);
  await alice.api.saveDraft({ chat_id, text: 'of the chat' });
  await alice.api.saveDraft({ chat_id, thread_root_id, text: 'of the thread' });
  await checkReplay(world, [alice], async () => {
    await alice.api.sendMessage({ chat_id, thread_root_id, text: 'sent', clear_draft: 'timeline' });
  });
  expect(await draftsOf()).toEqual(['of the chat']);
  await alice.api.saveDraft({ chat_id, thread_root_id, text: 'of the thread' });
  await alice.api.sendMessage({ chat_id, text: 'sent', clear_draft: 'timeline' });
  expect(await draftsOf()).toEqual(['of the thread']);
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

test('MSG-16: a human’s text is limited to 32 KiB, an agent’s to 256 KiB, counted in bytes', async () => {
  await using world = await createWorld();
  const { alice, chat, chat_id } = await scene(world);
  const bot = await botIn(world, alice, chat);
  for (const [actor, kib] of [
    [alice, 32],
    [bot, 256],
  ] as const) {
    const text = 'ñ'.repeat(kib * 512);
    expect((await actor.api.sendMessage({ chat_id, text })).content).toBe(text);
    await expect(actor.api.sendMessage({ chat_id, text: `${text}x` })).rejects.toMatchObject({
      status: 413,
      code: 'too_large',
      parameters: { field: 'text' },
    });
  }
});
