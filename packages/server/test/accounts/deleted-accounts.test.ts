import { Actor, checkReplay, createWorld, type World } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idBytes } from '../../core/ids.ts';
import { get, photo, upload } from '../helpers/file-stage.ts';
import { allText, rowsIn } from '../helpers/rows-in.ts';

const password = 'correct horse battery staple';
const refused = (status: number) => ({ status });
const gone = { display_name: 'Deleted account', is_deleted: true };

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const leave = ({ api }: Actor): Promise<unknown> => api.deleteAccount({ password });

test('PEOPLE-8, PEOPLE-10, EXT-6: a deleted person loses access, and its messages show it as a deleted account', async () => {
  const anna = await world.member('anna');
  const phone = await world.signIn(anna);
  const { ben } = await world.people('ben');
  const bot = await world.bot(anna);
  const { id: chat_id } = await world.group(ben, anna);
  const { id: direct } = await world.direct(anna, ben);
  await anna.api.sendMessage({ chat_id, text: 'to all' });
  await anna.api.sendMessage({ chat_id: direct, text: 'to you' });
  const sockets = [await anna.socket(), await phone.socket(), await bot.socket()];
  const watching = await ben.socket('ext');
  await checkReplay(world, [ben], () => leave(anna));
  for (const socket of sockets) expect(await socket.closed).toMatchObject({ code: 4401 });
  for (const { api } of [anna, phone, bot]) await expect(api.getMe()).rejects.toMatchObject(refused(401));
  expect(await watching.event('accountUpdated', ({ username }) => username === 'anna')).toMatchObject(gone);
  for (const id of [chat_id, direct]) {
    const { items } = await ben.api.getChatHistory({ chat_id: id });
    expect(items.map(({ sender }) => sender)).toEqual([expect.objectContaining({ username: 'anna', ...gone })]);
  }
  const tombstone = await ben.api.getUser({ username: 'anna' });
  expect(Object.keys(tombstone).toSorted()).toEqual(['created_at', 'display_name', 'is_deleted', 'kind', 'username']);
  expect((await ben.api.getUsers({ usernames: ['anna', 'anna:provider_a'] })).items).toEqual([]);
  for (const query of ['anna', 'Deleted']) expect((await ben.api.getUsers({ query })).items).toEqual([]);
  for (const username of ['anna', 'anna:bot', 'anna:provider_a'])
    await expect(ben.api.startChat({ username })).rejects.toMatchObject(refused(404));
});

test('PEOPLE-10: a deleted person’s username can never be taken again, by any operation', async () => {
  const carla = await world.member('carla');
  await leave(carla);
  const visitor = new Actor(world, 'carla', 'dev:carla');
  await expect(visitor.api.signIn({ username: 'carla', password })).rejects.toMatchObject(refused(401));
  await expect(visitor.api.signUp({ username: 'carla', password })).rejects.toMatchObject(refused(409));
  await expect(visitor.api.getMe()).rejects.toMatchObject(refused(401));
});

test('PEOPLE-8: deleteAccount needs the right password; development accounts and bots have none', async () => {
  const dina = await world.member('dina');
  const { emma } = await world.people('emma');
  const bot = await world.bot(emma);
  await expect(dina.api.deleteAccount({ password: 'wrong' })).rejects.toMatchObject(refused(403));
  for (const actor of [emma, bot]) await expect(leave(actor)).rejects.toMatchObject(refused(403));
  expect(await dina.api.getMe()).toMatchObject({ username: 'dina' });
  const ends = await Promise.allSettled([leave(dina), leave(dina)]);
  expect(ends.map(({ status }) => status)).toContain('fulfilled');
  await expect(dina.api.getMe()).rejects.toMatchObject(refused(401));
});

test('PEOPLE-11: a deleted person’s groups go to the oldest admin, otherwise to the oldest human member', async () => {
  const fay = await world.member('fay');
  const { gus, hal, ida } = await world.people('gus', 'hal', 'ida');
  const bot = await world.bot(fay, 'helper');
  const withAdmin = await world.group(fay, gus, hal, ida);
  const plain = await world.group(fay, gus, hal);
  const alone = await world.group(fay);
  await fay.api.addGroupAgent({ chat_id: plain.id, agent_username: bot.username });
  for (const { username } of [ida, hal])
    await fay.api.setMemberRole({ chat_id: withAdmin.id, username, role: 'admin' });
  await checkReplay(world, [gus, hal], () => leave(fay));
  const rolesIn = async (chat_id: string) =>
    (await gus.api.getChat({ chat_id })).participants.map(({ username, role }) => `${username} ${role}`);
  expect(await rolesIn(withAdmin.id)).toEqual(['gus member', 'hal owner', 'ida admin']);
  expect(await rolesIn(plain.id)).toEqual(['gus owner', 'hal member']);
  const left = 'SELECT p.account_key FROM participants p JOIN chats c ON c.key = p.chat_key WHERE c.id = $1';
  expect(await world.sql(left, idBytes(alone.id))).toEqual([]);
});

test('PEOPLE-11: a group goes to nobody who is disabled, if somebody else is in it', async () => {
  const moe = await world.member('moe');
  const { nora, otto } = await world.people('nora', 'otto');
  const { id: chat_id } = await world.group(moe, nora, otto);
  await moe.api.setMemberRole({ chat_id, username: 'nora', role: 'admin' });
  await world.sql("UPDATE accounts SET disabled_at = 1 WHERE username = 'nora'");
  await leave(moe);
  const { participants } = await otto.api.getChat({ chat_id });
  expect(participants.map(({ username, role }) => `${username} ${role}`)).toEqual(['nora admin', 'otto owner']);
});

test('PEOPLE-12: a deleted person’s direct chats stay readable for the other accounts, which cannot write there', async () => {
  const jan = await world.member('jan');
  const { kim } = await world.people('kim');
  const bot = await world.bot(kim);
  const { id: chat_id } = await world.direct(jan, kim);
  const { id: message_id } = await jan.api.sendMessage({ chat_id, text: 'stays' });
  const again = { chat_id, text: 'sent before', client_msg_id: 'once' };
  const sent = await kim.api.sendMessage(again);
  const { id: withBot } = await world.direct(kim, bot);
  await leave(jan);
  await expect(kim.api.sendMessage({ chat_id, text: 'anybody?' })).rejects.toMatchObject(refused(403));
  await expect(kim.api.setMessageReaction({ message_id, emoji: '😢' })).rejects.toMatchObject(refused(403));
  // A retry of an earlier message stores nothing, and succeeds.
  expect((await kim.api.sendMessage(again)).id).toBe(sent.id);
  await kim.api.sendChatAction({ chat_id, action: 'typing' });
  expect((await kim.api.getChatHistory({ chat_id })).items.map(({ content }) => content)).toEqual([
    'stays',
    'sent before',
  ]);
  expect((await kim.api.getChats()).items.map(({ id }) => id)).toContain(chat_id);
  await kim.api.deleteBot({ username: bot.username });
  await expect(kim.api.sendMessage({ chat_id: withBot, text: 'bot?' })).rejects.toMatchObject(refused(403));
});

test('PEOPLE-13: deleting a person ends the turns that the person has fired, and deletes its agents', async () => {
  const lou = await world.member('lou');
  const { max } = await world.people('max');
  await max.api.setAgentKey({ provider: 'provider_a', api_key: 'sk-of-max-1234' });
  const bot = await world.bot(max);
  const own = await world.bot(lou, 'own');
  const { id: chat_id } = await world.group(max, lou);
  for (const agent_username of ['max:provider_a', bot.username])
    await max.api.addGroupAgent({ chat_id, agent_username });
  await lou.api.addGroupAgent({ chat_id, agent_username: own.username });
  const reply = world.providers.steer('sk-of-max-1234');
  const watching = await max.socket();
  await lou.api.sendMessage({ chat_id, text: '@max:provider_a @max:bot hello' });
  const { id: theirs } = await own.api.startMessageStream({ chat_id });
  await own.api.appendMessageStream({ message_id: theirs, delta: 'half', offset: 4 });
  const { id: streamed } = await bot.api.startMessageStream({ chat_id });
  await reply.started;
  await leave(lou);
  const ends = await watching.event('messageComplete', ({ id }) => id === theirs);
  expect(ends).toMatchObject({ status: 'cancelled', content: 'half' });
  await world.turnsEnded();
  expect(await rowsIn(world, "turns WHERE state IN ('queued', 'streaming') AND runner = 'server'")).toBe(0);
  expect(await bot.api.appendMessageStream({ message_id: streamed, delta: 'x', offset: 1 })).toMatchObject({
    cancel_requested: true,
  });
  const { participants, participant_count } = await max.api.getChat({ chat_id });
  expect([participants.length, participant_count]).toEqual([3, 3]);
  await max.api.sendMessage({ chat_id, text: '@lou @lou:own where are you' });
  const { items } = await max.api.getChatHistory({ chat_id });
  expect(items.at(-1)).toMatchObject({ mentions: [], dispatch: [] });
});

test('PEOPLE-9: the database keeps nothing about the person but its username and its messages', async () => {
  const zora = await world.member('zora');
  const { yuri } = await world.people('yuri');
  const signs: string[] = [];
  // Each text ends differently, because only the last four characters of a secret (its tail) are stored readably.
  const sign = (what: string): string => {
    const text = `${what}-zq${signs.length + 10}`;
    signs.push(text);
    return text;
  };
  const { token } = await zora.api.signIn({
    username: 'zora',
    password,
    device: { name: sign('device'), platform: sign('platform'), app_version: sign('version') },
  });
  const phone = new Actor(world, 'zora', token);
  const { id: avatar_file_id } = await upload(zora, await photo('png'), 'me.png');
  const { avatar_url = '' } = await zora.api.updateProfile({
    display_name: sign('name'),
    bio: sign('bio'),
    avatar_file_id,
  });
  signs.push(avatar_url.replace('/avatars/', '').replace('.webp', ''));
  const bot = await world.bot(zora);
  await bot.api.updateProfile({ display_name: sign('bot'), bio: sign('bot-bio') });
  const { id: chat_id } = await world.group(yuri, zora);
  const { id: direct } = await world.direct(zora, yuri);
  const { id: message_id } = await yuri.api.sendMessage({ chat_id, text: 'hello' });
  await zora.api.saveDraft({ chat_id, text: sign('draft') });
  await zora.api.saveDraft({ chat_id: direct, text: sign('direct-draft') });
  await zora.api.setAgentKey({ provider: 'provider_a', api_key: sign('sk-of-zora') });
  signs.push(`••••${signs.pop()?.slice(-4)}`);
  await zora.api.setBotConfig({ username: 'zora:provider_b', config: { system_prompt: sign('prompt') } });
  await zora.api.setMyBotConfig({ username: 'zora:provider_b', config: { model: sign('model') } });
  await phone.api.registerPushToken({ platform: 'ios', token: 'abcdef0123456789' });
  signs.push('abcdef0123456789');
  await zora.api.deleteMessagesForMe({ message_ids: [message_id] });
  await zora.api.blockUser({ username: 'yuri' });
  await zora.api.setChatNotifications({ chat_id: direct, is_muted: true });
  await zora.api.setPrivacy({ last_seen: false });
  await zora.api.setStatus({ text: sign('status') });
  const text = await allText(world);
  expect(signs.filter((one) => !text.includes(one))).toEqual([]);
  await leave(zora);
  while (world.services.some(({ files }) => !files.isIdle)) await turnOfLoop();
  const left = await allText(world);
  expect(signs.filter((one) => left.includes(one))).toEqual([]);
  const key = "(SELECT key FROM accounts WHERE username = 'zora')";
  expect(await rowsIn(world, `participants WHERE account_key = ${key} AND (is_muted = 1 OR read_key <> 0)`)).toBe(0);
  expect((await get(world, avatar_url)).status).toBe(404);
});
