import { type Actor, checkReplay, createWorld, unknownId, type World } from '@parley/testing';
import { DaemonStream } from '@parley/testing/world/daemon-stream.ts';
import { expect, test } from 'vitest';
import { agentChat, botIn, keyedAgent } from '../helpers/agents.ts';

/** A group with an owner, an admin and two members; one of them, carol, has a bot there. */
async function scene(world: World) {
  const people = await world.people('owner', 'admin', 'carol', 'dave', 'stranger');
  const { owner, admin, carol, dave } = people;
  const chat = await world.group(owner, admin, carol, dave);
  const chat_id = chat.id;
  await owner.api.setMemberRole({ chat_id, username: 'admin', role: 'admin' });
  const bot = await botIn(world, carol, chat);
  const everyone = [owner, admin, carol, dave, bot];
  const send = async (actor: Actor, text = 'hello', more: object = {}) =>
    (await actor.api.sendMessage({ chat_id, text, ...more })).id;
  return { ...people, bot, everyone, chat, chat_id, send };
}

const remove = async (actor: Actor, ...message_ids: string[]): Promise<string[]> =>
  (await actor.api.deleteMessages({ message_ids })).ids;

test('DEL-1: deleteMessages deletes what the caller may delete, and leaves the rest out without an error', async () => {
  await using world = await createWorld();
  const { owner, admin, carol, dave, stranger, bot, everyone, chat_id, send } = await scene(world);
  const rights: [Actor, Actor[]][] = [
    [owner, everyone],
    [admin, everyone],
    [carol, [carol, bot]],
    [dave, [dave]],
    [bot, [bot]],
    [stranger, []],
  ];
  for (const [actor, senders] of rights) {
    const ids = new Map<Actor, string>();
    for (const sender of everyone) ids.set(sender, await send(sender));
    const affected = await checkReplay(world, [owner, dave], () => remove(actor, unknownId, ...ids.values()));
    expect(affected, actor.username).toEqual(senders.map((sender) => ids.get(sender)));
    const { items } = await owner.api.getMessages({ message_ids: [...ids.values()] });
    expect(items).toHaveLength(everyone.length - senders.length);
    expect(await remove(actor, ...affected, ...affected)).toEqual([]);
  }
  // In a direct chat both accounts may delete everything; an account that has left may delete nothing.
  const direct = await world.direct(carol, dave);
  const inDirect = await Promise.all([carol, dave].map((actor) => send(actor, 'direct', { chat_id: direct.id })));
  expect(await remove(stranger, ...inDirect)).toEqual([]);
  expect((await remove(dave, ...inDirect)).toSorted()).toEqual(inDirect.toSorted());
  const last = await send(dave);
  await dave.api.leaveChat({ chat_id });
  expect(await remove(dave, last)).toEqual([]);
});

test('DEL-2: deleted messages become tombstones, with one event per conversation', async () => {
  await using world = await createWorld();
  const { owner, carol, dave, stranger, bot, chat_id, send } = await scene(world);
  const client_msg_id = 'mine';
  const full = { attachments: [{ kind: 'photo' as const }], client_msg_id, reply_to_message_id: await send(dave) };
  const text = `@dave @${bot.username} an ugly word`;
  const id = await send(owner, text, full);
  await dave.api.setMessageReaction({ message_id: id, emoji: '👎' });
  const notice = await send(owner, '', { service: { kind: 'ugly', data: 'word' }, client_msg_id: 'notice' });
  const direct = await world.direct(owner, carol);
  const inDirect = await send(carol, 'direct', { chat_id: direct.id });
  const sockets = [await owner.socket(), await dave.socket(), await bot.socket('nodrafts'), await stranger.socket()];

  await checkReplay(world, [owner, carol, dave], async () => {
    expect(await remove(owner, id, inDirect, notice, id)).toEqual([id, inDirect, notice]);
  });
  const inGroup = { conversation_id: chat_id, ids: [id, notice] };
  const alsoDirect = [inGroup, { conversation_id: direct.id, ids: [inDirect] }];
  expect(sockets.map((socket) => socket.all('messageDeleted'))).toEqual([alsoDirect, [inGroup], [inGroup], []]);
  expect(sockets.flatMap(({ methods }) => methods)).toEqual(Array.from({ length: 4 }, () => 'messageDeleted'));

  // Only a retry of the send returns the tombstone.
  const tombstone = await owner.api.sendMessage({ chat_id, text, ...full });
  expect(tombstone).toMatchObject({ id, client_msg_id, deleted_at: expect.any(String), status: 'complete' });
  const nothing = { content: '', attachments: [], mentions: [], dispatch: [], reactions: [] };
  expect(tombstone).toMatchObject(nothing);
  const ofNotice = { chat_id, text: '', service: { kind: 'ugly', data: 'word' }, client_msg_id: 'notice' };
  expect(await owner.api.sendMessage(ofNotice)).not.toHaveProperty('service');
});

test('DEL-3: deleting a daemon’s open reply ends the stream and its typing, without messageComplete', async () => {
  await using world = await createWorld();
  const { owner, carol, dave, bot, chat_id } = await scene(world);
  const socket = await dave.socket();
  const gone = { status: 404, code: 'not_found' };
  await checkReplay(world, [owner, carol], async () => {
    const reply = new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id }));
    await reply.append('an ugly');
    expect(await remove(carol, reply.id)).toEqual([reply.id]);
    const late = { message_id: reply.id, delta: ' word', offset: 12 };
    await expect(bot.api.appendMessageStream(late)).rejects.toMatchObject(gone);
    await expect(bot.api.finishMessageStream({ message_id: reply.id })).rejects.toMatchObject(gone);
  });
  expect(socket.all('typing').map(({ is_typing }) => is_typing)).toEqual([true, false]);
  expect(socket.methods).not.toContain('messageComplete');
  expect((await dave.api.getChatHistory({ chat_id })).items).toEqual([]);
});

test('DEL-3: deleting a provider agent’s open reply ends its turn and the request to the provider', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const { agent, chat } = await agentChat(world, alice);
  const steered = agent.steer();
  const socket = await alice.socket();
  await checkReplay(world, [alice], async () => {
    await alice.api.sendMessage({ chat_id: chat.id, text: '?' });
    await steered.started;
    steered.text('an ugly');
    const { id } = await socket.event('messageDelta');
    expect(await remove(alice, id)).toEqual([id]);
    await steered.aborted;
    await world.turnsEnded();
  });
  expect(socket.methods.slice(-2).toSorted()).toEqual(['messageDeleted', 'typing']);
  expect(socket.all('typing').at(-1)).toMatchObject({ is_typing: false });
  await world.crash();
  await world.turnsEnded();
  expect(world.providers.requestsOf(agent.key)).toHaveLength(1);
});

test('DEL-4: a deleted message is unpinned in the same unit', async () => {
  await using world = await createWorld();
  const { owner, dave, chat_id, send } = await scene(world);
  const ids = [await send(dave), await send(owner), await send(dave)] as const;
  for (const message_id of ids) await owner.api.pinMessage({ chat_id, message_id });
  const socket = await dave.socket();
  await checkReplay(world, [owner, dave], () => remove(owner, ids[0], ids[2]));
  expect(socket.all('messagePinned')).toEqual(
    [ids[0], ids[2]].map((message_id) => ({ conversation_id: chat_id, message_id, pinned: false })),
  );
  expect(socket.methods).toEqual(['messageDeleted', 'messagePinned', 'messagePinned']);
  expect((await dave.api.getChat({ chat_id })).pinned_message_ids).toEqual([ids[1]]);
});

test('DEL-5: a deleted text is in no answer, replay, history, or context of a model', async () => {
  await using world = await createWorld();
  const { owner, dave, chat_id, send, ...people } = await scene(world);
  const word = 'xyzzy';
  const agent = await keyedAgent(world, owner);
  world.providers.script(agent.key, { chunks: ['fine'] });
  await owner.api.addGroupAgent({ chat_id, agent_username: agent.username });
  const before = await dave.socket();
  const since = before.hello.head;
  const id = await send(dave, `the ${word}`);
  const reply = new DaemonStream(people.bot.api, await people.bot.api.startMessageStream({ chat_id }));
  await reply.append(`${word} too`);
  await world.settle();
  const quote = await send(owner, 'a quote', { reply_to_message_id: id });
  await remove(owner, id, reply.id);

  const seen: string[] = [];
  world.watcher = {
    begin: () => 0,
    read: (receiver, text) => {
      if (text.includes(word)) seen.push(`${receiver.username}: ${text}`);
    },
  };
  const late = await dave.socket();
  for (const actor of [owner, dave, people.bot]) {
    await actor.api.getChat({ chat_id });
    await actor.api.getChats();
    await actor.api.getChatHistory({ chat_id });
    await actor.api.getChatHistory({ chat_id, around: id });
    await actor.api.getMessages({ message_ids: [id, reply.id, quote] });
  }
  const { frames } = await dave.api.getUpdates({ since });
  expect(frames.map(({ method }) => method)).toContain('events.messageDeleted');
  expect((await dave.api.getChat({ chat_id })).last_message?.id).toBe(quote);
  await send(dave, `@${agent.username} what was said?`);
  await world.turnsEnded();
  await late.event('messageComplete');
  const [request] = world.providers.requestsOf(agent.key);
  expect(JSON.stringify(request?.body)).toContain('what was said?');
  expect(JSON.stringify(request?.body)).not.toContain(word);
  await world.crash();
  await dave.api.getUpdates({ since });
  await dave.api.getChatHistory({ chat_id });
  expect(seen).toEqual([]);
});

test('DEL-6: hiding affects only the caller, and is not published to others', async () => {
  await using world = await createWorld();
  const { owner, dave, stranger, chat_id, send } = await scene(world);
  const ids = [await send(owner, 'one'), await send(dave, 'two'), await send(owner, 'three')] as const;
  const foreign = await owner.api.sendMessage({ chat_id: (await world.direct(owner, owner)).id, text: 'private' });
  const deleted = await send(owner);
  await remove(owner, deleted);
  const sockets = [await owner.socket(), await dave.socket(), await dave.socket()];
  const hide = async (actor: Actor, ...message_ids: string[]) =>
    (await actor.api.deleteMessagesForMe({ message_ids })).ids;
  await checkReplay(world, [owner, dave], async () => {
    expect(await hide(dave, ids[2], unknownId, foreign.id, deleted, ids[1], ids[1])).toEqual([ids[2], ids[1]]);
    expect(await hide(dave, ids[1])).toEqual([]);
    expect(await hide(stranger, ids[0])).toEqual([]);
  });
  expect(sockets.flatMap(({ frames }) => frames)).toEqual([]);
  const texts = async (actor: Actor) =>
    (await actor.api.getChatHistory({ chat_id })).items.map(({ content }) => content);
  expect([await texts(owner), await texts(dave)]).toEqual([['one', 'two', 'three'], ['one']]);
  expect((await dave.api.getChat({ chat_id })).last_message?.id).toBe(ids[0]);
  const { frames } = await dave.api.getUpdates({ since: 0 });
  expect(frames.map(({ params }) => params['id'])).not.toContain(ids[1]);
  await world.crash();
  expect(await texts(dave)).toEqual(['one']);
});
