import { type Actor, checkReplay, createWorld, ManualClock, type World } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { agentChat, botIn, keyedAgent } from '../helpers/agents.ts';
import { rowsIn } from '../helpers/rows-in.ts';

const forbidden = { status: 403, code: 'forbidden' };
const begin = (who: Actor, username: string) => who.api.startChat({ username, new: true });
const say = (who: Actor, chat_id: string, text: string) => who.api.sendMessage({ chat_id, text });
const idsOf = async (who: Actor) => (await who.api.getChats()).items.map(({ id }) => id);

/** A bot, its owner, and a person who shares a group with both. */
async function stage(world: World) {
  const { ann, bob } = await world.people('ann', 'bob');
  const group = await world.group(ann, bob);
  const bot = await botIn(world, ann, group);
  return { ann, bob, bot, username: bot.username };
}

test('NEWCHAT-1: startChat with new makes further chats with an agent; without it the first chat is found', async () => {
  await using world = await createWorld();
  const { bob, bot, username } = await stage(world);
  const [tab, ofBot, plain] = [await bob.socket(), await bot.socket('ext'), await bot.socket()];
  const first = await bob.api.startChat({ username });
  expect(first).not.toHaveProperty('is_separate');
  const chats = new Set([first.id]);
  await checkReplay(world, [bob, bot], async () => {
    for (const text of ['one', 'two']) {
      const chat = await begin(bob, username);
      expect(chat).toMatchObject({ kind: 'direct', is_separate: true, title: null, participant_count: 2 });
      expect(chat.participants).toMatchObject([
        { username: 'bob', role: 'member' },
        { username, role: 'member' },
      ]);
      await say(bob, chat.id, text);
      chats.add(chat.id);
    }
  });
  expect(chats.size).toBe(3);
  expect(await idsOf(bob)).toEqual(expect.arrayContaining([...chats]));
  expect((await bob.api.startChat({ username })).id).toBe(first.id);
  expect((await bot.api.startChat({ username: 'bob' })).id).toBe(first.id);
  await world.settle();
  const isNew = ({ id }: { id: string }) => chats.has(id);
  for (const socket of [tab, ofBot]) expect(socket.all('conversationNew').filter(isNew)).toHaveLength(3);
  expect(plain.all('conversationNew')).toEqual([]);
});

test('NEWCHAT-2: only people begin separate chats, only with agents, and each time as if it were the first', async () => {
  await using world = await createWorld();
  const { ann, bob, bot, username } = await stage(world);
  const { cleo } = await world.people('cleo');
  const wrong = (field: string) => ({ status: 400, parameters: { field } });
  await expect(begin(bob, 'ann')).rejects.toMatchObject(wrong('username'));
  await expect(begin(bob, 'bob')).rejects.toMatchObject(wrong('username'));
  await expect(bob.api.startChat({ usernames: ['ann'], title: 'x', new: true })).rejects.toMatchObject(wrong('new'));
  await expect(begin(bob, 'nobody')).rejects.toMatchObject({ status: 404 });
  await expect(begin(bot, 'ann:provider_a')).rejects.toMatchObject(forbidden);
  await expect(begin(bot, 'bob')).rejects.toMatchObject(wrong('username'));
  await expect(begin(cleo, username)).rejects.toMatchObject(forbidden);
  await say(bob, (await begin(bob, username)).id, 'hello');
  await bob.api.blockUser({ username });
  await expect(begin(bob, username)).rejects.toMatchObject(forbidden);
  await bob.api.unblockUser({ username });
  await ann.api.blockUser({ username: 'bob' });
  await expect(begin(bob, username)).rejects.toMatchObject(forbidden);
  await ann.api.unblockUser({ username: 'bob' });
  const { username: agent } = await ann.api.createAgent({ slug: 'own', display_name: 'Own', provider: 'provider_a' });
  await ann.api.updateAgent({ username: agent, visibility: 'public' });
  await say(cleo, (await begin(cleo, agent)).id, 'hello');
  await ann.api.updateAgent({ username: agent, visibility: 'private' });
  await expect(begin(cleo, agent)).rejects.toMatchObject(forbidden);
  expect((await begin(ann, agent)).is_separate).toBe(true);
  await ann.api.deleteBot({ username });
  await expect(begin(bob, username)).rejects.toMatchObject({ status: 404 });
});

test('NEWCHAT-3: an unused chat is returned again, also to calls at the same time; a title or a message uses it', async () => {
  await using world = await createWorld();
  const { bob, username } = await stage(world);
  const socket = await bob.socket();
  const made = await Promise.all([1, 2, 3, 4].map(() => begin(bob, username)));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  await world.settle();
  expect(socket.all('conversationNew')).toHaveLength(1);
  const first = made[0]?.id ?? '';
  await bob.api.setChatTitle({ chat_id: first, title: 'Plans' });
  const second = (await begin(bob, username)).id;
  expect(second).not.toBe(first);
  const { id } = await say(bob, second, '{% %}');
  expect((await begin(bob, username)).id).not.toBe(second);
  await bob.api.deleteMessages({ message_ids: [id] });
  expect([first, second]).not.toContain((await begin(bob, username)).id);
});

test('NEWCHAT-4: the number of separate chats with one agent is limited; a deleted one does not count', async () => {
  await using world = await createWorld({ settings: { separateChats: 2 } });
  const { ann, bob, username } = await stage(world);
  const ids: string[] = [];
  for (const text of ['one', 'two']) {
    ids.push((await begin(bob, username)).id);
    await say(bob, ids.at(-1) ?? '', text);
  }
  await expect(begin(bob, username)).rejects.toMatchObject({ status: 400, parameters: { field: 'new' } });
  expect((await begin(ann, username)).is_separate).toBe(true);
  await bob.api.deleteChat({ chat_id: ids[0] ?? '' });
  expect(ids).not.toContain((await begin(bob, username)).id);
});

test('NEWCHAT-5: the agent answers every message, searches find them; a block ends writing; a first chat is as before', async () => {
  await using world = await createWorld();
  const { ann } = await world.people('ann');
  const agent = await keyedAgent(world, ann);
  world.providers.script(agent.key, { chunks: ['fine'] });
  const { id: chat_id } = await begin(ann, agent.username);
  await say(ann, chat_id, 'pomegranate');
  await world.turnsEnded();
  const { items } = await ann.api.getChatHistory({ chat_id });
  expect(items.map(({ content, status }) => [content, status])).toEqual([
    ['pomegranate', 'complete'],
    ['fine', 'complete'],
  ]);
  expect((await ann.api.searchMessages({ query: 'pomegranate' })).items).toHaveLength(1);
  const first = await ann.api.startChat({ username: agent.username });
  const title = 'x';
  await expect(ann.api.setChatTitle({ chat_id: first.id, title })).rejects.toMatchObject(forbidden);
  await expect(ann.api.deleteChat({ chat_id: first.id })).rejects.toMatchObject(forbidden);
  const { cleo } = await world.people('cleo');
  await cleo.api.setBotConfig({ username: 'cleo:provider_a', is_public: true });
  const other = await begin(ann, 'cleo:provider_a');
  await ann.api.blockUser({ username: 'cleo' });
  await expect(say(ann, other.id, 'hello')).rejects.toMatchObject(forbidden);
});

test('NEWCHAT-6: human and agent rename the chat; the human’s title is final for the agent', async () => {
  await using world = await createWorld();
  const { ann, bob, bot, username } = await stage(world);
  const { id: chat_id } = await begin(bob, username);
  const set = (who: Actor, title: string) => who.api.setChatTitle({ chat_id, title });
  const [tab, ofBot] = [await bob.socket('ext'), await bot.socket('ext')];
  await checkReplay(world, [bob, bot], async () => {
    await set(bot, 'By the bot');
    await set(bob, 'By Bob');
  });
  await expect(set(bot, 'Again')).rejects.toMatchObject({ status: 409, code: 'conflict' });
  await expect(set(ann, 'Mine')).rejects.toMatchObject(forbidden);
  await expect(set(bob, '')).rejects.toMatchObject({ status: 400 });
  expect((await bot.api.getChat({ chat_id })).title).toBe('By Bob');
  await world.settle();
  const updates = ['By the bot', 'By Bob'].map((title) => ({ conversation_id: chat_id, title }));
  expect(tab.all('conversationUpdated')).toEqual(updates);
  expect(ofBot.all('conversationUpdated')).toEqual(updates);
  // Confirming the agent's title makes it the human's.
  const other = (await begin(bob, username)).id;
  await bot.api.setChatTitle({ chat_id: other, title: 'Same' });
  await bob.api.setChatTitle({ chat_id: other, title: 'Same' });
  await expect(bot.api.setChatTitle({ chat_id: other, title: 'x' })).rejects.toMatchObject({ status: 409 });
  await bob.api.blockUser({ username });
  await expect(set(bot, 'Blocked')).rejects.toMatchObject(forbidden);
  await set(bob, 'Still mine');
});

test('NEWCHAT-7: deleteChat ends the chat for both, with its replies, draft, title and messages', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, bob, bot, username } = await stage(world);
  const { agent, chat: first } = await agentChat(world, ann);
  const steered = agent.steer();
  const { id: chat_id } = await begin(ann, agent.username);
  const tab = await ann.socket('ext');
  await say(ann, chat_id, 'a quince for the teacher');
  await ann.api.saveDraft({ chat_id, text: 'a medlar' });
  await steered.started;
  steered.text('quinces are');
  await tab.event('messageDelta');
  const late = await ann.follower('ext').load();
  await ann.api.deleteChat({ chat_id });
  await steered.aborted;
  await world.turnsEnded();
  await late.connect();
  await world.settle();
  await late.compare();
  await late.drop();
  expect(tab.all('conversationRemoved')).toEqual([{ conversation_id: chat_id }]);
  expect(await idsOf(ann)).not.toContain(chat_id);
  expect(await idsOf(ann)).toContain(first.id);
  for (const call of [
    () => ann.api.getChat({ chat_id }),
    () => ann.api.deleteChat({ chat_id }),
    () => say(ann, chat_id, 'x'),
  ])
    await expect(call()).rejects.toMatchObject(forbidden);
  expect((await ann.api.searchMessages({ query: 'quince' })).items).toEqual([]);
  await clock.advance(1_000);
  while ((await rowsIn(world, 'chats_to_empty')) > 0) await turnOfLoop();
  for (const [table, column] of [
    ['messages', 'record'],
    ['chats', 'title'],
    ['drafts', 'text'],
  ] as const)
    expect(
      await world.sql(`SELECT 1 AS found FROM ${table} WHERE ${column} LIKE '%quince%' OR ${column} LIKE '%medlar%'`),
    ).toEqual([]);

  // Only its human may delete it: not its bot, not a stranger.
  const other = (await begin(bob, username)).id;
  const ofBot = await bot.socket('ext');
  await expect(bot.api.deleteChat({ chat_id: other })).rejects.toMatchObject(forbidden);
  await expect(ann.api.deleteChat({ chat_id: other })).rejects.toMatchObject(forbidden);
  await bob.api.deleteChat({ chat_id: other });
  await ofBot.event('conversationRemoved', (params) => params.conversation_id === other);
  await expect(bot.api.sendMessage({ chat_id: other, text: 'x' })).rejects.toMatchObject(forbidden);
});

test('NEWCHAT-8: a bot keeps the chat of a deleted person, without its title', async () => {
  await using world = await createWorld();
  const { ann } = await world.people('ann');
  const bot = await world.bot(ann);
  await ann.api.setBotConfig({ username: bot.username, is_public: true });
  const otto = await world.member('otto');
  const { id: chat_id } = await begin(otto, bot.username);
  await say(otto, chat_id, 'my secret plans');
  expect((await bot.api.getChat({ chat_id })).title).toBe('my secret plans');
  await checkReplay(world, [bot], () => otto.api.deleteAccount({ password: 'correct horse battery staple' }));
  expect((await bot.api.getChat({ chat_id })).title).toBe(null);
});
