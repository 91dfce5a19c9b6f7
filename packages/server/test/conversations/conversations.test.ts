import type { Conversation, Message } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, ManualClock, unknownId, type World } from '@parley/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const forbidden = { status: 403, code: 'forbidden' };
const view = (who: Actor, { id }: Conversation) => who.api.getChat({ chat_id: id });
const say = (who: Actor, { id }: Conversation, text: string, more: object = {}): Promise<Message> =>
  who.api.sendMessage({ chat_id: id, text, ...more });

let world: World;
let scenes = 0;

/** New people for each test. */
async function cast(): Promise<[ann: Actor, bob: Actor, cleo: Actor]> {
  scenes += 1;
  const person = (name: string) => world.person(`${name}${scenes}`);
  return [await person('ann'), await person('bob'), await person('cleo')];
}

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('CONV-1, CONV-2: a Conversation shows what its reader may see', async () => {
  const [ann, bob] = await cast();
  const chat = await world.direct(ann, bob);
  expect(chat).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    kind: 'direct',
    visibility: 'private',
    posting: 'everyone',
    needs_you: 0,
    open_decisions: [],
    title: null,
    description: null,
    avatar_url: null,
    participants: [ann, bob].map(({ username }) => ({
      username,
      kind: 'human',
      display_name: username,
      role: 'member',
    })),
    participant_count: 2,
    people_count: 2,
    channels: [],
    pinned_message_ids: [],
    is_muted: false,
    unread_count: 0,
    unread_mentions: 0,
    last_read_message_id: null,
    last_read_position: 0,
    last_message: null,
    created_at: expect.stringMatching(isoTime),
    updated_at: expect.stringMatching(isoTime),
  });
  const [first, second] = [await say(ann, chat, 'one'), await say(ann, chat, 'two')];
  await bob.api.markRead({ chat_id: chat.id, message_id: first.id });
  await bob.api.setChatNotifications({ chat_id: chat.id, is_muted: true });
  await bob.api.pinMessage({ chat_id: chat.id, message_id: first.id });
  await ann.api.pinMessage({ chat_id: chat.id, message_id: second.id });
  const shared = { pinned_message_ids: [second.id, first.id], last_message: second };
  expect(await view(ann, chat)).toMatchObject({ ...shared, is_muted: false, unread_count: 0 });
  expect(await view(bob, chat)).toMatchObject({
    ...shared,
    is_muted: true,
    unread_count: 1,
    last_read_message_id: first.id,
  });
});

test('CONV-1, CONV-10, PAGE-3: a Conversation shows 50 participants and counts all; getMembers pages through them', async () => {
  const [ann, bob] = await cast();
  const names = Array.from({ length: 60 }, (_, n) => `crowd_${n}`);
  await world.people(...names);
  const chat = await ann.api.startChat({ usernames: [bob.username, ...names], title: 'a crowd' });
  await ann.api.setMemberRole({ chat_id: chat.id, username: bob.username, role: 'admin' });
  const { participants, participant_count } = await view(bob, chat);
  expect([participants.length, participant_count]).toEqual([50, 62]);
  const members = [];
  const sizes: number[] = [];
  for (let cursor: string | undefined; sizes.length === 0 || cursor !== undefined;) {
    const page = await bob.api.getMembers({ chat_id: chat.id, limit: 25, cursor });
    members.push(...page.items);
    sizes.push(page.items.length);
    cursor = page.next_cursor;
  }
  expect(sizes).toEqual([25, 25, 12]);
  expect(members.slice(0, 50)).toEqual(participants);
  expect(new Set(members.map(({ username }) => username)).size).toBe(62);
  const roles = Map.groupBy(members, ({ role }) => role);
  expect(roles.get('owner')).toEqual([expect.objectContaining({ username: ann.username })]);
  expect(roles.get('admin')).toEqual([expect.objectContaining({ username: bob.username })]);
  expect(roles.get('member')).toHaveLength(60);
  // A page that contains the whole list has no cursor.
  expect(await bob.api.getMembers({ chat_id: chat.id, limit: 62 })).toEqual({ items: members });
});

test('CONV-2, CONV-5: a pair has one direct chat, whoever starts it, also with concurrent calls', async () => {
  const [ann, bob] = await cast();
  const sockets = await Promise.all([ann, bob].map((one) => one.socket()));
  const chats = await checkReplay(world, [ann, bob], () =>
    Promise.all([ann, bob, ann, bob].map((one) => world.direct(one, one === ann ? bob : ann))),
  );
  expect(new Set(chats.map(({ id }) => id)).size).toBe(1);
  expect(sockets.flatMap((socket) => socket.all('conversationNew'))).toHaveLength(1);
});

test('CONV-2: a direct chat with oneself has one participant', async () => {
  const [ann] = await cast();
  const chat = await world.direct(ann, ann);
  expect(chat).toMatchObject({ kind: 'direct', participant_count: 1 });
  expect(chat.participants).toMatchObject([{ username: ann.username, role: 'member' }]);
  expect(await world.direct(ann, ann)).toEqual(chat);
  await say(ann, chat, 'a note');
  expect(await view(ann, chat)).toMatchObject({ unread_count: 0, last_message: { content: 'a note' } });
});

test('CONV-3: a human starts a direct chat with an agent that is their own, public, or in a common conversation', async () => {
  const [ann, bob, cleo] = await cast();
  const chat = await world.group(ann, bob);
  const bot = await botIn(world, ann, chat);
  const begin = (who: Actor, username: string) => who.api.startChat({ username });
  const owners = await begin(ann, bot.username);
  await expect(begin(cleo, bot.username)).rejects.toMatchObject(forbidden);
  await expect(begin(cleo, `${ann.username}:provider_a`)).rejects.toMatchObject(forbidden);
  await expect(begin(cleo, 'nobody_at_all')).rejects.toMatchObject({ status: 404, description: 'not found: account' });
  const bobs = await begin(bob, bot.username);
  expect(new Set([owners.id, bobs.id]).size).toBe(2);
  expect(await begin(cleo, `${cleo.username}:provider_b`)).toMatchObject({ kind: 'direct', participant_count: 2 });
  expect(await begin(cleo, 'parley:guide')).toMatchObject({ kind: 'direct' });
  // Without the common conversation, the chat stays.
  await bob.api.leaveChat({ chat_id: chat.id });
  expect(await begin(bob, bot.username)).toMatchObject({ id: bobs.id });
});

test('CONV-4: an agent starts a direct chat with its owner, with a public agent, and with accounts in a common conversation', async () => {
  const [ann, bob, cleo] = await cast();
  const chat = await world.group(ann, bob);
  const bot = await botIn(world, ann, chat);
  for (const username of [ann.username, bob.username, 'parley:guide'])
    expect(await bot.api.startChat({ username })).toMatchObject({ kind: 'direct' });
  for (const username of [cleo.username, `${ann.username}:provider_a`])
    await expect(bot.api.startChat({ username })).rejects.toMatchObject(forbidden);
});

test.each([
  ['nothing', {}, 'username'],
  ['one and many', { username: 'a', usernames: ['b'], title: 'x' }, 'usernames'],
  ['many without a title', { usernames: ['b'] }, 'title'],
  ['many with an empty title', { usernames: ['b'], title: '' }, 'title'],
])('GROUP-1, ERR-3: startChat with %s is refused', async (_what, params, field) => {
  const [ann] = await cast();
  await expect(ann.api.startChat(params)).rejects.toMatchObject({ status: 400, parameters: { field } });
});

test('CONV-5: a new conversation is announced on its starter’s sockets; the others learn of it by its first message', async () => {
  const [ann, bob, cleo] = await cast();
  const [one, two, others] = [await ann.socket(), await ann.socket('nodrafts'), await bob.socket()];
  const [direct, group] = await checkReplay(world, [ann, bob], async () => [
    await world.direct(ann, bob),
    await world.group(ann, bob, cleo),
  ]);
  await world.direct(ann, bob);
  await world.settle();
  for (const socket of [one, two]) expect(socket.all('conversationNew')).toEqual([direct, group]);
  expect(others.frames).toEqual([]);
  const message = await checkReplay(world, [ann, bob, cleo], () => say(ann, direct, 'hello'));
  expect(await others.event('messageNew')).toEqual(message);
  expect(others.all('conversationNew')).toEqual([]);
});

test('CONV-5, LOG-6: the socket that calls startChat gets only the reply, and its next prev and head do not count the event', async () => {
  const clock = new ManualClock();
  await using timed = await createWorld({ clock });
  const [ann, bob] = [await timed.person('ann'), await timed.person('bob')];
  // Two sockets with the same caps, which share the numbering of their frames, and one with other caps.
  const [calling, other, capped] = [await ann.socket(), await ann.socket(), await ann.socket('nodrafts')];
  // Each socket's chain checks every `prev` and every tick against the previous frames.
  const direct = (await calling.rpc('startChat', { username: bob.username })) as Conversation;
  const group = (await calling.rpc('conversations.create', { usernames: ['bob'], title: 'Plans' })) as Conversation;
  await clock.advance(25_000);
  await timed.settle();
  expect(calling.methods).toEqual([]);
  expect(calling.ticks.at(-1)).toBe(calling.hello.head);
  for (const socket of [other, capped]) {
    expect(socket.all('conversationNew')).toEqual([direct, group]);
    expect(socket.ticks.at(-1)).toBe(socket.chain.lastSeq);
  }
  await say(bob, direct, 'hello');
  await say(bob, group, 'and here');
  await timed.settle();
  expect(calling.methods).toEqual(['messageNew', 'messageNew']);
  expect(calling.frames[0]).toMatchObject({ prev: calling.hello.head });
  // A call over HTTP comes from no socket, so all sockets get the event.
  const saved = await ann.api.startChat({ username: 'ann' });
  for (const socket of [calling, other, capped])
    expect(await socket.event('conversationNew', ({ id }) => id === saved.id)).toEqual(saved);
  // A replay contains the event; after it the socket has the same position as its account.
  const third = (await calling.rpc('startChat', { usernames: ['bob'], title: 'More' })) as Conversation;
  const missed = (await calling.rpc('getUpdates', { since: calling.chain.lastSeq })) as {
    frames: object[];
    head: number;
  };
  expect(missed.frames).toMatchObject([
    { method: 'events.conversationNew', params: { id: third.id }, seq: missed.head },
  ]);
  calling.chain.replayed(missed.head);
  await say(bob, third, 'last');
  await calling.event('messageNew', ({ content }) => content === 'last');
});

test('CONV-6, PAGE-3: getChats lists the newest activity first, in pages, each conversation once', async () => {
  const clock = new ManualClock();
  await using timed = await createWorld({ clock });
  const { ann, bob, cleo } = await timed.people('ann', 'bob', 'cleo');
  const chats = [await timed.group(ann, bob), await timed.direct(ann, bob), await timed.group(ann, cleo)] as const;
  const [first, second, third] = chats.map(({ id }) => id);
  const listed = async (who: Actor, limit?: number) => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await who.api.getChats({ limit, cursor });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return ids;
  };
  for (const chat of [...chats, chats[0]]) {
    await clock.advance(1);
    await say(ann, chat, 'hello');
  }
  for (const limit of [undefined, 1, 2, 3]) expect(await listed(ann, limit)).toEqual([first, third, second]);
  expect(await listed(bob)).toEqual([first, second]);
  expect(await listed(cleo)).toEqual([third]);
});

test('CONV-6: a page of getChats has at most 1 MiB', async () => {
  const [ann] = await cast();
  const bot = await world.bot(ann);
  const text = 'x'.repeat(250 * 1024);
  for (let n = 0; n < 6; n += 1) {
    const chat = await ann.api.startChat({ usernames: [bot.username], title: `group ${n}` });
    await say(bot, chat, text);
  }
  const page = await ann.api.getChats();
  expect(page.items.length).toBeLessThan(6);
  expect(JSON.stringify(page.items).length).toBeLessThanOrEqual(1024 * 1024);
  const rest = await ann.api.getChats({ cursor: page.next_cursor });
  expect(page.items.length + rest.items.length).toBe(6);
});

test('CONV-6: a client that loads and then connects from its `head` misses no message in between', async () => {
  const [ann, bob] = await cast();
  const chat = await world.direct(ann, bob);
  const [{ head, items }] = await Promise.all([
    bob.api.getChats(),
    ...Array.from({ length: 10 }, (_, n) => say(ann, chat, `meanwhile ${n}`)),
  ]);
  const shown = items[0]?.last_message?.position ?? 0;
  const { frames } = await bob.api.getUpdates({ since: head });
  const told = frames.map(({ params }) => Number(params['position']));
  const all = (await bob.api.getChatHistory({ chat_id: chat.id })).items.map(({ position }) => position);
  expect(all.filter((position) => position > shown && !told.includes(position))).toEqual([]);
});

test('CONV-8: markRead moves the marker only forward, and only to an existing message', async () => {
  const [ann, bob] = await cast();
  const chat = await world.direct(ann, bob);
  const other = await world.group(ann, bob);
  const foreign = await say(ann, other, 'elsewhere');
  const [one, two, three] = [await say(ann, chat, 'one'), await say(ann, chat, 'two'), await say(ann, chat, 'three')];
  const read = (message_id: string) => bob.api.markRead({ chat_id: chat.id, message_id });
  const marker = async () => {
    const { last_read_message_id, unread_count } = await view(bob, chat);
    return [last_read_message_id, unread_count];
  };
  expect(await checkReplay(world, [ann, bob], () => read(two.id))).toBeUndefined();
  expect(await marker()).toEqual([two.id, 1]);
  await read(one.id);
  expect(await marker()).toEqual([two.id, 1]);
  await ann.api.deleteMessages({ message_ids: [three.id] });
  for (const id of [three.id, foreign.id, unknownId])
    await expect(read(id)).rejects.toMatchObject({ status: 404, description: 'not found: message' });
  expect(await marker()).toEqual([two.id, 0]);
  expect((await view(ann, chat)).last_read_message_id).toBeNull();
});

test('CONV-9, GROUP-13: unread counts messages of others after the marker in all timelines; each channel has its own count', async () => {
  const [ann, bob] = await cast();
  const chat = await world.group(ann, bob);
  const channels = [];
  for (const title of ['news', 'gone']) channels.push(await ann.api.createChannel({ chat_id: chat.id, title }));
  const [news, gone] = channels.map(({ id }) => id);
  const root = await say(ann, chat, 'a root');
  await say(bob, chat, 'my own');
  await say(ann, chat, '', { service: { kind: 'note' } });
  await say(ann, chat, 'in the thread', { thread_root_id: root.id });
  const inNews = await say(ann, chat, 'news', { channel_id: news });
  await say(ann, chat, 'a reply to news', { channel_id: news, thread_root_id: inNews.id });
  await say(ann, chat, 'more news', { channel_id: news });
  await say(ann, chat, 'never mind', { channel_id: gone });
  const [deleted, hidden] = [await say(ann, chat, 'deleted'), await say(ann, chat, 'hidden')];
  const counts = async () => {
    const { unread_count, channels: shown } = await view(bob, chat);
    return [unread_count, ...shown.map((channel) => [channel.title, channel.unread_count])];
  };
  expect(await counts()).toEqual([8, ['news', 3], ['gone', 1]]);
  await ann.api.deleteMessages({ message_ids: [deleted.id] });
  await bob.api.deleteMessagesForMe({ message_ids: [hidden.id] });
  await checkReplay(world, [ann, bob], () => ann.api.deleteChannel({ chat_id: chat.id, channel_id: gone ?? '' }));
  expect(await counts()).toEqual([5, ['news', 3]]);
  await bob.api.markRead({ chat_id: chat.id, message_id: inNews.id });
  expect(await counts()).toEqual([2, ['news', 2]]);
  expect(await view(ann, chat)).toMatchObject({ unread_count: 1 });
});

test('CONV-11, GROUP-13: last_message is the newest message of any timeline that its reader may see', async () => {
  const [ann, bob] = await cast();
  const chat = await world.group(ann, bob);
  const last = async (who: Actor) => (await view(who, chat)).last_message?.content ?? null;
  expect(await last(bob)).toBeNull();
  const { id: channel_id } = await ann.api.createChannel({ chat_id: chat.id, title: 'a channel' });
  const root = await say(ann, chat, 'root');
  await say(ann, chat, 'in the thread', { thread_root_id: root.id });
  expect(await last(bob)).toBe('in the thread');
  const hidden = await say(ann, chat, 'hidden');
  await bob.api.deleteMessagesForMe({ message_ids: [hidden.id] });
  expect([await last(ann), await last(bob)]).toEqual(['hidden', 'in the thread']);
  const inChannel = await say(ann, chat, 'in the channel', { channel_id });
  await say(ann, chat, 'in its thread', { channel_id, thread_root_id: inChannel.id });
  expect(await last(bob)).toBe('in its thread');
  await ann.api.deleteChannel({ chat_id: chat.id, channel_id });
  expect([await last(ann), await last(bob)]).toEqual(['hidden', 'in the thread']);
  await ann.api.deleteMessages({ message_ids: [hidden.id] });
  expect(await last(ann)).toBe('in the thread');
});

test('CONV-12, ERR-5, ERR-6, TRANS-12: an unknown conversation is 404, another’s is 403; ids may be in upper or lower case', async () => {
  const [ann, bob, cleo] = await cast();
  const chat = await world.direct(ann, bob);
  await expect(view(cleo, chat)).rejects.toMatchObject(forbidden);
  await expect(cleo.api.getChat({ chat_id: unknownId })).rejects.toMatchObject({
    status: 404,
    description: 'not found: conversation',
  });
  await expect(cleo.api.getChat({ chat_id: 'none' })).rejects.toMatchObject({
    status: 400,
    parameters: { field: 'chat_id' },
  });
  expect(await ann.api.getChat({ chat_id: chat.id.toUpperCase() })).toEqual(chat);
});

describe('muting', () => {
  test('CONV-7: a mute affects only the caller, and lasts until it is lifted or expires', async () => {
    const clock = new ManualClock();
    await using quiet = await createWorld({ clock });
    const { ann, bob } = await quiet.people('ann', 'bob');
    const chat = await quiet.direct(ann, bob);
    const mute = (is_muted: boolean, mute_for?: number) =>
      ann.api.setChatNotifications({ chat_id: chat.id, is_muted, mute_for });
    const muted = await checkReplay(quiet, [ann, bob], () => mute(true));
    expect(muted).toEqual({ ...chat, is_muted: true });
    expect(await view(bob, chat)).toMatchObject({ is_muted: false });
    await clock.advance(120_000);
    expect(await view(ann, chat)).toMatchObject({ is_muted: true });
    expect(await mute(false)).toEqual(chat);
    const muted_until = new Date(clock.now() + 60_000).toISOString();
    expect(await mute(true, 60)).toEqual({ ...chat, is_muted: true, muted_until });
    await clock.advance(59_999);
    expect(await view(ann, chat)).toMatchObject({ is_muted: true, muted_until });
    await clock.advance(1);
    expect(await view(ann, chat)).toEqual(chat);
    expect((await ann.api.getChats()).items).toEqual([chat]);
    for (const seconds of [0, -1, 1.5])
      await expect(mute(true, seconds)).rejects.toMatchObject({ status: 400, parameters: { field: 'mute_for' } });
  });
});
