import type { Conversation, Message } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';

const forbidden = { status: 403, code: 'forbidden' };
const conflict = { status: 409, code: 'conflict' };
const notFound = (what: string) => ({ status: 404, description: `not found: ${what}` });
const say = (who: Actor, { id }: Conversation, text: string, more: object = {}): Promise<Message> =>
  who.api.sendMessage({ chat_id: id, text, ...more });
const textsOf = async (who: Actor, { id }: Conversation, more: object = {}) =>
  (await who.api.getChatHistory({ chat_id: id, ...more })).items.map(({ content }) => content);
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'ok',
    (error: { code: string }) => error.code, // the typed client throws ApiErrors
  );

let world: World;
let scenes = 0;

interface Scene {
  owner: Actor;
  admin: Actor;
  member: Actor;
  stranger: Actor;
  chat: Conversation;
  /** Everyone's role, by username without the scene's number. */
  roles: () => Promise<Record<string, string>>;
}

/** A group with a person in each role; new people for each test. */
async function scene(): Promise<Scene> {
  scenes += 1;
  const person = (name: string) => world.person(`${name}${scenes}`);
  const [owner, admin] = [await person('owner'), await person('admin')];
  const [member, stranger] = [await person('member'), await person('stranger')];
  const chat = await world.group(owner, admin, member);
  await owner.api.setMemberRole({ chat_id: chat.id, username: admin.username, role: 'admin' });
  const n = String(scenes);
  const roles = async () => {
    const { items } = await admin.api.getMembers({ chat_id: chat.id });
    return Object.fromEntries(items.map(({ username, role }) => [username.replace(n, ''), role]));
  };
  return { owner, admin, member, stranger, chat, roles };
}

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('GROUP-1: startChat with names and a title makes a group owned by the caller, with everyone in it once', async () => {
  const { owner, member, stranger } = await scene();
  const usernames = [member, stranger, member, owner].map(({ username }) => username);
  const chat = await owner.api.startChat({ usernames, title: 'a title' });
  expect(chat).toMatchObject({ kind: 'group', title: 'a title', participant_count: 3, channels: [] });
  expect(chat.participants.map(({ username, role }) => [username, role])).toEqual([
    [owner.username, 'owner'],
    [member.username, 'member'],
    [stranger.username, 'member'],
  ]);
  expect(await owner.api.startChat({ usernames: [], title: 'alone' })).toMatchObject({ participant_count: 1 });
  await expect(owner.api.startChat({ usernames: ['nobody_at_all'], title: 'x' })).rejects.toMatchObject(
    notFound('account'),
  );
  const bot = await world.bot(owner);
  await expect(bot.api.startChat({ usernames: [owner.username], title: 'x' })).rejects.toMatchObject(forbidden);
  // The same people can have another group.
  expect((await owner.api.startChat({ usernames, title: 'a title' })).id).not.toBe(chat.id);
});

test('GROUP-2, AGENT-1: startChat adds only the caller’s own agents', async () => {
  const { owner, member } = await scene();
  const bot = await world.bot(owner);
  const group = (username: string) => owner.api.startChat({ usernames: [username, member.username], title: 'x' });
  const chat = await group(bot.username);
  expect((await owner.api.getGroupAgents({ chat_id: chat.id })).items).toEqual([
    { agent: { username: bot.username, kind: 'agent', display_name: 'bot' }, always_on: true, follows_threads: false },
  ]);
  for (const username of [`${member.username}:provider_a`, 'parley:guide'])
    await expect(group(username)).rejects.toMatchObject(forbidden);
});

test('GROUP-3: a group has 1,000 participants at most, agents included', async () => {
  await using small = await createWorld({ settings: { groupMembers: 4 } });
  const { ann, bob, cleo, dora } = await small.people('ann', 'bob', 'cleo', 'dora');
  const tooMany = (field: string) => ({ status: 400, code: 'invalid_argument', parameters: { field } });
  const usernames = ['bob', 'cleo', 'dora'];
  await expect(ann.api.startChat({ usernames: [...usernames, 'ann:provider_a'], title: 'x' })).rejects.toMatchObject(
    tooMany('usernames'),
  );
  expect(await ann.api.startChat({ usernames, title: 'full' })).toMatchObject({ participant_count: 4 });
  const { id: chat_id } = await small.group(ann, bob, cleo);
  await ann.api.addGroupAgent({ chat_id, agent_username: 'ann:provider_a' });
  await expect(ann.api.addMembers({ chat_id, usernames: [dora.username] })).rejects.toMatchObject(tooMany('usernames'));
  await expect(bob.api.addGroupAgent({ chat_id, agent_username: 'bob:provider_a' })).rejects.toMatchObject(
    tooMany('agent_username'),
  );
  // Adding existing members again does not count them twice.
  await ann.api.addMembers({ chat_id, usernames: ['bob', 'cleo'] });
  expect(await ann.api.getChat({ chat_id })).toMatchObject({ participant_count: 4 });
});

test('GROUP-3: the default maximum is 1,000', async () => {
  const { owner } = await scene();
  const usernames = Array.from({ length: 1_001 }, (_, n) => `no_such_${n}`);
  const refusal = { status: 400, parameters: { field: 'usernames' } };
  await expect(owner.api.startChat({ usernames, title: 'x' })).rejects.toMatchObject(refusal);
  // 1,000 people and the owner are one too many; with 999 the service looks the people up, hence 404.
  await expect(owner.api.startChat({ usernames: usernames.slice(1), title: 'x' })).rejects.toMatchObject(refusal);
  await expect(owner.api.startChat({ usernames: usernames.slice(2), title: 'x' })).rejects.toMatchObject({
    status: 404,
  });
});

test('GROUP-4: owner and admins manage a group, members do not', async () => {
  const { owner, admin, member, stranger, chat, roles } = await scene();
  const chat_id = chat.id;
  const { username } = stranger;
  const acts: [string, (who: Actor) => Promise<unknown>][] = [
    ['addMembers', (who) => who.api.addMembers({ chat_id, usernames: [username] })],
    ['setMemberRole', (who) => who.api.setMemberRole({ chat_id, username, role: 'admin' })],
    ['removeMember', (who) => who.api.removeMember({ chat_id, username })],
    ['setChatTitle', (who) => who.api.setChatTitle({ chat_id, title: `of ${who.username}` })],
    ['createChannel', (who) => who.api.createChannel({ chat_id, title: 'x' })],
  ];
  for (const who of [owner, admin])
    await checkReplay(world, [owner, member], async () => {
      for (const [, act] of acts) await act(who);
      expect(await member.api.getChat({ chat_id })).toMatchObject({ title: `of ${who.username}` });
    });
  for (const [name, act] of acts) expect([name, await outcome(act(member))]).toEqual([name, 'forbidden']);
  const { channels } = await owner.api.getChat({ chat_id });
  expect(channels).toHaveLength(2);
  const deletion = { chat_id, channel_id: channels[0]?.id ?? '' };
  await expect(member.api.deleteChannel(deletion)).rejects.toMatchObject(forbidden);
  await admin.api.deleteChannel(deletion);
  // An admin can neither change nor remove the owner, nor make an owner.
  for (const role of ['admin', 'member'] as const)
    await expect(admin.api.setMemberRole({ chat_id, username: owner.username, role })).rejects.toMatchObject(forbidden);
  await expect(admin.api.setMemberRole({ chat_id, username: member.username, role: 'owner' })).rejects.toMatchObject(
    forbidden,
  );
  await expect(admin.api.removeMember({ chat_id, username: owner.username })).rejects.toMatchObject(forbidden);
  expect(await roles()).toEqual({ owner: 'owner', admin: 'admin', member: 'member' });
});

test('GROUP-5: setting the role `owner` passes ownership on; otherwise the owner keeps it', async () => {
  const { owner, member, chat, roles } = await scene();
  const set = (username: string, role: 'owner' | 'admin' | 'member') =>
    owner.api.setMemberRole({ chat_id: chat.id, username, role });
  await expect(set(owner.username, 'member')).rejects.toMatchObject(conflict);
  await expect(set('nobody_at_all', 'admin')).rejects.toMatchObject({ status: 404 });
  expect(await set(member.username, 'owner')).toBeUndefined();
  expect(await roles()).toEqual({ owner: 'admin', admin: 'admin', member: 'owner' });
  await expect(set(member.username, 'admin')).rejects.toMatchObject(forbidden);
});

test('GROUP-6: agents are members and cannot get another role', async () => {
  const { owner, chat } = await scene();
  const { username } = await botIn(world, owner, chat);
  for (const role of ['admin', 'owner'] as const)
    await expect(owner.api.setMemberRole({ chat_id: chat.id, username, role })).rejects.toMatchObject({ status: 400 });
  expect(await outcome(owner.api.setMemberRole({ chat_id: chat.id, username, role: 'member' }))).toBe('ok');
});

test('GROUP-7: an owner cannot leave while other humans are members, but can if only agents remain', async () => {
  const { owner, admin, member, chat } = await scene();
  const chat_id = chat.id;
  await botIn(world, owner, chat);
  const self = { chat_id, username: owner.username };
  await expect(owner.api.leaveChat({ chat_id })).rejects.toMatchObject(conflict);
  await expect(owner.api.removeMember(self)).rejects.toMatchObject(conflict);
  for (const { username } of [admin, member]) await owner.api.removeMember({ chat_id, username });
  expect(await owner.api.getChat({ chat_id })).toMatchObject({ participant_count: 2 });
  await owner.api.leaveChat({ chat_id });
  await expect(owner.api.getChat({ chat_id })).rejects.toMatchObject(forbidden);
  expect((await owner.api.getChats()).items).toEqual([]);
});

test.each(['leaveChat', 'removeMember'] as const)(
  'GROUP-8, LOG-13: a person removed by %s takes their agents along, and they get no more events',
  async (way) => {
    const { owner, admin, member, chat } = await scene();
    const chat_id = chat.id;
    const bots = [await botIn(world, member, chat, 'one'), await botIn(world, member, chat, 'two')];
    const staying = await botIn(world, owner, chat);
    await say(owner, chat, 'before');
    const gone = [member, ...bots];
    const sockets = await Promise.all(gone.map((one) => one.socket()));
    const watching = await owner.socket();
    const { id: open } = await (bots[0] ?? member).api.startMessageStream({ chat_id });
    await (bots[0] ?? member).api.appendMessageStream({ message_id: open, delta: 'half a', offset: 6 });
    await world.settle();
    const { head } = await member.api.getChats();
    const heard = sockets.map(({ frames }) => frames.length);
    await checkReplay(world, [owner, admin, staying], async () => {
      if (way === 'leaveChat') await member.api.leaveChat({ chat_id });
      else await admin.api.removeMember({ chat_id, username: member.username });
      await say(owner, chat, 'after');
    });
    expect(await watching.event('messageComplete')).toMatchObject({ id: open, status: 'cancelled', content: 'half a' });
    expect(await owner.api.getChat({ chat_id })).toMatchObject({ participant_count: 3 });
    expect((await owner.api.getGroupAgents({ chat_id })).items).toMatchObject([
      { agent: { username: staying.username } },
    ]);
    for (const [at, one] of gone.entries()) {
      // They may still get frames of events before their removal, but none after it.
      const later = sockets[at]?.frames.slice(heard[at]) ?? [];
      expect(JSON.stringify(later)).not.toContain('after');
      const { frames } = await one.api.getUpdates({ since: head });
      expect(JSON.stringify(frames)).not.toContain(chat_id);
      const calls = [
        () => one.api.getChat({ chat_id }),
        () => one.api.getChatHistory({ chat_id }),
        () => one.api.sendMessage({ chat_id, text: 'x' }),
        () => one.api.saveDraft({ chat_id, text: 'x' }),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject(forbidden);
      expect((await one.api.getChats()).items).toEqual([]);
    }
  },
);

test('GROUP-9: addMembers adds humans; existing members keep their role', async () => {
  const { owner, admin, member, stranger, chat, roles } = await scene();
  const add = (...usernames: string[]) => admin.api.addMembers({ chat_id: chat.id, usernames });
  for (const username of [`${admin.username}:provider_a`, 'parley:guide'])
    await expect(add(stranger.username, username)).rejects.toMatchObject({
      status: 400,
      parameters: { field: 'usernames' },
    });
  await expect(add(stranger.username, 'nobody_at_all')).rejects.toMatchObject(notFound('account'));
  await expect(add()).rejects.toMatchObject({ status: 400 });
  expect(await roles()).toEqual({ owner: 'owner', admin: 'admin', member: 'member' });
  await checkReplay(world, [owner, member, stranger], async () => {
    await add(stranger.username, owner.username, admin.username, member.username, stranger.username);
    await say(owner, chat, 'welcome');
  });
  expect(await roles()).toEqual({ owner: 'owner', admin: 'admin', member: 'member', stranger: 'member' });
});

test('GROUP-10: removeMember removes humans and agents; one that does not take part is 404', async () => {
  const { owner, admin, member, stranger, chat, roles } = await scene();
  const bot = await botIn(world, member, chat);
  const remove = (username: string) => admin.api.removeMember({ chat_id: chat.id, username });
  expect(await checkReplay(world, [owner, member], () => remove(bot.username))).toBeUndefined();
  await checkReplay(world, [owner], () => remove(member.username));
  for (const username of [bot.username, member.username, stranger.username, 'nobody_at_all'])
    await expect(remove(username)).rejects.toMatchObject({ status: 404 });
  await remove(admin.username);
  await expect(roles()).rejects.toMatchObject(forbidden);
  expect(await owner.api.getChat({ chat_id: chat.id })).toMatchObject({ participant_count: 1 });
});

test('GROUP-11: a direct chat cannot be managed or left', async () => {
  const { owner, member, stranger } = await scene();
  const { id: chat_id } = await world.direct(owner, member);
  const { username } = stranger;
  const acts = {
    addMembers: () => owner.api.addMembers({ chat_id, usernames: [username] }),
    removeMember: () => owner.api.removeMember({ chat_id, username: member.username }),
    setMemberRole: () => owner.api.setMemberRole({ chat_id, username: member.username, role: 'admin' }),
    setChatTitle: () => owner.api.setChatTitle({ chat_id, title: 'x' }),
    createChannel: () => owner.api.createChannel({ chat_id, title: 'x' }),
    leaveChat: () => owner.api.leaveChat({ chat_id }),
  };
  for (const [name, act] of Object.entries(acts)) expect([name, await outcome(act())]).toEqual([name, 'forbidden']);
  expect(await owner.api.getChat({ chat_id })).toMatchObject({ title: null, participant_count: 2, channels: [] });
});

test('GROUP-12: a channel has its own timeline', async () => {
  const { owner, member, chat } = await scene();
  const channel = await owner.api.createChannel({ chat_id: chat.id, title: 'a channel' });
  expect(channel).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), title: 'a channel', unread_count: 0 });
  await checkReplay(world, [owner, member], async () => {
    await say(owner, chat, 'for all');
    const sent = await say(member, chat, 'in the channel', { channel_id: channel.id });
    expect(sent).toMatchObject({ channel_id: channel.id, thread_root_id: null });
  });
  expect(await textsOf(member, chat)).toEqual(['for all']);
  expect(await textsOf(member, chat, { channel_id: channel.id })).toEqual(['in the channel']);
  expect((await member.api.getChat({ chat_id: chat.id })).channels).toEqual([channel]);
  const other = await world.group(owner, member);
  await expect(say(owner, other, 'x', { channel_id: channel.id })).rejects.toMatchObject(notFound('channel'));
});

test('GROUP-13: deleting a channel deletes its messages and pins and ends its open replies', async () => {
  const { owner, admin, member, chat } = await scene();
  const chat_id = chat.id;
  const { id: channel_id } = await owner.api.createChannel({ chat_id, title: 'a channel' });
  const bot = await botIn(world, owner, chat);
  const agent = await keyedAgent(world, owner);
  await owner.api.addGroupAgent({ chat_id, agent_username: agent.username });
  const { head } = await member.api.getChats();
  const [kept, pinned] = [await say(owner, chat, 'kept'), await say(owner, chat, 'pinned', { channel_id })];
  for (const { id: message_id } of [kept, pinned]) await owner.api.pinMessage({ chat_id, message_id });
  const { id: daemons } = await bot.api.startMessageStream({ chat_id, channel_id });
  const { id: elsewhere } = await bot.api.startMessageStream({ chat_id });
  await bot.api.appendMessageStream({ message_id: daemons, delta: 'half', offset: 4 });
  const reply = agent.steer();
  await say(member, chat, `@${agent.username} hello`, { channel_id });
  await reply.started;
  reply.text('half');
  const socket = await member.socket();
  await world.settle();
  await checkReplay(world, [owner, member], async () => {
    await admin.api.deleteChannel({ chat_id, channel_id });
    await world.turnsEnded();
  });
  await reply.aborted;
  expect(await socket.event('messagePinned')).toEqual({
    conversation_id: chat_id,
    message_id: pinned.id,
    pinned: false,
  });
  expect(await member.api.getChat({ chat_id })).toMatchObject({
    channels: [],
    pinned_message_ids: [kept.id],
    last_message: { id: elsewhere },
  });
  const append = (message_id: string) => outcome(bot.api.appendMessageStream({ message_id, delta: 'x', offset: 5 }));
  expect(await append(daemons)).not.toBe('ok');
  expect((await bot.api.appendMessageStream({ message_id: elsewhere, delta: 'x', offset: 1 })).cancel_requested).toBe(
    false,
  );
  const calls = {
    getChatHistory: member.api.getChatHistory({ chat_id, channel_id }),
    sendMessage: say(member, chat, 'x', { channel_id }),
    startMessageStream: bot.api.startMessageStream({ chat_id, channel_id }),
    deleteChannel: owner.api.deleteChannel({ chat_id, channel_id }),
    pinMessage: owner.api.pinMessage({ chat_id, message_id: pinned.id }),
    setMessageReaction: member.api.setMessageReaction({ message_id: pinned.id, emoji: 'x' }),
    markRead: member.api.markRead({ chat_id, message_id: pinned.id }),
    'a quote': say(member, chat, 'x', { reply_to_message_id: pinned.id }),
  };
  const outcomes = Object.entries(calls).map(async ([name, call]) => [name, await outcome(call)]);
  expect(await Promise.all(outcomes)).toEqual(Object.keys(calls).map((name) => [name, 'not_found']));
  expect((await member.api.getMessages({ message_ids: [kept.id, pinned.id] })).items.map(({ id }) => id)).toEqual([
    kept.id,
  ]);
  const { frames } = await member.api.getUpdates({ since: head });
  expect(JSON.stringify(frames)).not.toContain(channel_id);
});

test('GROUP-14: a new member sees all history', async () => {
  const { owner, member, stranger, chat } = await scene();
  const root = await say(owner, chat, 'one');
  await say(member, chat, 'two', { thread_root_id: root.id });
  const { id: channel_id } = await owner.api.createChannel({ chat_id: chat.id, title: 'a channel' });
  await say(owner, chat, 'three', { channel_id });
  await owner.api.addMembers({ chat_id: chat.id, usernames: [stranger.username] });
  expect(await textsOf(stranger, chat)).toEqual(['one']);
  expect(await textsOf(stranger, chat, { thread_root_id: root.id })).toEqual(['two']);
  expect(await textsOf(stranger, chat, { channel_id })).toEqual(['three']);
});

test('GROUP-14: accounts that are added, join or return start with nothing unread, at the newest message', async () => {
  const { owner, member, stranger, chat } = await scene();
  const chat_id = chat.id;
  const unread = async (person: typeof owner) => {
    const view = await person.api.getChat({ chat_id });
    return [view.unread_count, ...view.channels.map(({ unread_count }) => unread_count), view.last_read_message_id];
  };
  const root = await say(owner, chat, 'one');
  const { id: channel_id } = await owner.api.createChannel({ chat_id, title: 'a channel' });
  await say(owner, chat, 'two', { channel_id });
  const newest = await say(owner, chat, 'three', { thread_root_id: root.id });
  await owner.api.addMembers({ chat_id, usernames: [stranger.username] });
  expect(await unread(stranger)).toEqual([0, 0, newest.id]);
  expect(await unread(member)).toEqual([3, 1, null]);
  await say(owner, chat, 'four');
  expect(await unread(stranger)).toEqual([1, 0, newest.id]);
  await member.api.leaveChat({ chat_id });
  await stranger.api.leaveChat({ chat_id });
  await say(owner, chat, 'five');
  const { token } = await owner.api.createInvite({ chat_id });
  for (const person of [member, stranger]) {
    // The notice of the join follows it, and is never unread.
    const newest = (await owner.api.getChat({ chat_id })).last_message;
    expect(await person.api.joinChat({ token })).toMatchObject({ unread_count: 0, last_read_message_id: newest?.id });
    expect(await unread(person)).toEqual([0, 0, newest?.id]);
  }
  expect(await textsOf(stranger, chat)).toEqual([
    'one',
    'four',
    'five',
    ...[member, stranger].map(({ username }) => `${username} joined with an invite from ${owner.username}`),
  ]);
});
