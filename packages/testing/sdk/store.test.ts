import { type Client, createClient } from '@parley/client';
import { createStore, type Store, type StoreOptions } from '@parley/client/store';
import type { Conversation } from '@parley/protocol';
import { afterEach, expect, test } from 'vitest';
import type { Actor } from '../world/actor.ts';
import { DaemonStream } from '../world/daemon-stream.ts';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';
import { createWorld, type World } from '../world/world.ts';

const open: { client: Client; store: Store }[] = [];
afterEach(() => {
  for (const { client, store } of open.splice(0)) {
    store.close();
    client.close();
  }
});

const PATIENCE_MS = 10_000;

/** Polls at every tick, because nothing signals when a store has the expected state. */
async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error(`timed out waiting for ${isSo.toString()}`);
    await turnOfLoop();
  }
}

async function page({ url }: World, actor: Actor, options: StoreOptions = {}) {
  const client = createClient({ url, token: actor.token });
  const store = createStore(client, options);
  open.push({ client, store });
  await until(() => client.state === 'live');
  return { client, store };
}

/** Alice, Bob, Alice's bot, and their group. */
async function stage(world: World): Promise<{ alice: Actor; bob: Actor; bot: Actor; chat: Conversation }> {
  const { alice, bob } = await world.people('alice', 'bob');
  const bot = await world.bot(alice);
  const chat = await world.group(alice, bob);
  await alice.api.addGroupAgent({ chat_id: chat.id, agent_username: bot.username });
  return { alice, bob, bot, chat };
}

/** Counts how often each cell notifies. */
function counter() {
  const counts: Record<string, number> = {};
  const count = (name: string, cell: { subscribe: (listener: () => void) => () => void }): void => {
    counts[name] = 0;
    cell.subscribe(() => (counts[name] = (counts[name] ?? 0) + 1));
  };
  const take = () => {
    const taken = Object.fromEntries(Object.entries(counts).filter(([, times]) => times > 0));
    for (const name of Object.keys(counts)) counts[name] = 0;
    return taken;
  };
  return { count, take };
}

test('SDK-18: a delta of a reply notifies only the subscribers of its message', async () => {
  await using world = await createWorld();
  const { alice, bot, bob, chat } = await stage(world);
  await bob.api.sendMessage({ chat_id: chat.id, text: 'hello' });
  const { store } = await page(world, alice);
  const timeline = store.timeline({ chat_id: chat.id });
  const { count, take } = counter();
  count('timeline', timeline);
  await until(() => timeline.get().isLoaded);
  const stream = new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id: chat.id }));
  await until(() => timeline.get().ids.includes(stream.id));
  for (const id of timeline.get().ids) count(`message ${id}`, store.message(id));
  count('chats', store.chats);
  count('chat', store.chat(chat.id));
  count('unread', store.unreadTotal);
  count('typing', store.typing({ chat_id: chat.id }));
  await world.settle();
  await until(() => store.typing({ chat_id: chat.id }).get().length === 1);
  take();
  await stream.append('one');
  await until(() => store.message(stream.id).get()?.content === 'one');
  expect(take()).toEqual({ [`message ${stream.id}`]: 1 });
  await stream.append(' two');
  await until(() => store.message(stream.id).get()?.content === 'one two');
  expect(take()).toEqual({ [`message ${stream.id}`]: 1 });
});

test('SDK-18: a new message notifies its timeline, its chat and the chat list, each once', async () => {
  await using world = await createWorld();
  const { alice, bob, chat } = await stage(world);
  await bob.api.sendMessage({ chat_id: chat.id, text: 'hello' });
  const other = await world.group(alice, bob);
  const { store } = await page(world, alice);
  const timeline = store.timeline({ chat_id: chat.id });
  const { count, take } = counter();
  count('timeline', timeline);
  await until(() => timeline.get().isLoaded && store.chats.get().ids.length === 2);
  count('chats', store.chats);
  count('chat', store.chat(chat.id));
  count('other chat', store.chat(other.id));
  count('unread', store.unreadTotal);
  for (const id of timeline.get().ids) count('other message', store.message(id));
  const ids = timeline.get().ids;
  expect(store.chats.get().ids).toEqual([other.id, chat.id]);
  take();
  const { id } = await bob.api.sendMessage({ chat_id: chat.id, text: 'again' });
  await until(() => timeline.get().ids.includes(id));
  expect(take()).toEqual({ timeline: 1, chats: 1, chat: 1, unread: 1 });
  expect(timeline.get().ids).toEqual([...ids, id]);
  expect(store.chats.get().ids).toEqual([chat.id, other.id]);
  expect(store.chat(chat.id).get()).toMatchObject({ unread_count: 2, last_message_id: id });
});

test('SDK-19: a sent message is shown immediately, and keeps its row when it is stored', async () => {
  await using world = await createWorld();
  const { alice, bob, chat } = await stage(world);
  await bob.api.sendMessage({ chat_id: chat.id, text: 'hello' });
  const { client, store } = await page(world, alice);
  const timeline = store.timeline({ chat_id: chat.id });
  const shown: (readonly string[])[] = [];
  timeline.subscribe(() => shown.push(timeline.get().ids));
  await until(() => timeline.get().isLoaded);
  shown.length = 0;
  client.send({ chat_id: chat.id, text: 'mine', clear_draft: true });
  const [, key = ''] = timeline.get().ids;
  expect(store.message(key).get()).toMatchObject({ content: 'mine', outbox: { state: 'waiting' } });
  expect(store.chat(chat.id).get()?.last_message_id).toBe(key);
  await until(() => store.message(key).get()?.outbox === undefined);
  await until(() => client.outbox.entries.get().length === 0);
  await world.settle();
  // The list of ids changed only once, when the message was sent.
  expect(new Set(shown.map((ids) => ids.join()))).toEqual(new Set([timeline.get().ids.join()]));
  const message = store.message(key).get();
  expect(message?.id).not.toBe(key);
  expect(store.message(message?.id ?? '').get()).toBe(message);
  expect(store.chat(chat.id).get()?.last_message_id).toBe(key);
});

test('SDK-20: windows load older and newer pages and jump to a message or a date without gaps', async () => {
  await using world = await createWorld();
  const { alice, bob, chat } = await stage(world);
  const sent: string[] = [];
  for (let at = 0; at < 30; at += 1) sent.push((await bob.api.sendMessage({ chat_id: chat.id, text: `${at}` })).id);
  const { store } = await page(world, alice, { pageSize: 6 });
  const timeline = store.timeline({ chat_id: chat.id });
  timeline.subscribe(() => {});
  await until(() => timeline.get().isLoaded);
  expect(timeline.get()).toMatchObject({ ids: sent.slice(-6), hasOlder: true, hasNewer: false });
  await timeline.loadOlder();
  expect(timeline.get().ids).toEqual(sent.slice(-12));
  await timeline.jumpTo(sent[4] ?? '');
  expect(timeline.get()).toMatchObject({ ids: sent.slice(1, 7), target: sent[4], hasOlder: true, hasNewer: true });
  await bob.api.sendMessage({ chat_id: chat.id, text: 'not here' });
  await world.settle();
  await timeline.loadOlder();
  await timeline.loadNewer();
  expect(timeline.get()).toMatchObject({ ids: sent.slice(0, 13), hasOlder: false, hasNewer: true });
  await timeline.jumpTo(new Date(0));
  expect(timeline.get().target).toBe(sent[0]);
  await timeline.jumpToNewest();
  expect(timeline.get()).toMatchObject({ hasNewer: false, target: null });
  expect(store.message(timeline.get().ids.at(-1) ?? '').get()?.content).toBe('not here');
});

test('SDK-20: a subscriber that asks for the next page as soon as one has come gets it', async () => {
  await using world = await createWorld();
  const { alice, bob, chat } = await stage(world);
  const sent: string[] = [];
  for (let at = 0; at < 30; at += 1) sent.push((await bob.api.sendMessage({ chat_id: chat.id, text: `${at}` })).id);
  const { store } = await page(world, alice, { pageSize: 6 });
  const timeline = store.timeline({ chat_id: chat.id });
  timeline.subscribe(() => {
    const { isLoaded, hasOlder, loading } = timeline.get();
    if (isLoaded && hasOlder && loading === null) void timeline.loadOlder();
  });
  await until(() => !timeline.get().hasOlder && timeline.get().isLoaded);
  expect(timeline.get().ids).toEqual(sent);
});

test('SDK-28: a jump to a deleted or unknown message does not prevent loading other pages', async () => {
  await using world = await createWorld();
  const { alice, bob, chat } = await stage(world);
  const sent: string[] = [];
  for (let at = 0; at < 30; at += 1) sent.push((await bob.api.sendMessage({ chat_id: chat.id, text: `${at}` })).id);
  const deleted = sent.splice(10, 1);
  await bob.api.deleteMessages({ message_ids: deleted });
  const { store } = await page(world, alice, { pageSize: 6 });
  const timeline = store.timeline({ chat_id: chat.id });
  timeline.subscribe(() => {});
  await until(() => timeline.get().isLoaded);
  expect(await timeline.jumpTo('00000000-0000-7000-8000-000000000000')).toBe(false);
  expect(timeline.get()).toMatchObject({ ids: sent.slice(-6), error: null });
  await timeline.loadOlder();
  expect(timeline.get().ids).toEqual(sent.slice(-12));
  expect(await timeline.jumpTo(deleted[0] ?? '')).toBe(false);
  // The first one since the millisecond of the deleted one, in which the one before it may have been sent too.
  const target = sent.find((id) => id.slice(0, 13) >= String(deleted[0]).slice(0, 13));
  expect([sent[9], sent[10]]).toContain(target);
  expect(timeline.get()).toMatchObject({ target, error: null });
  expect(timeline.get().ids).toContain(target);
  await timeline.jumpTo(sent[10] ?? '');
  expect(timeline.get()).toMatchObject({ ids: sent.slice(7, 13), target: sent[10], error: null });
  await timeline.loadNewer();
  expect(timeline.get().ids).toEqual(sent.slice(7, 19));
  expect(await timeline.jumpTo(sent[2] ?? '')).toBe(true);
});

test('SDK-21: a store shows the drafts of threads and channels, and drops them with their thread or channel', async () => {
  await using world = await createWorld();
  const { alice, bob, chat } = await stage(world);
  const { store } = await page(world, alice);
  const other = await page(world, alice);
  const { id: thread_root_id } = await bob.api.sendMessage({ chat_id: chat.id, text: 'a root' });
  const thread = { chat_id: chat.id, thread_root_id };
  const isShown = (text: string | undefined) => other.store.draft(thread).get()?.text === text;
  store.saveDraft(thread, 'in the thread');
  await until(() => isShown('in the thread'));
  expect(other.store.draft({ chat_id: chat.id }).get()).toBe(null);
  store.client.send({ ...thread, text: 'sent', clear_draft: 'timeline' });
  await until(() => isShown(undefined));
  store.saveDraft(thread, 'more');
  await until(() => isShown('more'));
  await bob.api.deleteMessages({ message_ids: [thread_root_id] });
  await until(() => isShown(undefined) && store.draft(thread).get() === null);
});

test('SDK-21: a store shows drafts, typing, alerts, read markers and members', { tags: ['long'] }, async () => {
  await using world = await createWorld();
  const { alice, bob, chat } = await stage(world);
  const { store } = await page(world, alice);
  const other = await page(world, alice);
  const chatId = chat.id;
  store.saveDraft({ chat_id: chatId }, 'so far');
  expect(store.draft({ chat_id: chatId }).get()?.text).toBe('so far');
  await until(() => other.store.draft({ chat_id: chatId }).get()?.text === 'so far');
  other.store.saveDraft({ chat_id: chatId }, '');
  await until(() => store.draft({ chat_id: chatId }).get() === null);
  const theirs = await page(world, bob);
  theirs.store.setTyping({ chat_id: chatId }, true);
  await until(() => store.typing({ chat_id: chatId }).get()[0]?.username === 'bob');
  theirs.store.setTyping({ chat_id: chatId }, false);
  await until(() => store.typing({ chat_id: chatId }).get().length === 0);
  await bob.api.pushAlert({ to_username: 'alice', text: 'look' });
  await until(() => store.alerts.get()[0]?.text === 'look');
  store.dismissAlert(store.alerts.get()[0]?.id ?? 0);
  expect(store.alerts.get()).toEqual([]);
  const { id } = await bob.api.sendMessage({ chat_id: chatId, text: 'unread' });
  await until(() => store.chat(chatId).get()?.unread_count === 1);
  await other.store.markRead(chatId, id);
  await until(() => store.chat(chatId).get()?.unread_count === 0);
  expect(
    store
      .members(chatId)
      .get()
      .items.map(({ username }) => username),
  ).toContain('bob');
  await store.loadMembers(chatId);
  expect(store.members(chatId).get()).toMatchObject({ isLoaded: true, hasMore: false });
  await store.react(id, '👍', true);
  await store.loadMessages([id]);
  await until(() => store.message(id).get()?.reactions[0]?.count === 1);
  await store.hide([id]);
  expect(store.message(id).get()).toBeUndefined();
});

test('SDK-22: messages that are not shown are evicted when there are too many', async () => {
  await using world = await createWorld();
  const { alice, bob, chat } = await stage(world);
  const { id: direct } = await world.direct(alice, bob);
  const sent: string[] = [];
  for (let at = 0; at < 40; at += 1) sent.push((await bob.api.sendMessage({ chat_id: direct, text: `${at}` })).id);
  const { store } = await page(world, alice, { maxMessages: 16, pageSize: 15 });
  const timeline = store.timeline({ chat_id: direct });
  const leave = timeline.subscribe(() => {});
  await until(() => timeline.get().isLoaded);
  const watched = sent.at(-3) ?? '';
  store.message(watched).subscribe(() => {});
  leave();
  for (let at = 0; at < 12; at += 1) await bob.api.sendMessage({ chat_id: chat.id, text: `${at}` });
  await until(() => store.message(sent.at(-2) ?? '').get() === undefined);
  expect(store.message(watched).get()?.content).toBe('37');
  expect(timeline.get()).toMatchObject({ ids: [], isLoaded: false });
  timeline.subscribe(() => {});
  await until(() => timeline.get().ids.length === 15);
});
