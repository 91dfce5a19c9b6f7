import { type Actor, checkReplay, createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountByName } from '../../store/accounts.ts';
import { agentChat } from '../helpers/agents.ts';
import { rowsIn } from '../helpers/rows-in.ts';

const refused = (status: number) => ({ status });
/** The refusal that a blocked account gets from every operation. */
const notHere = { status: 403, description: 'you may not write to this account' };

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const namesOf = ({ items }: { items: { username: string }[] }): string[] => items.map(({ username }) => username);
const block = ({ api }: Actor, { username }: Actor): Promise<unknown> => api.blockUser({ username });

test('BLOCK-1: humans block humans and agents, and list their blocks newest first, in pages', async () => {
  const { anna, ben, carl } = await world.people('anna', 'ben', 'carl');
  const bot = await world.bot(ben);
  for (const other of [ben, carl, bot]) await block(anna, other);
  await block(anna, ben);
  const first = await anna.api.getBlockedUsers({ limit: 2 });
  const rest = await anna.api.getBlockedUsers({ limit: 2, cursor: first.next_cursor ?? '' });
  expect([...namesOf(first), ...namesOf(rest)].toSorted()).toEqual(['ben', 'ben:bot', 'carl']);
  expect(rest).not.toHaveProperty('next_cursor');
  await anna.api.unblockUser({ username: 'carl' });
  await anna.api.unblockUser({ username: 'carl' });
  expect(namesOf(await anna.api.getBlockedUsers()).toSorted()).toEqual(['ben', 'ben:bot']);
  await expect(block(anna, anna)).rejects.toMatchObject(refused(400));
  for (const username of ['nobody', 'nobody:bot']) {
    await expect(anna.api.blockUser({ username })).rejects.toMatchObject(refused(404));
    await expect(bot.api.unblockUser({ username })).rejects.toMatchObject(refused(404));
  }
  await expect(block(bot, anna)).rejects.toMatchObject(refused(403));
  await expect(anna.api.getBlockedUsers({ cursor: 'bm9uZQ' })).rejects.toMatchObject(refused(400));
});

test('BLOCK-1: blocks of the same millisecond are also listed newest first; the maximum is 1,000', async () => {
  const { dora, emil } = await world.people('dora', 'emil');
  const { key } = (await world.service.read.get(accountByName, 'dora')) ?? { key: 0 };
  // Creating a thousand accounts would take long: insert rows that reference no account instead.
  const rows = Array.from({ length: 999 }, (_, at) => `(${key}, ${-at - 1}, ${at + 1})`);
  await world.sql(`INSERT INTO blocks (account_key, blocked_key, created_at) VALUES ${rows.join()}`);
  await block(dora, emil);
  expect(namesOf(await dora.api.getBlockedUsers({ limit: 1 }))).toEqual(['emil']);
  await world.person('fritz');
  await expect(dora.api.blockUser({ username: 'fritz' })).rejects.toMatchObject(refused(400));
  await block(dora, emil);
  await world.sql('DELETE FROM blocks WHERE blocked_key < 0');
});

test('BLOCK-2: a block is not revealed by any event, field or list', async () => {
  const { gina, hugo } = await world.people('gina', 'hugo');
  await world.direct(gina, hugo);
  const before = await hugo.api.getUser({ username: 'gina' });
  const events = await rowsIn(world, 'events');
  await checkReplay(world, [gina, hugo], () => block(gina, hugo));
  expect(await rowsIn(world, 'events')).toBe(events);
  expect(await hugo.api.getUser({ username: 'gina' })).toEqual(before);
  expect((await hugo.api.getBlockedUsers()).items).toEqual([]);
  expect((await hugo.api.getChats()).items[0]?.participant_count).toBe(2);
});

test('BLOCK-3: while one account has blocked the other, neither can send to their direct chat', async () => {
  const { ida, jan } = await world.people('ida', 'jan');
  const { id: chat_id } = await world.direct(ida, jan);
  const { id: message_id } = await ida.api.sendMessage({ chat_id, text: 'hello' });
  const once = { chat_id, text: 'before', client_msg_id: 'once' };
  await jan.api.sendMessage(once);
  await block(ida, jan);
  const tries = ({ api }: Actor, username: string) => [
    () => api.sendMessage({ chat_id, text: 'more' }),
    () => api.setMessageReaction({ message_id, emoji: '👍' }),
    () => api.pinMessage({ chat_id, message_id }),
    () => api.unpinMessage({ chat_id, message_id }),
    () => api.unpinMessage({ chat_id }),
    () => api.startChat({ username }),
  ];
  for (const attempt of tries(jan, 'ida')) await expect(attempt()).rejects.toMatchObject(notHere);
  for (const attempt of tries(ida, 'jan'))
    await expect(attempt()).rejects.toMatchObject({ status: 403, description: expect.stringContaining('unblock') });
  // A retry of an earlier message stores nothing, and succeeds.
  await jan.api.sendMessage(once);
  expect((await jan.api.getChatHistory({ chat_id })).items).toHaveLength(2);
  await ida.api.unblockUser({ username: 'jan' });
  await jan.api.sendMessage({ chat_id, text: 'again' });
  expect((await jan.api.startChat({ username: 'ida' })).id).toBe(chat_id);
});

test('BLOCK-3: if one has blocked the other, neither can start their direct chat; a chat with oneself can still be started', async () => {
  const { kim, lou } = await world.people('kim', 'lou');
  await block(kim, lou);
  await expect(lou.api.startChat({ username: 'kim' })).rejects.toMatchObject(notHere);
  await expect(kim.api.startChat({ username: 'lou' })).rejects.toMatchObject(refused(403));
  await kim.api.startChat({ username: 'kim' });
  expect(await rowsIn(world, "chats WHERE kind = 'direct' AND direct_pair IS NOT NULL")).toBeGreaterThan(0);
});

test('BLOCK-3, BLOCK-8: in a direct chat a blocked bot cannot start a stream, gets no query and cannot confirm a button press', async () => {
  const { max, nora } = await world.people('max', 'nora');
  const bot = await world.bot(max);
  await max.api.setBotConfig({ username: bot.username, is_public: true });
  const { id: chat_id } = await world.direct(nora, bot);
  const { id: message_id } = await bot.api.sendMessage({ chat_id, text: '{% button action="vote:yes" /%}' });
  const { id: group } = await world.group(max, nora);
  await max.api.addGroupAgent({ chat_id: group, agent_username: bot.username });
  const live = await bot.socket();
  // Blocking the bot's owner blocks the bot too.
  await block(nora, max);
  await expect(bot.api.startMessageStream({ chat_id })).rejects.toMatchObject(notHere);
  await expect(bot.api.sendMessage({ chat_id, text: 'hi' })).rejects.toMatchObject(notHere);
  await expect(bot.api.startChat({ username: 'nora' })).rejects.toMatchObject(notHere);
  await expect(nora.api.queryInline({ chat_id, bot_username: bot.username })).rejects.toMatchObject(refused(403));
  await expect(nora.api.sendComponentAction({ chat_id, message_id, action: 'vote:yes' })).rejects.toMatchObject(
    refused(403),
  );
  // In a group the blocked bot can still stream.
  const { id } = await bot.api.startMessageStream({ chat_id: group });
  await bot.api.finishMessageStream({ message_id: id, text: 'hello all' });
  expect(live.isOpen).toBe(true);
});

test('BLOCK-3: turns that wait for an agent when it is blocked do not start', async () => {
  const olga = await world.person('olga');
  const { agent, chat } = await agentChat(world, olga);
  const { id: chat_id } = chat;
  const gate = Promise.withResolvers<void>();
  world.providers.script(agent.key, { hold: gate.promise, chunks: ['done'] });
  for (let at = 0; at < 5; at += 1) await olga.api.sendMessage({ chat_id, text: `question ${at}` });
  // Four turns run, the fifth waits.
  await world.providers.waitForRequest(agent.key, 4);
  await olga.api.blockUser({ username: agent.username });
  gate.resolve();
  await world.turnsEnded();
  expect(world.providers.requestsOf(agent.key)).toHaveLength(4);
  expect(await rowsIn(world, "turns WHERE state IN ('queued', 'streaming') AND runner = 'server'")).toBe(0);
});

test('BLOCK-4: pushAlert by a blocked bot succeeds, but the alert is dropped', async () => {
  const { paul, rosa } = await world.people('paul', 'rosa');
  const bot = await world.bot(paul);
  const { id: chat_id } = await world.group(paul, rosa);
  await paul.api.addGroupAgent({ chat_id, agent_username: bot.username });
  await block(rosa, paul);
  const socket = await rosa.socket();
  for (const { api } of [paul, bot]) expect(await api.pushAlert({ to_username: 'rosa', text: 'look' })).toBeUndefined();
  await rosa.api.unblockUser({ username: 'paul' });
  await paul.api.pushAlert({ to_username: 'rosa', text: 'look again' });
  expect(await socket.event('alert')).toMatchObject({ text: 'look again' });
});

test('BLOCK-5: accounts that have blocked the caller are left out when the caller adds people', async () => {
  const { sara, theo, ulla } = await world.people('sara', 'theo', 'ulla');
  await block(theo, sara);
  const { id: chat_id, participants } = await world.group(sara, theo, ulla);
  expect(namesOf({ items: participants })).toEqual(['sara', 'ulla']);
  await sara.api.addMembers({ chat_id, usernames: ['theo'] });
  expect((await sara.api.getChat({ chat_id })).participant_count).toBe(2);
  expect((await theo.api.getChats()).items.map(({ id }) => id)).not.toContain(chat_id);
  // An admin who is not blocked can add these accounts.
  await sara.api.setMemberRole({ chat_id, username: 'ulla', role: 'admin' });
  await ulla.api.addMembers({ chat_id, usernames: ['theo'] });
  expect((await theo.api.getChat({ chat_id })).participant_count).toBe(3);
});

test('BLOCK-7: with a block, typing is not shown in the direct chat, but still in groups', async () => {
  const { vera, wim } = await world.people('vera', 'wim');
  const { id: chat_id } = await world.direct(vera, wim);
  const { id: group } = await world.group(vera, wim);
  await block(vera, wim);
  const sockets = [await vera.socket(), await wim.socket()];
  for (const { api } of [vera, wim])
    for (const place of [chat_id, group]) await api.sendChatAction({ chat_id: place, action: 'typing' });
  await world.settle();
  for (const { frames } of sockets) expect(frames.map(({ params }) => params['conversation_id'])).toEqual([group]);
});

test('BLOCK-9: a block removes neither account from a group and hides nothing there', async () => {
  const { xena, yves } = await world.people('xena', 'yves');
  const { id: chat_id } = await world.group(xena, yves);
  await yves.api.sendMessage({ chat_id, text: 'before' });
  await block(xena, yves);
  await checkReplay(world, [xena, yves], () => yves.api.sendMessage({ chat_id, text: 'after' }));
  expect((await xena.api.getChatHistory({ chat_id })).items.map(({ content }) => content)).toEqual(['before', 'after']);
});

test('BLOCK-1: a deleted bot disappears from all block lists', async () => {
  const { zoe, abel } = await world.people('zoe', 'abel');
  const bot = await world.bot(abel);
  for (const other of [bot, abel]) await block(zoe, other);
  await abel.api.deleteBot({ username: bot.username });
  expect(namesOf(await zoe.api.getBlockedUsers())).toEqual(['abel']);
  expect(
    await rowsIn(world, "blocks WHERE blocked_key IN (SELECT key FROM accounts WHERE username = 'abel:bot')"),
  ).toBe(0);
});
