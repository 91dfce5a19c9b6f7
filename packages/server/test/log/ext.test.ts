import { type Actor, checkReplay, createWorld, ManualClock, type TestSocket, type World } from '@parley/testing';
import { expect, test } from 'vitest';

const extNames = [
  'conversationUpdated',
  'conversationRemoved',
  'messageUpdated',
  'versionsChanged',
  'accountUpdated',
  'privacyUpdated',
  'messagesRead',
];

/** The event names of all frames that a socket has received. */
const namesOf = (socket: TestSocket): string[] =>
  socket.frames.map(({ method }) => method.replace(/^events\./, '')).filter((name) => name !== 'tick');

async function stage(world: World) {
  const { alice, bob, carol } = await world.people('alice', 'bob', 'carol');
  const { id: chat_id } = await world.group(alice, bob);
  return { alice, bob, carol, chat_id };
}

/** The newest params of an event for a socket. */
const lastOf = (socket: TestSocket, name: string): Record<string, unknown> | undefined =>
  socket.frames.findLast(({ method }) => method === `events.${name}`)?.params;

test('EXT-1: only sockets with `ext`, alone or beside other caps, get these events; the frames of other sockets have no gap', async () => {
  await using world = await createWorld();
  const { alice, bob, carol, chat_id } = await stage(world);
  const sockets = { plain: await bob.socket(), ext: await bob.socket('ext'), quiet: await bob.socket('nodrafts,ext') };
  const newcomer = { plain: await carol.socket(), ext: await carol.socket('ext') };
  const acts = async () => {
    await alice.api.setChatTitle({ chat_id, title: 'another' });
    await alice.api.addMembers({ chat_id, usernames: ['carol'] });
    await alice.api.removeMember({ chat_id, username: 'carol' });
    const { id } = await alice.api.sendMessage({ chat_id, text: 'hello' });
    await bob.api.markRead({ chat_id, message_id: id });
  };
  await checkReplay(world, [alice, bob, carol], acts);
  expect(namesOf(sockets.plain)).toEqual(['messageNew']);
  expect(namesOf(newcomer.plain)).toEqual([]);
  const expected = [
    'conversationUpdated',
    'conversationUpdated',
    'conversationUpdated',
    'messageNew',
    'conversationUpdated',
  ];
  expect(namesOf(sockets.ext)).toEqual(expected);
  expect(namesOf(sockets.quiet)).toEqual(expected);
  expect(namesOf(newcomer.ext)).toEqual(['conversationNew', 'conversationUpdated', 'conversationRemoved']);
  // Without the cap, a frame's prev is the socket's previous frame, whatever other sockets got in between.
  expect(sockets.plain.frames[0]?.prev).toBe(sockets.plain.hello.head);
  const missed = await bob.api.getUpdates({ since: 0 });
  expect(missed.frames.filter(({ method }) => extNames.includes(method.replace('events.', '')))).toEqual([]);
});

test('EXT-2: participants get changes of title, members, roles and channels, and only what has changed', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await stage(world);
  const socket = await bob.socket('ext');
  const next = async (act: () => Promise<unknown>) => {
    await checkReplay(world, [alice, bob], act);
    await world.settle();
    return lastOf(socket, 'conversationUpdated');
  };
  await world.settle();
  const before = socket.frames.length;
  expect(await next(() => alice.api.setChatTitle({ chat_id, title: 'a group' }))).toBeUndefined();
  expect(socket.frames.length).toBe(before);
  expect(await next(() => alice.api.setChatTitle({ chat_id, title: 'new' }))).toEqual({
    conversation_id: chat_id,
    title: 'new',
  });
  const role = () => alice.api.setMemberRole({ chat_id, username: 'bob', role: 'admin' });
  expect(await next(role)).toMatchObject({
    participants: [
      { username: 'alice', role: 'owner' },
      { username: 'bob', role: 'admin' },
    ],
    participant_count: 2,
    people_count: 2,
  });
  expect(await next(() => alice.api.createChannel({ chat_id, title: 'news' }))).toEqual({
    conversation_id: chat_id,
    channels: [{ id: expect.any(String), title: 'news' }],
  });
  const [channel] = (await alice.api.getChat({ chat_id })).channels;
  await alice.api.sendMessage({ chat_id, text: 'in the channel', channel_id: channel?.id });
  const gone = await next(() => alice.api.deleteChannel({ chat_id, channel_id: channel?.id ?? '' }));
  expect(gone).toEqual({ conversation_id: chat_id, channels: [] });
});

test('EXT-3: mute, read marker and counts reach all devices of the account, and no others', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id } = await stage(world);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'news' });
  const sent = await alice.api.sendMessage({ chat_id, text: 'one' });
  await alice.api.sendMessage({ chat_id, text: 'two', channel_id });
  const phone = await bob.socket('ext');
  const other = await alice.socket('ext');
  await checkReplay(world, [alice, bob], () => bob.api.markRead({ chat_id, message_id: sent.id }));
  await world.settle();
  expect(lastOf(phone, 'conversationUpdated')).toEqual({
    conversation_id: chat_id,
    channels: [{ id: channel_id, title: 'news', unread_count: 1 }],
    unread_count: 1,
    unread_mentions: 0,
    last_read_message_id: sent.id,
    last_read_position: sent.position,
  });
  // A marker that does not move sends no event.
  const before = phone.frames.length;
  await bob.api.markRead({ chat_id, message_id: sent.id });
  await world.settle();
  expect(phone.frames.length).toBe(before);
  const mute = () => bob.api.setChatNotifications({ chat_id, is_muted: true, mute_for: 60 });
  await checkReplay(world, [alice, bob], mute);
  await world.settle();
  const until = new Date(clock.now() + 60_000).toISOString();
  expect(lastOf(phone, 'conversationUpdated')).toEqual({
    conversation_id: chat_id,
    is_muted: true,
    muted_until: until,
  });
  // Another person learns only how far bob has read (READ-14).
  expect(namesOf(other)).toEqual(['messagesRead']);
});

test(
  'EXT-3: if more than a thousand messages are unread after a marker, no count is sent',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const { alice, bob, chat_id } = await stage(world);
    const sent = await alice.api.sendMessage({ chat_id, text: 'first' });
    await Promise.all(Array.from({ length: 1_001 }, () => alice.api.sendMessage({ chat_id, text: 'and more' })));
    const phone = await bob.socket('ext');
    await bob.api.markRead({ chat_id, message_id: sent.id });
    await world.settle();
    expect(lastOf(phone, 'conversationUpdated')).toEqual({
      conversation_id: chat_id,
      unread_mentions: 0,
      last_read_message_id: sent.id,
      last_read_position: sent.position,
    });
    expect(await bob.api.getChat({ chat_id })).toMatchObject({ unread_count: 1_001 });
  },
);

test('EXT-3: hiding an unread message updates the count on the other devices', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await stage(world);
  const sent = await alice.api.sendMessage({ chat_id, text: 'one' });
  const phone = await bob.socket('ext');
  await bob.api.deleteMessagesForMe({ message_ids: [sent.id] });
  await world.settle();
  expect(lastOf(phone, 'conversationUpdated')).toMatchObject({ conversation_id: chat_id, unread_count: 0 });
});

test(
  'EXT-4: an added account immediately gets the conversation as getChat returns it to that account',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const { alice, bob, carol, chat_id } = await stage(world);
    const socket = await carol.socket('ext');
    await checkReplay(world, [alice, bob, carol], () => alice.api.addMembers({ chat_id, usernames: ['carol'] }));
    await world.settle();
    expect(lastOf(socket, 'conversationNew')).toEqual(await carol.api.getChat({ chat_id }));
    await checkReplay(world, [bob, carol], () => bob.api.startChat({ username: 'carol' }));
    const made = await checkReplay(world, [bob, carol], () =>
      bob.api.startChat({ usernames: ['carol'], title: 'two' }),
    );
    await world.settle();
    expect(lastOf(socket, 'conversationNew')).toEqual(await carol.api.getChat({ chat_id: made.id }));
    // Starting the same chat again announces no new conversation.
    const before = socket.frames.length;
    await bob.api.startChat({ username: 'carol' });
    await world.settle();
    expect(socket.frames.length).toBe(before);
  },
);

test('EXT-4: each of forty people added together gets the event', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await stage(world);
  await alice.api.sendMessage({ chat_id, text: 'before' });
  const crowd: Actor[] = [];
  for (let at = 0; at < 40; at += 1) crowd.push(await world.person(`crowd${at}`));
  const last = crowd.at(-1) ?? bob;
  const socket = await last.socket('ext');
  const usernames = crowd.map(({ username }) => username);
  await checkReplay(world, [alice, last], () => alice.api.addMembers({ chat_id, usernames }));
  await world.settle();
  expect(lastOf(socket, 'conversationNew')).toEqual(await last.api.getChat({ chat_id }));
  const { frames } = await (crowd[0] ?? bob).api.getUpdates({ since: 0, socket: undefined });
  expect(frames.map(({ method }) => method)).toEqual(['events.messageNew']);
});

test('EXT-5: an account that is removed or leaves gets conversationRemoved, and nothing after it', async () => {
  await using world = await createWorld();
  const { alice, bob, carol, chat_id } = await stage(world);
  await alice.api.addMembers({ chat_id, usernames: ['carol'] });
  const bot = await world.bot(carol);
  await carol.api.addGroupAgent({ chat_id, agent_username: bot.username });
  const sockets = { bob: await bob.socket('ext'), carol: await carol.socket('ext'), bot: await bot.socket('ext') };
  await checkReplay(world, [alice, bob, carol, bot], async () => {
    await alice.api.removeMember({ chat_id, username: 'carol' });
    await bob.api.leaveChat({ chat_id });
    await alice.api.setChatTitle({ chat_id, title: 'alone' });
  });
  await world.settle();
  const removed = { method: 'events.conversationRemoved', params: { conversation_id: chat_id } };
  for (const socket of Object.values(sockets)) expect(socket.frames.at(-1)).toMatchObject(removed);
  expect(namesOf(sockets.bot)).not.toContain('messageNew');
  // An account that returns gets conversationNew again.
  await checkReplay(world, [alice, carol], () => alice.api.addMembers({ chat_id, usernames: ['carol'] }));
});

test('EXT-7: a hundred changes of one thing are one frame of a replay, with the current state', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await stage(world);
  const socket = await bob.socket('ext');
  const since = socket.hello.head;
  for (let at = 0; at < 20; at += 1) {
    await alice.api.setChatTitle({ chat_id, title: `title ${at}` });
    const { id } = await alice.api.sendMessage({ chat_id, text: `${at}` });
    await bob.api.markRead({ chat_id, message_id: id });
  }
  const { frames } = await bob.api.getUpdates({ since, socket: socket.hello.socket });
  const updates = frames.filter(({ method }) => method === 'events.conversationUpdated').map(({ params }) => params);
  expect(updates).toEqual([
    expect.objectContaining({ conversation_id: chat_id, title: 'title 19' }),
    expect.objectContaining({ conversation_id: chat_id, unread_count: 0 }),
  ]);
  expect(frames.filter(({ method }) => method === 'events.messageNew')).toHaveLength(20);
});
