import type { Message } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, unknownId, type World } from '@parley/testing';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { expect, test } from 'vitest';
import { agentChat, botIn } from '../helpers/agents.ts';
import { historyOf, missing, scene as groupScene, textsOf } from '../helpers/message-stage.ts';

/** Alice and bob in a group, alice and carol in another conversation. */
async function scene(world: World) {
  const stage = await groupScene(world);
  const carol = await world.person('carol');
  const { id: to_chat_id } = await world.group(stage.alice, carol);
  const send = (actor: Actor, text: string, more: object = {}) =>
    actor.api.sendMessage({ chat_id: stage.chat_id, text, ...more });
  return { ...stage, carol, to_chat_id, send };
}

const forward = async (
  actor: Actor,
  to_chat_id: string,
  messages: readonly (Message | string)[],
  more: object = {},
) => {
  const message_ids = messages.map((one) => (typeof one === 'string' ? one : one.id));
  return (await actor.api.forwardMessages({ message_ids, to_chat_id, ...more })).items;
};

test('FORWARD-1, FORWARD-2, FORWARD-6: copies keep the original order, and reveal neither the client_msg_id nor the source conversation', async () => {
  await using world = await createWorld();
  const { alice, bob, carol, chat_id, to_chat_id, send } = await scene(world);
  const bot = await botIn(world, alice, await alice.api.getChat({ chat_id }));
  const attachments = [{ kind: 'news' as const, title: 'Rain', data: { of: 'today' } }];
  const one = await send(bob, `@alice one @${bot.username}`, { attachments, client_msg_id: 'of bob' });
  const two = await send(bot, 'x'.repeat(100_000), { reply_to_message_id: one.id });
  await alice.api.setMessageReaction({ message_id: one.id, emoji: '👍' });
  const sockets = [await carol.socket(), await alice.socket('ext'), await bob.socket()] as const;
  const items = await checkReplay(world, [alice, carol], () => forward(alice, to_chat_id, [two, one, two]));
  const from = ({ sender: { username, kind, display_name }, created_at }: Message) => ({
    sender: { username, kind, display_name },
    created_at,
  });
  const copy = { conversation_id: to_chat_id, reply_to_id: null, mentions: [], dispatch: [], reactions: [] };
  expect(items).toMatchObject([
    { ...copy, content: one.content, attachments, forwarded_from: from(one) },
    { ...copy, content: two.content, attachments: [], forwarded_from: from(two) },
  ]);
  for (const item of items) {
    expect(item).toMatchObject({ sender: { username: 'alice' }, status: 'complete', content_revision: 1 });
    expect(item).not.toHaveProperty('client_msg_id');
    expect(JSON.stringify(item)).not.toContain(chat_id);
  }
  expect(sockets.map((socket) => socket.all('messageNew'))).toEqual([items, items, []]);
  expect(await historyOf(carol, to_chat_id)).toEqual(items);
  expect((await carol.api.getChat({ chat_id: to_chat_id })).unread_count).toBe(2);
  await world.crash();
  expect((await carol.api.getMessages({ message_ids: items.map(({ id }) => id) })).items).toEqual(items);
});

test('FORWARD-1: agents can forward too, into channels and threads, only where they take part', async () => {
  await using world = await createWorld();
  const { alice, bob, carol, chat_id, to_chat_id, send } = await scene(world);
  const bot = await botIn(world, alice, await alice.api.getChat({ chat_id }));
  const said = await send(bob, 'said');
  await expect(forward(bob, to_chat_id, [said])).rejects.toMatchObject({ status: 403 });
  await expect(forward(bob, unknownId, [said])).rejects.toMatchObject(missing);
  expect(await forward(bot, chat_id, [said])).toMatchObject([{ sender: { username: bot.username }, content: 'said' }]);
  const { id: channel_id } = await alice.api.createChannel({ chat_id: to_chat_id, title: 'a channel' });
  const root = await carol.api.sendMessage({ chat_id: to_chat_id, text: 'a root', channel_id });
  const thread = { channel_id, thread_root_id: root.id };
  expect(await checkReplay(world, [alice, carol], () => forward(alice, to_chat_id, [said], thread))).toMatchObject([
    thread,
  ]);
  await expect(forward(alice, to_chat_id, [said], { channel_id: unknownId })).rejects.toMatchObject(missing);
});

test('FORWARD-2: invisible and unknown messages are left out', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id, to_chat_id, send } = await scene(world);
  const bot = await botIn(world, alice, await alice.api.getChat({ chat_id }));
  const direct = await world.direct(bob, stranger);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'passing' });
  const [deleted, hidden, notice] = [
    await send(bob, 'deleted'),
    await send(bob, 'hidden'),
    await send(bob, 'notice', { service: { kind: 'note' } }),
  ];
  const inChannel = await send(bob, 'in a channel', { channel_id });
  const elsewhere = await bob.api.sendMessage({ chat_id: direct.id, text: 'elsewhere' });
  const streaming = await bot.api.startMessageStream({ chat_id });
  const empty = await bot.api.startMessageStream({ chat_id });
  await bot.api.finishMessageStream({ message_id: empty.id, status: 'failed' });
  const shown = await send(bob, 'shown');
  await bob.api.deleteMessages({ message_ids: [deleted.id] });
  await alice.api.deleteMessagesForMe({ message_ids: [hidden.id] });
  await alice.api.deleteChannel({ chat_id, channel_id });
  const all = [unknownId, deleted, hidden, notice, inChannel, elsewhere, streaming, empty, shown];
  expect(textsOf(await forward(alice, to_chat_id, all))).toEqual(['shown']);
  expect(await forward(alice, to_chat_id, all.slice(0, -1))).toEqual([]);
  expect(await forward(alice, to_chat_id, [])).toEqual([]);
});

test('FORWARD-3: a copy of a copy names the first sender with its current name; a deleted copy names none', async () => {
  await using world = await createWorld();
  const { alice, bob, carol, to_chat_id, send } = await scene(world);
  const said = await send(bob, 'said');
  const [copy] = (await forward(alice, to_chat_id, [said])) as [Message]; // one message was forwarded
  const saved = await carol.api.startChat({ username: 'carol' });
  const [again] = (await forward(carol, saved.id, [copy])) as [Message]; // one message was forwarded
  expect(again).toMatchObject({ sender: { username: 'carol' }, forwarded_from: copy.forwarded_from });
  expect(again.forwarded_from).toMatchObject({ sender: { username: 'bob' }, created_at: said.created_at });
  const named = await checkReplay(world, [alice, carol], async () => {
    await bob.api.updateProfile({ display_name: 'Robert' });
    return carol.api.getMessages({ message_ids: [copy.id, again.id] });
  });
  for (const { forwarded_from } of named.items) expect(forwarded_from?.sender.display_name).toBe('Robert');
  const once = { client_msg_id: 'once' };
  const [third] = (await forward(alice, to_chat_id, [said], once)) as [Message]; // one message was forwarded
  const message_ids = [copy.id, third.id];
  await checkReplay(world, [alice, carol], () => alice.api.deleteMessages({ message_ids }));
  expect((await carol.api.getMessages({ message_ids: [...message_ids, again.id] })).items).toEqual(
    named.items.slice(1),
  );
  // Only a retry returns the tombstone.
  const [left] = await forward(alice, to_chat_id, [said], once);
  expect(left).toMatchObject({ id: third.id, content: '', deleted_at: expect.any(String) });
  expect(left).not.toHaveProperty('forwarded_from');
});

test('FORWARD-4: all messages are forwarded or none, up to the maximum size of an answer', async () => {
  await using world = await createWorld();
  const { alice, bob, carol, chat_id, to_chat_id, send } = await scene(world);
  const bot = await botIn(world, alice, await alice.api.getChat({ chat_id }));
  const large: Message[] = [];
  for (let n = 0; n < 5; n += 1) large.push(await send(bot, `${n}`.repeat(250 * 1024)));
  await expect(forward(alice, to_chat_id, large)).rejects.toMatchObject({
    status: 413,
    parameters: { field: 'message_ids' },
  });
  expect(await historyOf(carol, to_chat_id)).toEqual([]);
  expect(await forward(alice, to_chat_id, large.slice(1))).toHaveLength(4);
  const many: Message[] = [];
  for (let n = 0; n < 101; n += 1) many.push(await send(bob, `${n}`));
  await expect(forward(alice, to_chat_id, many)).rejects.toMatchObject({ status: 400 });
  const copies = await checkReplay(world, [alice, carol], () => forward(alice, to_chat_id, many.slice(1).toReversed()));
  expect(textsOf(copies)).toEqual(textsOf(many.slice(1)));
});

test('FORWARD-5, FORWARD-8: an agent replies once, to the last forwarded message, and its context names the original senders', async () => {
  await using world = await createWorld();
  const { alice, bob, send } = await scene(world);
  const { agent, chat } = await agentChat(world, alice);
  world.providers.script(agent.key, { chunks: ['an answer'] });
  const items = await checkReplay(world, [alice], async () => {
    const made = await forward(alice, chat.id, [await send(bob, 'first'), await send(bob, `then @${agent.username}`)]);
    await world.turnsEnded();
    return made;
  });
  expect(items.map(({ dispatch, mentions }) => [dispatch, mentions])).toEqual([
    [[], []],
    [[agent.username], []],
  ]);
  const reply = (await historyOf(alice, chat.id)).at(-1);
  expect(reply).toMatchObject({ reply_to_id: items[1]?.id, content: 'an answer' });
  const requests = world.providers.requestsOf(agent.key);
  expect(requests).toHaveLength(1);
  const content = `[forwarded from bob (@bob)] first\n\n[forwarded from bob (@bob)] then @${agent.username}`;
  expect(requests[0]?.body['messages']).toEqual([{ role: 'user', content }]);
});

test('FORWARD-5: a mention in a forwarded message fires no agent', async () => {
  await using world = await createWorld();
  const { alice, carol, to_chat_id, send } = await scene(world);
  const chat = await alice.api.getChat({ chat_id: to_chat_id });
  const [bot, other] = [await botIn(world, alice, chat), await botIn(world, alice, chat, 'other')];
  const said = await send(alice, `@${bot.username} @${other.username} @carol`);
  const [copy] = (await forward(alice, to_chat_id, [said])) as [Message]; // one message was forwarded
  expect([copy, ...(await forward(other, to_chat_id, [copy]))]).toMatchObject([
    { mentions: [], dispatch: [] },
    { mentions: [], dispatch: [] },
  ]);
  await alice.api.setGroupAgentMode({ chat_id: to_chat_id, agent_username: bot.username, always_on: true });
  expect(await forward(carol, to_chat_id, [copy])).toMatchObject([{ dispatch: [bot.username] }]);
});

test('FORWARD-6: each copy is pushed', () =>
  withPushes(async ({ world, push, aliceAndBob, pushed }) => {
    const { alice, chat_id } = await aliceAndBob();
    const saved = await alice.api.startChat({ username: 'alice' });
    const notes: Message[] = [];
    for (const text of ['one', 'two']) notes.push(await alice.api.sendMessage({ chat_id: saved.id, text }));
    for (const note of notes) {
      await forward(alice, chat_id, [note]);
      await world.settle();
      await pushed();
    }
    expect(push.bodies('bob')).toEqual(['one', 'two']);
  }));

test('FORWARD-7: a retry stores nothing twice', async () => {
  await using world = await createWorld();
  const { alice, bob, carol, to_chat_id, send } = await scene(world);
  const said = [await send(bob, 'one'), await send(bob, 'two')];
  const once = { client_msg_id: 'once' };
  const [items, same] = await checkReplay(world, [alice, carol], () =>
    Promise.all([forward(alice, to_chat_id, said, once), forward(alice, to_chat_id, said, once)]),
  );
  expect(same).toEqual(items);
  expect(items?.map(({ client_msg_id }) => client_msg_id)).toEqual(['once:0', 'once:1']);
  await world.crash();
  // The originals may have been deleted since.
  await bob.api.deleteMessages({ message_ids: said.map(({ id }) => id) });
  const socket = await carol.socket();
  expect(await forward(alice, to_chat_id, said, once)).toEqual(items);
  await expect(forward(alice, to_chat_id, said.slice(1), once)).rejects.toMatchObject({ status: 409 });
  await expect(forward(bob, to_chat_id, said, once)).rejects.toMatchObject({ status: 403 });
  const taken = { chat_id: to_chat_id, text: 'one', client_msg_id: 'once:0' };
  await expect(alice.api.sendMessage(taken)).rejects.toMatchObject({ status: 409 });
  expect([await historyOf(carol, to_chat_id), socket.frames]).toEqual([items, []]);
});

test('FORWARD-7: if another message has the client_msg_id of any copy, the call is 409', async () => {
  await using world = await createWorld();
  const { alice, bob, carol, to_chat_id, send } = await scene(world);
  const said = [await send(bob, 'one'), await send(bob, 'two')];
  const taken = await alice.api.sendMessage({ chat_id: to_chat_id, text: 'mine', client_msg_id: 'k:1' });
  const socket = await carol.socket();
  await expect(forward(alice, to_chat_id, said, { client_msg_id: 'k' })).rejects.toMatchObject({ status: 409 });
  expect([await historyOf(carol, to_chat_id), socket.frames]).toEqual([[taken], []]);
  // A retry of a call that has stored its copies returns them, although one id was unknown.
  const [first] = said as [Message]; // two were sent
  const half = [first, unknownId];
  const items = await forward(alice, to_chat_id, half, { client_msg_id: 'half' });
  await alice.api.sendMessage({ chat_id: to_chat_id, text: 'next', client_msg_id: 'half:1' });
  expect(await forward(alice, to_chat_id, half, { client_msg_id: 'half' })).toEqual(items);
});
