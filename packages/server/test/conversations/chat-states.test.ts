import { randomUUID } from 'node:crypto';
import { type Actor, checkReplay, createWorld, unknownId, type World } from '@parley/testing';
import { type Conversation, type FolderRule, limits } from '@parley/protocol';
import { DaemonStream } from '@parley/testing/world/daemon-stream.ts';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { get, upload } from '../helpers/file-stage.ts';

const newId = (): string => randomUUID();

async function scene(world: World) {
  const { alice, bob, stranger } = await world.people('alice', 'bob', 'stranger');
  const chat = await world.group(alice, bob);
  const chat_id = chat.id;
  const view = (actor: Actor = bob) => actor.api.getChat({ chat_id });
  const say = (text: string, more: object = {}) => alice.api.sendMessage({ chat_id, text, ...more });
  return { alice, bob, stranger, chat, chat_id, view, say };
}

/** What a reader keeps about a conversation; without undefined fields, as JSON has none. */
const stateOf = ({ pin_order, archived_position, is_marked_unread, folder_id, cleared_position }: Conversation) => ({
  pin_order,
  archived_position,
  is_marked_unread,
  folder_id,
  cleared_position,
});
const pinnedIds = async (actor: Actor) =>
  (await actor.api.getChats({ is_pinned: true })).items
    .toSorted((a, b) => (b.pin_order ?? 0) - (a.pin_order ?? 0))
    .map(({ id }) => id);
const textsFor = async (actor: Actor, place: { chat_id: string; channel_id?: string }) =>
  (await actor.api.getChatHistory(place)).items.map(({ content }) => content);

/** Pins some groups of an account; the first one is the newest pin. */
async function withPins(world: World, count: number) {
  const { alice, bob } = await world.people('alice', 'bob');
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const { id: chat_id } = await world.group(alice, bob);
    await bob.api.setChatState({ chat_id, is_pinned: true });
    ids.unshift(chat_id);
  }
  return { alice, bob, ids };
}

test('CHATSTATE-1: an account keeps its own state of a conversation; its sockets with `ext` are notified, once per change', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id, view } = await scene(world);
  const { items } = await bob.api.setFolders({ folders: [{ name: 'Work' }] });
  const folder_id = items[0]?.id ?? '';
  const [socket, plain, ofAlice] = [await bob.socket('ext'), await bob.socket(), await alice.socket('ext')];
  const state = { pin_order: 1, is_marked_unread: true, folder_id };
  await checkReplay(world, [alice, bob], async () => {
    const set = { chat_id, is_pinned: true, is_marked_unread: true, folder_id };
    expect(await bob.api.setChatState(set)).toMatchObject({ id: chat_id, ...state });
    await bob.api.setChatState({ chat_id, is_pinned: true, folder_id });
    await bob.api.setChatState({ chat_id });
  });
  expect(socket.all('conversationUpdated')).toEqual([
    { conversation_id: chat_id, archived_position: null, cleared_position: null, ...state },
  ]);
  await world.settle();
  expect([...plain.frames, ...ofAlice.frames].filter(({ method }) => method !== 'events.tick')).toEqual([]);
  expect(await view()).toMatchObject(state);
  expect(stateOf(await view(alice))).toEqual({});
  await bob.api.setChatState({ chat_id, is_pinned: false, is_marked_unread: false, folder_id: null });
  expect(stateOf(await view())).toEqual({});
  expect(socket.all('conversationUpdated').at(-1)).toMatchObject({
    pin_order: null,
    is_marked_unread: false,
    folder_id: null,
  });
  await expect(stranger.api.setChatState({ chat_id, is_pinned: true })).rejects.toMatchObject({ status: 403 });
  await expect(bob.api.setChatState({ chat_id: unknownId })).rejects.toMatchObject({ status: 404 });
});

test('CHATSTATE-2: a new pin is above the others, a repeated one keeps its place, and there are at most 50', async () => {
  await using world = await createWorld();
  const { alice, bob, ids } = await withPins(world, limits.pinnedChats);
  await bob.api.setChatState({ chat_id: ids[7] ?? '', is_pinned: true });
  expect(await pinnedIds(bob)).toEqual(ids);
  const { id: chat_id } = await world.group(alice, bob);
  const pin = () => bob.api.setChatState({ chat_id, is_pinned: true });
  await expect(pin()).rejects.toMatchObject({ status: 400, parameters: { field: 'is_pinned' } });
  await bob.api.setChatState({ chat_id: ids[3] ?? '', is_pinned: false });
  await pin();
  expect(await pinnedIds(bob)).toEqual([chat_id, ...ids.toSpliced(3, 1)]);
  expect(await pinnedIds(alice)).toEqual([]);
});

test('CHATSTATE-3: orderPinnedChats orders the pins that it names, neither adds nor removes any, and notifies of those that moved', async () => {
  await using world = await createWorld();
  const { alice, bob, ids } = await withPins(world, 4);
  const [a = '', b = '', c = '', d = ''] = ids;
  const { id: other } = await world.group(alice, bob);
  const socket = await bob.socket('ext');
  await checkReplay(world, [alice, bob], () => bob.api.orderPinnedChats({ chat_ids: [c, unknownId, other, a, c] }));
  expect(await pinnedIds(bob)).toEqual([c, a, b, d]);
  const moved = socket.all('conversationUpdated').map(({ conversation_id }) => conversation_id);
  expect(moved.toSorted()).toEqual([a, b, c].toSorted());
  expect((await bob.api.getChat({ chat_id: other })).pin_order).toBeUndefined();
  await alice.api.orderPinnedChats({ chat_ids: ids });
  expect(await pinnedIds(bob)).toEqual([c, a, b, d]);
  const tooMany = Array.from({ length: limits.pinnedChats + 1 }, () => unknownId);
  await expect(bob.api.orderPinnedChats({ chat_ids: tooMany })).rejects.toMatchObject({ status: 400 });
});

test('CHATSTATE-4: archiving ends a pin, pinning ends the archiving, and both at once are 400', async () => {
  await using world = await createWorld();
  const { bob, chat_id } = await scene(world);
  const set = (change: object) => bob.api.setChatState({ chat_id, ...change });
  await set({ is_pinned: true });
  expect(stateOf(await set({ is_archived: true }))).toEqual({ archived_position: 0 });
  expect(stateOf(await set({ is_pinned: true }))).toEqual({ pin_order: 1 });
  await expect(set({ is_pinned: true, is_archived: true })).rejects.toMatchObject({ status: 400 });
});

test('CHATSTATE-5: archived_position is the newest message of all timelines; a later message has a greater position', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, view, say } = await scene(world);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'news' });
  await say('old');
  const newest = await say('newest', { channel_id });
  await bob.api.setChatState({ chat_id, is_archived: true });
  expect(await view()).toMatchObject({ archived_position: newest.position, last_message: { id: newest.id } });
  const socket = await bob.socket('ext');
  await say('again');
  const { archived_position, last_message } = await view();
  expect(archived_position).toBe(newest.position);
  expect(last_message?.position).toBeGreaterThan(newest.position);
  expect(socket.all('conversationUpdated')).toEqual([]);
  await bob.api.setChatState({ chat_id, is_archived: true });
  expect((await view()).archived_position).toBe(last_message?.position);
  expect(stateOf(await bob.api.setChatState({ chat_id, is_archived: false }))).toEqual({});
});

test('CHATSTATE-5: muting moves no conversation into the archive, and unmuting none out of it', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, view, say } = await scene(world);
  const mute = (is_muted: boolean) =>
    checkReplay(world, [alice, bob], () => bob.api.setChatNotifications({ chat_id, is_muted }));
  await bob.api.setChatState({ chat_id, is_archived: true });
  await mute(true);
  expect(stateOf(await view())).toEqual({ archived_position: 0 });
  const { position } = await say('while it is muted');
  await mute(true);
  expect(stateOf(await view())).toEqual({ archived_position: 0 });
  await mute(false);
  expect(stateOf(await view())).toEqual({ archived_position: position });
  await say('it is back');
  await mute(true);
  expect(stateOf(await view())).toEqual({});
});

test('CHATSTATE-6: a mark as unread changes no count, and ends with markRead, even of a read message, and with clearChat', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, view, say } = await scene(world);
  const { id: message_id } = await say('hello');
  await bob.api.markRead({ chat_id, message_id });
  const mark = () => bob.api.setChatState({ chat_id, is_marked_unread: true });
  expect(await mark()).toMatchObject({ is_marked_unread: true, unread_count: 0 });
  await checkReplay(world, [alice, bob], () => bob.api.markRead({ chat_id, message_id }));
  expect(stateOf(await view())).toEqual({});
  await mark();
  await bob.api.clearChat({ chat_id });
  expect((await view()).is_marked_unread).toBeUndefined();
  await mark();
  await bob.api.clearChat({ chat_id });
  expect((await view()).is_marked_unread).toBeUndefined();
});

test('CHATSTATE-13: setFolders keeps the rule of a folder until a call has another or null; wrong and too long rules are 400', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const socket = await bob.socket('ext');
  const rule: FolderRule = { kinds: ['agents', 'groups'], only_unread: true, left_out: [chat_id] };
  const set = async (folder: { id?: string; rule?: object | null }) =>
    (await bob.api.setFolders({ folders: [{ name: 'Work', ...(folder as object) }] })).items;
  const [made] = await set({ rule });
  expect(made).toEqual({ id: expect.any(String), name: 'Work', rule });
  const id = made?.id ?? '';
  await checkReplay(world, [alice, bob], async () => {
    // A client that does not know rules changes none.
    expect(await set({ id })).toEqual([made]);
    expect(await set({ id, rule: { kinds: ['people'] } })).toEqual([{ id, name: 'Work', rule: { kinds: ['people'] } }]);
    expect((await bob.api.getFolders()).items).toEqual([{ id, name: 'Work', rule: { kinds: ['people'] } }]);
    expect(await set({ id, rule: null })).toEqual([{ id, name: 'Work' }]);
  });
  await world.settle();
  expect(socket.all('foldersUpdated').map(({ folders }) => folders[0]?.rule?.kinds)).toEqual([
    ['agents', 'groups'],
    ['people'],
    undefined,
  ]);
  const tooMany = Array.from({ length: limits.folderLeftOut + 1 }, () => chat_id);
  for (const wrong of [{}, { kinds: [] }, { kinds: ['bots'] }, { kinds: ['people'], left_out: tooMany }])
    await expect(set({ id, rule: wrong })).rejects.toMatchObject({ status: 400 });
  expect((await alice.api.getFolders()).items).toEqual([]);
});

test('CHATSTATE-13: a rule keeps each kind and each left-out conversation once, with ids in lower case', async () => {
  await using world = await createWorld();
  const { bob, chat_id } = await scene(world);
  const rule: FolderRule = { kinds: ['groups', 'people', 'groups'], left_out: [chat_id.toUpperCase(), chat_id] };
  const { items } = await bob.api.setFolders({ folders: [{ name: 'Work', rule }] });
  expect(items[0]?.rule).toEqual({ kinds: ['groups', 'people'], left_out: [chat_id] });
  expect((await bob.api.getFolders()).items).toEqual(items);
});

test('CHATSTATE-13: the rules of all folders together leave out at most 500 conversations, kept rules included', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const ruleOf = (count: number): FolderRule => ({ kinds: ['people'], left_out: Array.from({ length: count }, newId) });
  const set = async (...folders: { id?: string; name: string; rule?: FolderRule | null }[]) =>
    (await bob.api.setFolders({ folders })).items;
  const count = limits.foldersLeftOut / limits.folderLeftOut;
  const full = await set(
    ...Array.from({ length: count }, (_, at) => ({ name: `${at}`, rule: ruleOf(limits.folderLeftOut) })),
  );
  const kept = full.map(({ id, name }) => ({ id, name }));
  const socket = await bob.socket('ext');
  const refused = { status: 400, code: 'invalid_argument', parameters: { field: 'folders' } };
  await expect(set(...kept, { name: 'more', rule: ruleOf(1) })).rejects.toMatchObject(refused);
  expect((await bob.api.getFolders()).items).toEqual(full);
  expect(await set(...kept.slice(1), { name: 'more', rule: ruleOf(limits.folderLeftOut) })).toHaveLength(count);
  await world.settle();
  const events = socket.all('foldersUpdated');
  expect(events).toHaveLength(1);
  expect(JSON.stringify(events).length).toBeLessThan(25_000);
});

test('CHATSTATE-7: setFolders replaces the list, creates folders without an id, and takes conversations out of deleted ones', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, view } = await scene(world);
  const socket = await bob.socket('ext');
  const set = async (...folders: { id?: string; name: string }[]) => (await bob.api.setFolders({ folders })).items;
  const [work, home] = await set({ name: 'Work' }, { name: 'Home' });
  if (!work || !home) throw new Error('two folders were created');
  await bob.api.setChatState({ chat_id, folder_id: work.id });
  await checkReplay(world, [alice, bob], async () => {
    expect(await set(home, { ...work, name: 'Office' })).toEqual([home, { ...work, name: 'Office' }]);
    await set(home, { ...work, name: 'Office' });
    expect((await view()).folder_id).toBe(work.id);
    await set(home);
  });
  expect((await view()).folder_id).toBeUndefined();
  expect((await bob.api.getFolders()).items).toEqual([home]);
  expect((await alice.api.getFolders()).items).toEqual([]);
  expect(socket.all('foldersUpdated').map(({ folders }) => folders.map(({ name }) => name))).toEqual([
    ['Work', 'Home'],
    ['Home', 'Office'],
    ['Home'],
  ]);
  await expect(set(work)).rejects.toMatchObject({ status: 404 });
  await expect(set(home, home)).rejects.toMatchObject({ status: 400 });
  await expect(set({ name: ' ' })).rejects.toMatchObject({ status: 400 });
  await expect(set({ name: 'x'.repeat(65) })).rejects.toMatchObject({ status: 400 });
  const many = Array.from({ length: limits.folders + 1 }, (_, at) => ({ name: `${at}` }));
  await expect(set(...many)).rejects.toMatchObject({ status: 400 });
  expect(await set(...many.slice(1))).toHaveLength(limits.folders);
});

test('CHATSTATE-8: a conversation is in one folder, of its reader, which has at most 1,000', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const [mine, full] = (await bob.api.setFolders({ folders: [{ name: 'Mine' }, { name: 'Full' }] })).items;
  const [ofAlice] = (await alice.api.setFolders({ folders: [{ name: 'Hers' }] })).items;
  const move = (folder_id?: string) => bob.api.setChatState({ chat_id, folder_id });
  for (const id of [ofAlice?.id, unknownId]) await expect(move(id)).rejects.toMatchObject({ status: 404 });
  expect((await move(mine?.id)).folder_id).toBe(mine?.id);
  expect((await move(full?.id)).folder_id).toBe(full?.id);
  // 999 more conversations in it, as rows.
  const { id: other } = await world.group(alice, bob);
  await world.sql(
    `INSERT INTO participants (chat_key, account_key, role, joined_at, folder_id)
     WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 999)
     SELECT 1000000 + at, p.account_key, 'member', 0, p.folder_id FROM n, participants p WHERE p.folder_id IS NOT NULL`,
  );
  const more = () => bob.api.setChatState({ chat_id: other, folder_id: full?.id });
  await expect(more()).rejects.toMatchObject({ status: 400, parameters: { field: 'folder_id' } });
  await move(full?.id);
  await world.sql('DELETE FROM participants WHERE chat_key > 1000000');
  expect((await more()).folder_id).toBe(full?.id);
});

test(
  'CHATSTATE-9: clearChat hides all messages of all timelines from the caller alone: history, search, counts, files, last message, replay',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const { alice, bob, chat_id, view, say } = await scene(world);
    const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'news' });
    const file = await upload(alice, Buffer.from('a file'));
    const before = await say('needle', { attachments: [{ id: file.id }] });
    await say('needle in a channel', { channel_id });
    await say('needle in a thread', { thread_root_id: before.id });
    const [shown] = (await bob.api.getMessages({ message_ids: [before.id] })).items;
    const download = async () => (await get(world, shown?.attachments[0]?.url)).status;
    expect(await download()).toBe(200);
    const since = (await bob.api.getChats({})).head;
    await say('needle, the last one');
    await alice.api.pinMessage({ chat_id, message_id: before.id });
    const socket = await bob.socket('ext');
    await checkReplay(world, [alice, bob], async () => {
      await bob.api.clearChat({ chat_id });
      await bob.api.clearChat({ chat_id });
    });
    const cleared = await view();
    expect(cleared).toMatchObject({ unread_count: 0, last_message: null, pinned_message_ids: [before.id] });
    expect(cleared.channels).toMatchObject([{ id: channel_id, unread_count: 0 }]);
    expect(socket.all('conversationUpdated')).toMatchObject([
      { cleared_position: cleared.cleared_position, unread_count: 0 },
    ]);
    for (const place of [{ chat_id }, { chat_id, channel_id }, { chat_id, thread_root_id: before.id }])
      expect(await textsFor(bob, place)).toEqual([]);
    expect((await bob.api.getMessages({ message_ids: [before.id] })).items).toEqual([]);
    for (const index of [false, true]) {
      if (index) for (const service of world.services) await service.search.tend();
      expect((await bob.api.searchMessages({ query: 'needle' })).items).toEqual([]);
      expect((await alice.api.searchMessages({ query: 'needle' })).items).toHaveLength(4);
    }
    const { frames } = await bob.api.getUpdates({ since });
    expect(frames.filter(({ method }) => method === 'events.messageNew')).toEqual([]);
    expect(await download()).toBe(404);
    // Others keep everything, and what follows is seen as ever.
    expect(stateOf(await view(alice))).toEqual({});
    expect((await view(alice)).last_message?.content).toBe('needle, the last one');
    await checkReplay(world, [alice, bob], async () => {
      await say('after');
      await say('in the thread', { thread_root_id: before.id });
    });
    expect(await view()).toMatchObject({ unread_count: 2, last_message: { content: 'in the thread' } });
    expect(await textsFor(bob, { chat_id })).toEqual(['after']);
    expect((await bob.api.searchMessages({ query: 'after' })).items).toHaveLength(1);
  },
);

test('CHATSTATE-9: a reply that is open when its conversation is cleared does not come back with its end', async () => {
  await using world = await createWorld();
  const { alice, bob, chat, chat_id, view } = await scene(world);
  const bot = await botIn(world, alice, chat);
  await checkReplay(world, [alice, bob], async () => {
    const reply = new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id }));
    await reply.append('so ');
    await bob.api.clearChat({ chat_id });
    await reply.append('far');
    await reply.finish();
  });
  expect(await view()).toMatchObject({ last_message: null, unread_count: 0 });
  expect(await textsFor(bob, { chat_id })).toEqual([]);
  expect(await textsFor(alice, { chat_id })).toEqual(['so far']);
});

test('CHATSTATE-10: who leaves and returns has a conversation without any of this', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, view, say } = await scene(world);
  const { items } = await bob.api.setFolders({ folders: [{ name: 'Work' }] });
  await say('before');
  await checkReplay(world, [alice, bob], async () => {
    await bob.api.clearChat({ chat_id });
    await bob.api.setChatState({ chat_id, is_pinned: true, is_marked_unread: true, folder_id: items[0]?.id });
    await bob.api.leaveChat({ chat_id });
    await alice.api.addMembers({ chat_id, usernames: ['bob'] });
  });
  expect(stateOf(await view())).toEqual({});
  expect(await textsFor(bob, { chat_id })).toEqual(['before']);
});

test('CHATSTATE-11: getChats with is_pinned lists the pinned conversations in pages, by activity', async () => {
  await using world = await createWorld();
  const { alice, bob, ids } = await withPins(world, 3);
  await world.group(alice, bob);
  const listed: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await bob.api.getChats({ is_pinned: true, limit: 2, cursor });
    listed.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  const all = (await bob.api.getChats({})).items.map(({ id }) => id);
  expect(listed).toEqual(all.filter((id) => ids.includes(id)));
  expect(all).toHaveLength(4);
});

test('CHATSTATE-12, EXPORT-2: an export contains folders and states; a deleted account leaves none', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const bob = await world.member('bob');
  const { id: chat_id } = await world.group(alice, bob);
  const rule: FolderRule = { kinds: ['groups'], left_out: [chat_id] };
  const { items } = await bob.api.setFolders({ folders: [{ name: 'Work', rule }] });
  const { id } = await alice.api.sendMessage({ chat_id, text: 'hello' });
  await bob.api.clearChat({ chat_id });
  await bob.api.setChatState({ chat_id, is_pinned: true, is_marked_unread: true, folder_id: items[0]?.id });
  const direct = await world.direct(alice, bob);
  await bob.api.setChatState({ chat_id: direct.id, is_archived: true, folder_id: items[0]?.id });
  const { url } = await bob.api.exportMyData();
  // The form that EXPORT-2 defines.
  const exported = (await (await get(world, url)).json()) as { folders: object[]; conversations: { id: string }[] };
  expect(exported.folders).toEqual([{ id: items[0]?.id, name: 'Work', rule }]);
  const conversation = (wanted: string) => exported.conversations.find((one) => one.id === wanted);
  expect(conversation(chat_id)).toMatchObject({
    is_pinned: true,
    is_archived: false,
    is_marked_unread: true,
    folder: 'Work',
    cleared_up_to_message_id: id,
  });
  expect(conversation(direct.id)).toMatchObject({ is_pinned: false, is_archived: true });
  await bob.api.deleteAccount({ password: 'correct horse battery staple' });
  expect(await world.sql('SELECT * FROM folders')).toEqual([]);
  expect(
    await world.sql(
      'SELECT 1 FROM participants WHERE pin_order IS NOT NULL OR archived_key IS NOT NULL OR folder_id IS NOT NULL',
    ),
  ).toEqual([]);
});
