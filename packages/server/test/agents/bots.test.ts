import { Actor, checkReplay, createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const refused = (code: string) => ({ code });

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('BOT-1, ACCT-1: createBot creates an agent of the caller and shows its token once', async () => {
  const { ann } = await world.people('ann');
  const { bot, token } = await ann.api.createBot({
    slug: 'helper',
    display_name: 'Helper',
    config_schema: [{ key: 'tone', label: 'Tone', type: 'string' }],
    secret_schema: [{ key: 'pin', label: 'Pin', type: 'string' }],
  });
  expect(bot).toEqual({
    username: 'ann:helper',
    kind: 'agent',
    display_name: 'Helper',
    parent_username: 'ann',
    agent_provider: 'bot',
    created_at: expect.stringMatching(isoTime),
  });
  expect(await new Actor(world, bot.username, token).api.getMe()).toEqual(bot);
  for (const slug of ['helper', 'provider_a', 'provider_b'])
    await expect(ann.api.createBot({ slug, display_name: 'B' })).rejects.toMatchObject({ status: 409 });
  for (const slug of ['', 'No', 'a:b', 'x'.repeat(33)])
    await expect(ann.api.createBot({ slug, display_name: 'B' })).rejects.toMatchObject({
      parameters: { field: 'slug' },
    });
  const field = { key: 'tone', label: 'Tone', type: 'string' } as const;
  for (const schemas of [{ config_schema: [field, field] }, { config_schema: [field], secret_schema: [field] }])
    await expect(ann.api.createBot({ slug: 'twice', display_name: 'B', ...schemas })).rejects.toMatchObject({
      status: 400,
    });
  const daemon = new Actor(world, bot.username, token);
  await expect(daemon.api.createBot({ slug: 'own', display_name: 'B' })).rejects.toMatchObject({ status: 403 });
});

test('BOT-6: createBot with is_public creates a bot that anyone may start a chat with', async () => {
  const { ada, gil } = await world.people('ada', 'gil');
  const make = async (slug: string, is_public?: boolean) =>
    (await ada.api.createBot({ slug, display_name: 'B', is_public })).bot.username;
  expect((await gil.api.startChat({ username: await make('open', true) })).kind).toBe('direct');
  for (const username of [await make('plain'), await make('shut', false)])
    await expect(gil.api.startChat({ username })).rejects.toMatchObject({ status: 403 });
});

test('BOT-2: a new token invalidates the old one and closes its sockets', async () => {
  const { bea } = await world.people('bea');
  const old = await world.bot(bea);
  const socket = await old.socket();
  const { token } = await bea.api.rotateBotToken({ username: old.username });
  expect(await socket.closed).toMatchObject({ code: 4401 });
  await expect(old.api.getMe()).rejects.toMatchObject(refused('unauthenticated'));
  const renewed = new Actor(world, old.username, token);
  expect(token).not.toBe(old.token);
  expect((await renewed.socket()).hello.params).toMatchObject({ username: old.username });
});

test('BOT-3: only the owner may manage a bot; others get 403 if they can see it, otherwise 404', async () => {
  const { cleo, dora, eve } = await world.people('cleo', 'dora', 'eve');
  const chat = await world.group(cleo, dora);
  const { username } = await botIn(world, cleo, chat);
  for (const name of ['rotateBotToken', 'deleteBot'] as const) {
    await expect(dora.api[name]({ username })).rejects.toMatchObject({ status: 403 });
    await expect(eve.api[name]({ username })).rejects.toMatchObject({ status: 404, description: 'not found: agent' });
    await expect(eve.api[name]({ username: 'cleo:none' })).rejects.toMatchObject({ status: 404 });
    await expect(eve.api[name]({ username: 'parley:guide' })).rejects.toMatchObject({ status: 403 });
    await expect(cleo.api[name]({ username: 'cleo:provider_a' })).rejects.toMatchObject({ status: 400 });
  }
  expect(await cleo.api.getUser({ username })).toMatchObject({ username });
});

test('BOT-4, GROUP-8: a deleted bot leaves its groups, its replies end, its messages stay under its name', async () => {
  const { fay, gil } = await world.people('fay', 'gil');
  const chat = await world.group(fay, gil);
  const bot = await botIn(world, fay, chat);
  const direct = await world.direct(fay, bot);
  const socket = await bot.socket();
  const { id: said } = await bot.api.sendMessage({ chat_id: chat.id, text: 'said' });
  const { id: open } = await bot.api.startMessageStream({ chat_id: chat.id });
  await bot.api.appendMessageStream({ message_id: open, delta: 'half', offset: 4 });
  const watching = await gil.socket();
  await checkReplay(world, [fay, gil], () => fay.api.deleteBot({ username: bot.username }));
  expect(await socket.closed).toMatchObject({ code: 4401 });
  await expect(bot.api.getMe()).rejects.toMatchObject(refused('unauthenticated'));
  expect(await watching.event('messageComplete')).toMatchObject({ id: open, status: 'cancelled', content: 'half' });
  const { items } = await gil.api.getChatHistory({ chat_id: chat.id });
  expect(items.map(({ id, sender }) => [id, sender.username])).toEqual([
    [said, bot.username],
    [open, bot.username],
  ]);
  expect((await gil.api.getChat({ chat_id: chat.id })).participant_count).toBe(2);
  expect((await fay.api.getChats()).items.map(({ id }) => id)).toContain(direct.id);
  await expect(fay.api.getUser({ username: bot.username })).rejects.toMatchObject({ status: 404 });
  await expect(fay.api.createBot({ slug: 'bot', display_name: 'B' })).rejects.toMatchObject({ status: 409 });
});

test('BOT-5: a bot sends and streams where it takes part, and owns nothing', async () => {
  const { hal, ida } = await world.people('hal', 'ida');
  const chat = await world.group(hal, ida);
  const elsewhere = await world.group(hal, ida);
  const bot = await botIn(world, hal, chat);
  const own = await checkReplay(world, [hal, ida, bot], async () => {
    const { id } = await bot.api.startMessageStream({ chat_id: chat.id });
    await bot.api.finishMessageStream({ message_id: id, text: 'streamed' });
    return bot.api.sendMessage({ chat_id: chat.id, text: 'sent' });
  });
  expect(own.sender).toEqual(await bot.api.getMe());
  const notThere = { status: 403, code: 'forbidden' };
  await expect(bot.api.sendMessage({ chat_id: elsewhere.id, text: 'x' })).rejects.toMatchObject(notThere);
  await expect(bot.api.startMessageStream({ chat_id: elsewhere.id })).rejects.toMatchObject(notThere);
  await expect(bot.api.startChat({ usernames: ['ida'], title: 'x' })).rejects.toMatchObject(notThere);
  await expect(bot.api.setAgentKey({ provider: 'provider_a', api_key: 'sk-12345678' })).rejects.toMatchObject(notThere);
  expect((await bot.api.getMyAgents()).items).toEqual([]);
  expect((await bot.api.getChats()).items.map(({ id }) => id)).toEqual([chat.id]);
});
