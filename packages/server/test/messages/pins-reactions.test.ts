import { type Actor, checkReplay, createWorld, unknownId, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';

const missing = { status: 404, code: 'not_found' };

/** A group with an owner, an admin and a member, and a person outside. */
async function scene(world: World) {
  const people = await world.people('owner', 'admin', 'member', 'stranger');
  const { owner, admin, member } = people;
  const chat = await world.group(owner, admin, member);
  const chat_id = chat.id;
  await owner.api.setMemberRole({ chat_id, username: 'admin', role: 'admin' });
  const send = async (text = 'hello', more: object = {}) =>
    (await member.api.sendMessage({ chat_id, text, ...more })).id;
  /** Ids of messages out of reach: in another conversation, unknown, deleted, or in a deleted channel. */
  const outOfReach = async (): Promise<{ elsewhere: string; gone: string[] }> => {
    const { id: channel_id } = await owner.api.createChannel({ chat_id, title: 'passing' });
    const direct = await world.direct(owner, member);
    const [elsewhere, deleted, inChannel] = [
      await send('x', { chat_id: direct.id }),
      await send(),
      await send('x', { channel_id }),
    ];
    await member.api.deleteMessages({ message_ids: [deleted] });
    await owner.api.deleteChannel({ chat_id, channel_id });
    return { elsewhere, gone: [unknownId, deleted, inChannel] };
  };
  return { ...people, chat, chat_id, send, outOfReach };
}

test('PIN-1: owner and admins can pin in a group, both accounts in a direct chat', async () => {
  await using world = await createWorld();
  const { owner, admin, member, stranger, chat, chat_id, send } = await scene(world);
  const bot = await botIn(world, owner, chat);
  const message_id = await send();
  for (const actor of [owner, admin])
    await checkReplay(world, [owner, member], async () => {
      expect(await actor.api.pinMessage({ chat_id, message_id })).toMatchObject({ pinned_message_ids: [message_id] });
      expect(await actor.api.unpinMessage({ chat_id, message_id })).toMatchObject({ pinned_message_ids: [] });
    });
  await owner.api.pinMessage({ chat_id, message_id });
  for (const actor of [member, stranger, bot])
    for (const call of [
      () => actor.api.pinMessage({ chat_id, message_id }),
      () => actor.api.unpinMessage({ chat_id, message_id }),
      () => actor.api.unpinMessage({ chat_id }),
    ])
      await expect(call(), actor.username).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  expect((await member.api.getChat({ chat_id })).pinned_message_ids).toEqual([message_id]);

  const direct = await world.direct(owner, member);
  const sent = await owner.api.sendMessage({ chat_id: direct.id, text: 'hi' });
  const place = { chat_id: direct.id, message_id: sent.id };
  for (const actor of [owner, member]) {
    expect((await actor.api.pinMessage(place)).pinned_message_ids).toEqual([sent.id]);
    expect((await actor.api.unpinMessage(place)).pinned_message_ids).toEqual([]);
  }
});

test('PIN-2: a pin becomes the first, even if it was pinned before, and is published', async () => {
  await using world = await createWorld();
  const { owner, member, chat_id, send, outOfReach } = await scene(world);
  const [one, two, three] = [await send(), await send(), await send()];
  const socket = await member.socket();
  const pinned = await checkReplay(world, [owner, member], async () => {
    for (const message_id of [three, one, two]) await owner.api.pinMessage({ chat_id, message_id });
    return owner.api.pinMessage({ chat_id, message_id: three });
  });
  expect(pinned).toEqual(await owner.api.getChat({ chat_id }));
  expect(pinned.pinned_message_ids).toEqual([three, two, one]);
  expect(socket.all('messagePinned')).toEqual(
    [three, one, two, three].map((message_id) => ({ conversation_id: chat_id, message_id, pinned: true })),
  );
  const { elsewhere, gone } = await outOfReach();
  for (const message_id of [elsewhere, ...gone]) {
    await expect(owner.api.pinMessage({ chat_id, message_id })).rejects.toMatchObject(missing);
    await expect(owner.api.unpinMessage({ chat_id, message_id })).rejects.toMatchObject(missing);
  }
  await expect(owner.api.pinMessage({ chat_id: unknownId, message_id: one })).rejects.toMatchObject(missing);
});

test('PIN-3: one pin or all are removed; an event follows for all, and for one that was pinned', async () => {
  await using world = await createWorld();
  const { owner, member, chat_id, send } = await scene(world);
  const ids = [await send(), await send(), await send()] as const;
  for (const message_id of ids) await owner.api.pinMessage({ chat_id, message_id });
  const socket = await member.socket();
  await checkReplay(world, [owner, member], async () => {
    const one = { chat_id, message_id: ids[1] };
    for (let times = 0; times < 2; times += 1)
      expect((await owner.api.unpinMessage(one)).pinned_message_ids).toEqual([ids[2], ids[0]]);
    for (let times = 0; times < 2; times += 1)
      expect(await owner.api.unpinMessage({ chat_id })).toMatchObject({ id: chat_id, pinned_message_ids: [] });
  });
  expect(socket.all('messagePinned')).toEqual([
    { conversation_id: chat_id, message_id: ids[1], pinned: false },
    { conversation_id: chat_id, message_id: null, pinned: false },
    { conversation_id: chat_id, message_id: null, pinned: false },
  ]);
  expect(socket.methods).toEqual(['messagePinned', 'messagePinned', 'messagePinned']);
});

test('PIN-4: a conversation has at most 500 pins', async () => {
  await using world = await createWorld();
  const { owner, chat_id } = await scene(world);
  const sends = Array.from({ length: 501 }, (_, at) => owner.api.sendMessage({ chat_id, text: `${at}` }));
  const [last = '', ...ids] = (await Promise.all(sends)).map(({ id }) => id);
  await Promise.all(ids.map((message_id) => owner.api.pinMessage({ chat_id, message_id })));
  await expect(owner.api.pinMessage({ chat_id, message_id: last })).rejects.toMatchObject({
    status: 400,
    code: 'invalid_argument',
  });
  // At the maximum a pinned message can still move, and deleting one makes room for another.
  const [first = '', second = ''] = ids;
  expect((await owner.api.pinMessage({ chat_id, message_id: first })).pinned_message_ids).toHaveLength(500);
  await owner.api.deleteMessages({ message_ids: [second] });
  const { pinned_message_ids } = await owner.api.pinMessage({ chat_id, message_id: last });
  expect(pinned_message_ids).toHaveLength(500);
  expect(pinned_message_ids.slice(0, 2)).toEqual([last, first]);
});

test('MSG-15: reactions are grouped by emoji in order of first use, with the first 50 reactors', async () => {
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
    // A reaction that is removed and added again comes last.
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

test('REACT-1, REACT-2, REACT-3: a reaction is added, removed by the same emoji or `remove`, and only changes are published', async () => {
  await using world = await createWorld();
  const { owner, member, chat_id, send } = await scene(world);
  const message_id = await send();
  const sockets = [await owner.socket(), await member.socket('nodrafts')];
  const react = (actor: Actor, more: object = {}) => actor.api.setMessageReaction({ message_id, emoji: '👍', ...more });
  const reactor = { username: 'owner', kind: 'human', display_name: 'owner' };
  const removed = { message_id, reactor, emoji: '👍' };
  const added = { ...removed, created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) };
  await checkReplay(world, [owner, member], async () => {
    expect(await react(owner)).toEqual(added);
    expect(await react(owner)).toBeUndefined();
    expect(await react(owner, { remove: false })).toEqual(added);
    expect(await react(member, { remove: true })).toBeUndefined();
    for (let times = 0; times < 2; times += 1) expect(await react(owner, { remove: true })).toBeUndefined();
    expect(await react(owner, { emoji: '🎉' })).toMatchObject({ emoji: '🎉' });
    expect(await react(member, { emoji: '🎉' })).toMatchObject({ emoji: '🎉', reactor: { username: 'member' } });
  });
  for (const socket of sockets) {
    expect(socket.all('reactionAdded').slice(0, 2)).toEqual([added, added]);
    expect(socket.all('reactionRemoved')).toEqual([removed, removed]);
    const changes = ['Added', 'Removed', 'Added', 'Removed', 'Added', 'Added'];
    expect(socket.methods).toEqual(changes.map((change) => `reaction${change}`));
  }
  const { items } = await member.api.getChatHistory({ chat_id });
  expect(items).toMatchObject([{ reactions: [{ emoji: '🎉', count: 2 }] }]);
});

test('REACT-7: an emoji is one reaction with and without U+FE0F', async () => {
  await using world = await createWorld();
  const { owner, member, chat_id, send } = await scene(world);
  const message_id = await send();
  for (const [plain, form] of [
    ['❤', '❤\ufe0f'],
    ['👍\ufe0f', '👍'],
    ['❤\u200d🔥', '❤\ufe0f\u200d🔥'],
  ] as const) {
    expect(await owner.api.setMessageReaction({ message_id, emoji: plain })).toMatchObject({ emoji: form });
    expect(await member.api.setMessageReaction({ message_id, emoji: form })).toMatchObject({ emoji: form });
    const { items } = await owner.api.getChatHistory({ chat_id });
    expect(items).toMatchObject([{ reactions: [{ emoji: form, count: 2 }] }]);
    expect(await member.api.setMessageReaction({ message_id, emoji: plain })).toBeUndefined();
    expect(await owner.api.setMessageReaction({ message_id, emoji: form, remove: true })).toBeUndefined();
  }
});

test('REACT-4: reactions.add never removes a reaction, reactions.remove does', async () => {
  await using world = await createWorld();
  const { owner, member, send } = await scene(world);
  const params = { message_id: await send(), emoji: '👍' };
  const socket = await owner.socket();
  await checkReplay(world, [owner, member], async () => {
    const first = await socket.rpc('reactions.add', params);
    expect(first).toMatchObject({ ...params, reactor: { username: 'owner' } });
    // The method fixes `remove`; the field in the params is ignored.
    expect(await socket.rpc('reactions.add', { ...params, remove: true })).toEqual(first);
    expect(await socket.rpc('reactions.add', params)).toEqual(first);
  });
  expect(socket.methods).toEqual(['reactionAdded']);
  await checkReplay(world, [owner, member], async () => {
    for (let times = 0; times < 2; times += 1) expect(await socket.rpc('reactions.remove', params)).toBeUndefined();
  });
  expect(socket.methods).toEqual(['reactionAdded', 'reactionRemoved']);
});

test('REACT-5: reactions to deleted messages, or by non-participants, are refused', async () => {
  await using world = await createWorld();
  const { owner, stranger, chat_id, send, outOfReach } = await scene(world);
  const { elsewhere, gone } = await outOfReach();
  const socket = await owner.socket();
  const react = (actor: Actor, message_id: string, remove = false) =>
    actor.api.setMessageReaction({ message_id, emoji: '👍', remove });
  for (const remove of [false, true]) {
    for (const id of gone) await expect(react(owner, id, remove)).rejects.toMatchObject(missing);
    for (const id of [elsewhere, await send('hi')])
      await expect(react(stranger, id, remove)).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  }
  await world.settle();
  expect(socket.methods).not.toContain('reactionAdded');
  expect((await owner.api.getChatHistory({ chat_id })).items.flatMap(({ reactions }) => reactions)).toEqual([]);
});

test('REACT-6: an emoji has 1 to 64 bytes, a message at most 20 different ones', async () => {
  await using world = await createWorld();
  const { owner, member, send } = await scene(world);
  const message_id = await send();
  const react = (emoji: string, actor = owner) => actor.api.setMessageReaction({ message_id, emoji });
  for (const emoji of ['', '🙂'.repeat(17), 'x'.repeat(65), '\ud83d'])
    await expect(react(emoji)).rejects.toMatchObject({ status: 400, parameters: { field: 'emoji' } });
  const emojis = ['🙂'.repeat(16), ...Array.from({ length: 19 }, (_, at) => `e${at}`)];
  await checkReplay(world, [owner, member], async () => {
    for (const emoji of emojis) await react(emoji);
  });
  for (const actor of [owner, member])
    await expect(react('👍', actor)).rejects.toMatchObject({ status: 400, parameters: { field: 'emoji' } });
  expect(await react('e1', member)).toMatchObject({ emoji: 'e1' });
  await react('e2');
  expect(await react('👍', member)).toMatchObject({ emoji: '👍' });
});

test('REACT-1, PIN-2: reactions and pins of a streaming reply stay when it completes', async () => {
  await using world = await createWorld();
  const { owner, member, chat, chat_id } = await scene(world);
  const bot = await botIn(world, owner, chat);
  const socket = await member.socket();
  const message_id = await checkReplay(world, [owner, member], async () => {
    const { id } = await bot.api.startMessageStream({ chat_id });
    await bot.api.appendMessageStream({ message_id: id, delta: 'so far', offset: 6 });
    await member.api.setMessageReaction({ message_id: id, emoji: '👍' });
    await owner.api.pinMessage({ chat_id, message_id: id });
    await bot.api.appendMessageStream({ message_id: id, text: 'all' });
    await bot.api.finishMessageStream({ message_id: id });
    return id;
  });
  const shown = { id: message_id, content: 'all', reactions: [{ emoji: '👍', count: 1 }] };
  expect(await socket.event('messageComplete')).toMatchObject(shown);
  expect((await owner.api.getChatHistory({ chat_id })).items).toMatchObject([shown]);
  expect((await owner.api.getChat({ chat_id })).pinned_message_ids).toEqual([message_id]);
});
