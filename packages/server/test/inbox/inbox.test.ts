import type { Result } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { agentChat, botIn, keyedAgent } from '../helpers/agents.ts';
import { rowsIn } from '../helpers/rows-in.ts';

/** The inbox as one line per item. */
const inboxOf = async (who: Actor): Promise<string[]> =>
  (await who.api.getInbox({})).items.map(({ reason, snippet }) => `${reason}: ${snippet}`);
const unreadOf = async (who: Actor): Promise<number> => (await who.api.getInbox({})).unread_count;

test('INBOX-1, INBOX-2: mentions and replies in groups enter the inbox of their people, and nothing else does', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const { id: chat_id } = await world.group(ann, bob, cleo);
  const { id: channel_id } = await ann.api.createChannel({ chat_id, title: 'tickets' });
  const own = await ann.api.sendMessage({ chat_id, text: 'who comes? @ann' });
  const mention = await bob.api.sendMessage({ chat_id, channel_id, text: '**@ann** and @cleo: look' });
  await bob.api.sendMessage({ chat_id, text: 'I come', reply_to_message_id: own.id });
  await bob.api.sendMessage({ chat_id, text: '@ann both', reply_to_message_id: own.id });
  await bob.api.sendMessage({ chat_id, text: 'nothing for anyone' });
  await bob.api.sendMessage({ chat_id, text: '@ann', service: { kind: 'call_started' } });
  const { id: edited } = await bob.api.sendMessage({ chat_id, text: 'soon' });
  await bob.api.editMessage({ message_id: edited, text: '@ann soon' });
  const { id: direct } = await world.direct(ann, bob);
  const question = await ann.api.sendMessage({ chat_id: direct, text: '?' });
  await bob.api.sendMessage({ chat_id: direct, text: '@ann !', reply_to_message_id: question.id });

  expect(await inboxOf(ann)).toEqual(['mention: @ann both', 'reply: I come', 'mention: @ann and @cleo: look']);
  expect(await inboxOf(bob)).toEqual([]);
  expect((await cleo.api.getInbox({})).items).toEqual([
    {
      message_id: mention.id,
      position: mention.position,
      conversation_id: chat_id,
      channel_id,
      thread_root_id: null,
      reason: 'mention',
      sender: { username: 'bob', kind: 'human', display_name: 'bob' },
      snippet: '@ann and @cleo: look',
      is_unread: true,
      created_at: mention.created_at,
    },
  ]);
  const bot = await world.bot(ann);
  for (const call of [bot.api.getInbox({}), bot.api.setInboxDone({ message_ids: [mention.id] })])
    await expect(call).rejects.toMatchObject({ status: 403 });
});

test('INBOX-1: an inbox has pages, and shows the newest 1,000 items', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const first = await bob.api.sendMessage({ chat_id, text: 'first @ann' });
  const second = await bob.api.sendMessage({ chat_id, text: 'second @ann' });
  const third = await bob.api.sendMessage({ chat_id, text: 'third @ann' });
  const page = await ann.api.getInbox({ limit: 2 });
  const rest = await ann.api.getInbox({ limit: 2, cursor: page.next_cursor });
  expect([...page.items, ...rest.items].map(({ message_id }) => message_id)).toEqual([third.id, second.id, first.id]);
  expect(rest.next_cursor).toBeUndefined();
  expect(page.unread_count).toBe(3);
  await addItems(world, 998, 1_000_000);
  expect(await ann.api.getInbox({})).toMatchObject({ items: [{ snippet: 'third @ann' }, { snippet: 'second @ann' }] });
  expect((await ann.api.getInbox({})).unread_count).toBe(2);
  await world.sql('DELETE FROM inbox WHERE message_key >= 1000000');
});

test('INBOX-1: items that an inbox no longer shows are deleted', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  await addItems(world, 1_000, -1_000);
  // One in 8 messages deletes such items: the chance that none of these does is 1 in 25 million.
  for (let at = 0; at < 128; at += 1) await bob.api.sendMessage({ chat_id, text: `${at} @ann` });
  expect(await rowsIn(world, 'inbox WHERE message_key < 0')).toBeLessThan(1_000);
  expect(await rowsIn(world, 'inbox')).toBeGreaterThanOrEqual(1_000);
  expect(await inboxOf(ann)).toContain('mention: 127 @ann');
  await world.sql('DELETE FROM inbox WHERE message_key < 0');
});

/** Adds items to the inbox of ann, of messages that it does not show: their keys follow `key`. */
const addItems = async (world: World, count: number, key: number): Promise<unknown> =>
  world.sql(
    `INSERT INTO inbox (account_key, message_key, chat_key, thread_key, reason)
     WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
     SELECT a.key, ${key} + n.i, c.key, 0, 'mention' FROM n, accounts a, chats c
     WHERE a.username = 'ann' AND c.title = 'a group'`,
  );

test('INBOX-2: the message of a member enters the inboxes of at most the first 50 people whom it mentions', async () => {
  await using world = await createWorld();
  const { ann } = await world.people('ann');
  const names = Array.from({ length: 52 }, (_, at) => `p${at}`);
  const people = Object.values(await world.people(...names));
  const { id: chat_id } = await world.group(ann, ...people);
  // The owner's would enter those of all (READ-8).
  await people.at(-1)?.api.sendMessage({ chat_id, text: names.map((name) => `@${name}`).join(' ') });
  expect(await rowsIn(world, 'inbox')).toBe(50);
});

test('INBOX-3: news in a thread is one item for those who wrote in it, until it is done', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo, dora } = await world.people('ann', 'bob', 'cleo', 'dora');
  const { id: chat_id } = await world.group(ann, bob, cleo, dora);
  const root = await ann.api.sendMessage({ chat_id, text: 'root' });
  const reply = (who: Actor, text: string) => who.api.sendMessage({ chat_id, text, thread_root_id: root.id });
  await reply(bob, 'one');
  await reply(bob, 'two');
  await reply(cleo, 'three');
  expect(await inboxOf(ann)).toEqual(['thread: one']);
  expect(await inboxOf(bob)).toEqual(['thread: three']);
  expect(await inboxOf(cleo)).toEqual([]);
  expect(await inboxOf(dora)).toEqual([]);
  await reply(bob, '@dora four');
  expect(await inboxOf(dora)).toEqual(['mention: @dora four']);
  const [item] = (await ann.api.getInbox({})).items;
  expect(item).toMatchObject({ thread_root_id: root.id });
  await ann.api.setInboxDone({ message_ids: [item?.message_id ?? ''] });
  expect(await inboxOf(ann)).toEqual([]);
  const five = await reply(cleo, 'five');
  expect(await inboxOf(ann)).toEqual(['thread: five']);
  // Its message is deleted: the thread returns with the next one.
  await cleo.api.deleteMessages({ message_ids: [five.id] });
  expect(await inboxOf(ann)).toEqual([]);
  await reply(cleo, 'six');
  expect(await inboxOf(ann)).toEqual(['thread: six']);
});

test('INBOX-3: an item of a thread that is no longer shown makes room for the next one', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const { id: chat_id } = await world.group(ann, bob, cleo);
  const { id: thread_root_id } = await ann.api.sendMessage({ chat_id, text: 'root' });
  await bob.api.sendMessage({ chat_id, text: 'from bob', thread_root_id });
  expect(await inboxOf(ann)).toEqual(['thread: from bob']);
  await ann.api.blockUser({ username: 'bob' });
  expect(await inboxOf(ann)).toEqual([]);
  await cleo.api.sendMessage({ chat_id, text: 'from cleo', thread_root_id });
  expect(await inboxOf(ann)).toEqual(['thread: from cleo']);
});

test('INBOX-3: a muted conversation adds no item for a thread, but mentions and replies', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const root = await ann.api.sendMessage({ chat_id, text: 'root' });
  const { id: thread_root_id } = root;
  await ann.api.setChatNotifications({ chat_id, is_muted: true });
  await bob.api.sendMessage({ chat_id, text: 'quiet', thread_root_id });
  expect(await inboxOf(ann)).toEqual([]);
  await bob.api.sendMessage({ chat_id, text: '@ann', thread_root_id });
  await bob.api.sendMessage({ chat_id, text: 'reply', reply_to_message_id: root.id });
  expect(await inboxOf(ann)).toEqual(['reply: reply', 'mention: @ann']);
  await ann.api.setChatNotifications({ chat_id, is_muted: false });
  await bob.api.sendMessage({ chat_id, text: 'loud', thread_root_id });
  expect(await inboxOf(ann)).toEqual(['thread: loud', 'reply: reply', 'mention: @ann']);
});

test('INBOX-3: a person no longer follows a thread once 50 newer messages are in it, unless it began it', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const { id: chat_id } = await world.group(ann, bob, cleo);
  const { id: thread_root_id } = await ann.api.sendMessage({ chat_id, text: 'root' });
  const reply = (who: Actor, text: string) => who.api.sendMessage({ chat_id, text, thread_root_id });
  await reply(bob, 'mine');
  for (let at = 1; at < 49; at += 1) await reply(cleo, `${at}`);
  const done = async (who: Actor) => who.api.setInboxDone({ through_position: Number.MAX_SAFE_INTEGER });
  await done(bob);
  await done(ann);
  await reply(cleo, '49th');
  expect(await inboxOf(bob)).toEqual(['thread: 49th']);
  await done(bob);
  await reply(cleo, '50th');
  expect(await inboxOf(bob)).toEqual([]);
  expect(await inboxOf(ann)).toEqual(['thread: 49th']);
});

test('INBOX-4, INBOX-7: items are marked as done, and all devices learn of it', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const [ext, plain, other] = [await ann.socket('ext'), await ann.socket(), await bob.socket('ext')];
  const mention = (text: string) => bob.api.sendMessage({ chat_id, text: `@ann ${text}` });
  const made: string[] = [];
  await checkReplay(world, [ann], async () => {
    for (const text of ['one', 'two', 'three', 'four']) made.push((await mention(text)).id);
  });
  const done = (what: Parameters<typeof ann.api.setInboxDone>[0]) => ann.api.setInboxDone(what);
  const [one = '', two = ''] = made;
  await checkReplay(world, [ann], () => done({ message_ids: [two, one.toUpperCase()] }));
  expect(await inboxOf(ann)).toEqual(['mention: @ann four', 'mention: @ann three']);
  // Not there any more, and never there: no event.
  await done({ message_ids: [one, chat_id] });
  const [newest] = (await ann.api.getInbox({})).items;
  await mention('five');
  await done({ through_position: newest?.position });
  expect(await inboxOf(ann)).toEqual(['mention: @ann five']);
  await done({ through_position: newest?.position });
  await world.settle();
  expect(ext.all('inboxUpdated')).toEqual(Array.from({ length: 7 }, () => ({})));
  expect([...plain.all('inboxUpdated'), ...other.all('inboxUpdated')]).toEqual([]);
  const { frames } = (await ext.rpc('getUpdates', { since: 0 })) as Result<'getUpdates'>; // what it answers
  expect(frames.filter(({ method }) => method === 'events.inboxUpdated')).toHaveLength(7);

  for (const wrong of [{}, { message_ids: [one], through_position: 1 }])
    await expect(done(wrong)).rejects.toMatchObject({ status: 400, parameters: { field: 'message_ids' } });
  // Another person's item is not the caller's to remove.
  await bob.api.setInboxDone({ through_position: Number.MAX_SAFE_INTEGER });
  expect(await inboxOf(ann)).toEqual(['mention: @ann five']);
});

test('INBOX-5, INBOX-9: leaving, clearing, hiding, deleting and a deleted channel take messages out of the inbox', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(bob, ann);
  const { id: channel_id } = await bob.api.createChannel({ chat_id, title: 'short-lived' });
  const hidden = await bob.api.sendMessage({ chat_id, text: '@ann hidden' });
  const deleted = await bob.api.sendMessage({ chat_id, text: '@ann deleted' });
  await bob.api.sendMessage({ chat_id, channel_id, text: '@ann in the channel' });
  await bob.api.sendMessage({ chat_id, text: '@ann last' });
  expect(await inboxOf(ann)).toHaveLength(4);
  await ann.api.deleteMessagesForMe({ message_ids: [hidden.id] });
  await bob.api.deleteMessages({ message_ids: [deleted.id] });
  await bob.api.deleteChannel({ chat_id, channel_id });
  expect(await inboxOf(ann)).toEqual(['mention: @ann last']);
  expect(await unreadOf(ann)).toBe(1);
  await bob.api.removeMember({ chat_id, username: 'ann' });
  expect(await ann.api.getInbox({})).toMatchObject({ items: [], unread_count: 0 });
  await bob.api.addMembers({ chat_id, usernames: ['ann'] });
  expect(await inboxOf(ann)).toEqual([]);
  await bob.api.sendMessage({ chat_id, text: '@ann cleared' });
  await ann.api.clearChat({ chat_id });
  expect(await inboxOf(ann)).toEqual([]);
  expect(await rowsIn(world, 'inbox')).toBe(0);
});

test('INBOX-5: messages of a blocked account and its agents neither enter nor stay', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const chat = await world.group(ann, bob, cleo);
  const bot = await botIn(world, bob, chat);
  const mention = (who: Actor) => who.api.sendMessage({ chat_id: chat.id, text: `@ann from ${who.username}` });
  for (const who of [bob, bot, cleo]) await mention(who);
  await ann.api.blockUser({ username: 'bob' });
  expect(await inboxOf(ann)).toEqual(['mention: @ann from cleo']);
  expect(await unreadOf(ann)).toBe(1);
  for (const who of [bob, bot]) await mention(who);
  await ann.api.unblockUser({ username: 'bob' });
  expect(await inboxOf(ann)).toHaveLength(3);
  // The one who is blocked learns nothing: its own inbox is as before.
  await cleo.api.blockUser({ username: 'ann' });
  await cleo.api.sendMessage({ chat_id: chat.id, text: '@ann still there' });
  expect(await inboxOf(ann)).toHaveLength(4);
});

test('INBOX-6: reading the conversation makes items read; they stay until they are done', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const one = await bob.api.sendMessage({ chat_id, text: '@ann one' });
  await bob.api.sendMessage({ chat_id, text: '@ann two' });
  expect(await unreadOf(ann)).toBe(2);
  await ann.api.markRead({ chat_id, message_id: one.id });
  const { items, unread_count } = await ann.api.getInbox({});
  expect(items.map(({ is_unread }) => is_unread)).toEqual([true, false]);
  expect(unread_count).toBe(1);
});

test('INBOX-8: a snippet is plain text of at most 200 characters, or says what is attached', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const root = await ann.api.sendMessage({ chat_id, text: 'root' });
  const send = (text: string, more = {}) =>
    bob.api.sendMessage({ chat_id, text, reply_to_message_id: root.id, ...more });
  await send(`# Head\n\n*soft* ${'x'.repeat(10_000)}`);
  await send(`${'y'.repeat(199)}😀`);
  await send('', { attachments: [{ kind: 'photo', url: 'https://example.org/a.png' }] });
  const { items } = await ann.api.getInbox({});
  const snippets = items.map(({ snippet }) => snippet);
  expect(items.map(({ contents }) => contents)).toEqual([{ kind: 'photo', more: 0 }, undefined, undefined]);
  expect(snippets).toEqual(['Photo', 'y'.repeat(199), `Head soft ${'x'.repeat(190)}`]);
});

test('INBOX-2: an agent’s reply is a reply to its asker, its failure is for its owner', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const agent = await keyedAgent(world, ann);
  await ann.api.addGroupAgent({ chat_id, agent_username: agent.username });
  world.providers.script(agent.key, { chunks: ['an answer'] }, { chunks: ['half'], ending: 'error' });
  await bob.api.sendMessage({ chat_id, text: `@${agent.username} ?` });
  await world.turnsEnded();
  await bob.api.sendMessage({ chat_id, text: `@${agent.username} again?` });
  await world.turnsEnded();
  expect(await inboxOf(bob)).toEqual(['reply: an answer']);
  expect(await inboxOf(ann)).toEqual(['failed_reply: half']);
});

test('INBOX-5, INBOX-8: a failed reply is shown until a new version of it succeeds', async () => {
  await using world = await createWorld();
  const ann = await world.person('ann');
  const { agent, chat } = await agentChat(world, ann);
  world.providers.script(agent.key, { chunks: ['half'], ending: 'error' }, { chunks: ['whole'] });
  await ann.api.sendMessage({ chat_id: chat.id, text: '?' });
  await world.turnsEnded();
  const [item] = (await ann.api.getInbox({})).items;
  expect(item).toMatchObject({ reason: 'failed_reply', snippet: 'half', finish_reason: 'overloaded' });
  await ann.api.retryReply({ message_id: item?.message_id ?? '' });
  await world.turnsEnded();
  expect(await inboxOf(ann)).toEqual([]);
});

test('INBOX-9: an export lists the items, and the deletion of the account deletes them', async () => {
  await using world = await createWorld();
  const ann = await world.member('ann');
  const bob = await world.person('bob');
  const { id: chat_id } = await world.group(bob, ann);
  const { id } = await bob.api.sendMessage({ chat_id, text: '@ann' });
  const { url } = await ann.api.exportMyData({ password: 'correct horse battery staple' });
  const data: unknown = await (await fetch(new URL(url, world.url))).json();
  expect(data).toMatchObject({ inbox: [{ message_id: id, reason: 'mention' }] });
  await ann.api.deleteAccount({ password: 'correct horse battery staple' });
  expect(await rowsIn(world, 'inbox')).toBe(0);
});
