import { type Actor, createWorld, ManualClock, unknownId, type World } from '@parley/testing';
import { expect, test } from 'vitest';

/** Alice and bob in a group; `seen` lists the typing events that bob gets about alice. */
async function scene(world: World) {
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const socket = await bob.socket();
  const act = (action: string, more: object = {}) => alice.api.sendChatAction({ chat_id: chat.id, action, ...more });
  const seen = async (): Promise<boolean[]> => {
    await world.settle();
    return socket.all('typing').map(({ is_typing }) => is_typing);
  };
  return { alice, bob, chat, chat_id: chat.id, socket, act, seen };
}

test('TYPING-1, TYPING-2: an action is shown with its timeline to everyone but the acting account', async () => {
  await using world = await createWorld();
  const { alice, chat_id, socket, act, seen } = await scene(world);
  const own = await alice.socket();
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'a channel' });
  const { id: thread_root_id } = await alice.api.sendMessage({ chat_id, text: 'a root', channel_id });
  // Each action may reach another node, and two nodes send their events in any order.
  await act('typing');
  expect(await seen()).toEqual([true]);
  await act('typing', { channel_id, thread_root_id });
  expect(await seen()).toEqual([true, true]);
  await act('cancel');
  expect(await seen()).toEqual([true, true, false]);
  const actor = { username: 'alice', kind: 'human', display_name: 'alice' };
  const ordinary = { conversation_id: chat_id, channel_id: null, thread_root_id: null, actor };
  expect(socket.all('typing')).toEqual([
    { ...ordinary, is_typing: true },
    { ...ordinary, channel_id, thread_root_id, is_typing: true },
    { ...ordinary, is_typing: false },
  ]);
  expect(own.all('typing')).toEqual([]);
});

test('TYPING-6: is_typing can replace action, also in typing.set; without both it is 400', async () => {
  await using world = await createWorld();
  const { alice, chat_id, seen } = await scene(world);
  const own = await alice.socket();
  const typing = (params: object) => own.rpc('typing.set', { conversation_id: chat_id, ...params });
  const acts = [
    () => typing({ is_typing: true }),
    () => typing({ is_typing: false }),
    () => alice.api.sendChatAction({ chat_id, is_typing: true }),
    () => typing({ action: 'cancel' }),
    // If both are given, `action` counts.
    () => typing({ action: 'typing', is_typing: false }),
  ];
  for (const act of acts) {
    await act();
    // The next action may reach another node, which sends its event when it likes.
    await seen();
  }
  expect(await seen()).toEqual([true, false, true, false, true]);
  await expect(own.rpc('typing.set', { conversation_id: chat_id })).rejects.toMatchObject({
    code: 'invalid_argument',
    parameters: { field: 'action' },
  });
  await expect(own.rpc('typing.set', { conversation_id: chat_id, is_typing: 'yes' })).rejects.toMatchObject({
    code: 'invalid_argument',
    parameters: { field: 'is_typing' },
  });
});

test('TYPING-3: typing expires 6 s after the last action', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { act, seen } = await scene(world);
  await act('typing');
  await clock.advance(5_000);
  await act('typing');
  await world.settle();
  await clock.advance(5_999);
  expect(await seen()).toEqual([true, true]);
  await clock.advance(1);
  expect(await seen()).toEqual([true, true, false]);
  await clock.advance(60_000);
  expect(await seen()).toEqual([true, true, false]);
});

test('TYPING-3: typing ends when the account’s last socket closes, not when one of several does', async () => {
  await using world = await createWorld();
  const { alice, act, seen } = await scene(world);
  const sockets = [await alice.socket(), await alice.socket('nodrafts')] as const;
  await act('typing');
  await sockets[0].close();
  expect(await seen()).toEqual([true]);
  await sockets[1].terminate();
  // Other nodes learn of the closed socket a little later.
  await expect.poll(seen).toEqual([true, false]);
});

test('TYPING-3: typing continues after a socket closes while another node has a socket that it has not reported yet', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, act, seen } = await scene(world);
  const sockets = [await alice.socket(), await alice.socket('nodrafts')] as const;
  // One of the two sockets is on the node where alice types.
  await act('typing');
  await sockets[0].close();
  expect(await seen()).toEqual([true]);
  await sockets[1].close();
  await clock.advance(100);
  await expect.poll(seen).toEqual([true, false]);
});

test('TYPING-3, DRAIN-1: a stopping node publishes the end of all typing', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { act, seen } = await scene(world);
  await act('typing');
  expect(await seen()).toEqual([true]);
  const told: unknown[] = [];
  for (const { typing } of world.services) {
    const announce = typing.announce.bind(typing);
    typing.announce = (place, isTyping) => {
      told.push(isTyping);
      announce(place, isTyping);
    };
  }
  await world.drain(0);
  expect(told).toEqual([false]);
});

const ends: Record<string, (alice: Actor, chatId: string) => Promise<unknown>> = {
  sendMessage: (alice, chat_id) => alice.api.sendMessage({ chat_id, text: 'sent' }),
  leaving: async (alice, chat_id) => {
    await alice.api.setMemberRole({ chat_id, username: 'bob', role: 'owner' });
    await alice.api.leaveChat({ chat_id });
  },
};

test.each(Object.entries(ends))('TYPING-3: typing ends with %s', async (_, end) => {
  await using world = await createWorld();
  const { alice, chat_id, act, seen } = await scene(world);
  await act('typing');
  await end(alice, chat_id);
  expect(await seen()).toEqual([true, false]);
});

test('TYPING-4: an agent is shown typing from the start of its reply to its end, however it ends', async () => {
  await using world = await createWorld();
  const { alice, chat_id, socket, seen } = await scene(world);
  const bot = await world.bot(alice);
  await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
  for (const status of ['complete', 'failed', 'cancelled'] as const) {
    const { id } = await bot.api.startMessageStream({ chat_id });
    await bot.api.finishMessageStream({ message_id: id, status });
  }
  expect(await seen()).toEqual([true, false, true, false, true, false]);
  expect(socket.all('typing')[0]).toMatchObject({ actor: { username: bot.username, kind: 'agent' } });
});

test('TYPING-5: sendChatAction: 404 for an unknown conversation, channel or thread root, 403 for a non-participant', async () => {
  await using world = await createWorld();
  const { act, chat_id } = await scene(world);
  for (const place of [{ chat_id: unknownId }, { channel_id: unknownId }, { thread_root_id: unknownId }])
    await expect(act('typing', place)).rejects.toMatchObject({ status: 404 });
  const stranger = await world.person('stranger');
  await expect(stranger.api.sendChatAction({ chat_id, action: 'typing' })).rejects.toMatchObject({ status: 403 });
});

test('SOCKET-4, TYPING-3: typing again right after a message is still shown', async () => {
  await using world = await createWorld();
  const { alice, chat_id, seen } = await scene(world);
  const own = await alice.socket();
  await own.rpc('sendChatAction', { chat_id, action: 'typing' });
  await Promise.all([
    own.rpc('sendMessage', { chat_id, text: 'first' }),
    own.rpc('sendChatAction', { chat_id, action: 'typing' }),
  ]);
  expect(await seen()).toEqual([true, false, true]);
});
