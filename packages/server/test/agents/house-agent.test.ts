// The house's agent: everyone's first chat, at the cost of the operator's key, within budgets.
import type { Message } from '@parley/protocol';
import { Actor, createWorld, type World, type WorldOptions } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { describe, expect, test } from 'vitest';
import { rowsIn } from '../helpers/rows-in.ts';

const KEY = 'sk-house-0123456789';
const username = 'parley:house';
const password = 'correct horse battery staple';
const env = { HOUSE_AGENT: 'provider_b', HOUSE_AGENT_KEY: KEY };

const houseWorld = (more: Record<string, string> = {}, options: WorldOptions = {}) =>
  createWorld({ ...options, env: { ...env, ...more } });

async function member(world: World, name: string): Promise<Actor> {
  const { token } = await new Actor(world, name, '').api.signUp({ username: name, password });
  return new Actor(world, name, token);
}

async function ask(world: World, asker: Actor, text = 'hello'): Promise<Message | undefined> {
  const { id: chat_id } = await asker.api.startChat({ username });
  await asker.api.sendMessage({ chat_id, text });
  await world.turnsEnded();
  return (await asker.api.getChatHistory({ chat_id })).items.findLast(({ sender }) => sender.kind === 'agent');
}

describe.each([
  ['one process', 0, {}],
  ['two nodes', 2, needs('postgres', 'redis')],
] as const)('in %s', (_name, nodes, needed) => {
  test(
    'HOUSE-1, HOUSE-5: a new account’s first chat is with an agent that answers; the guide’s is below',
    needed,
    async () => {
      await using world = await houseWorld({ HOUSE_AGENT_MODEL: 'house-model' }, { nodes });
      world.providers.script(KEY, { chunks: ['Hello ', 'Ann'] });
      const ann = await member(world, 'ann');
      const { items } = await ann.api.getChats();
      expect(items.map(({ participants }) => participants.find(({ kind }) => kind === 'agent')?.username)).toEqual([
        username,
        'parley:guide',
      ]);
      expect(await ask(world, ann)).toMatchObject({ status: 'complete', content: 'Hello Ann' });
      expect(world.providers.requestsOf(KEY)[0]?.body).toMatchObject({ model: 'house-model' });
      expect(await ann.api.getAgent({ username })).toMatchObject({
        display_name: 'Assistant',
        parent_username: 'parley',
        payer: 'parley',
        visibility: 'public',
      });
    },
  );

  test(
    'HOUSE-4: people who ask at the same moment exceed the budget of all by at most one reply; then words say until when',
    needed,
    async () => {
      await using world = await houseWorld(
        { HOUSE_AGENT_DAILY_TOKENS: '9000', HOUSE_AGENT_DAILY_TOKENS_ALL: '9000' },
        { nodes },
      );
      const gate = Promise.withResolvers<void>();
      world.providers.script(KEY, { chunks: ['ok'], usage: { input: 100, output: 3_900 }, hold: gate.promise });
      const people = await Promise.all(
        ['ann', 'bob', 'carl', 'dora', 'eve', 'finn'].map((name) => member(world, name)),
      );
      const asked = await Promise.all(
        people.map(async (who) => {
          const { id: chat_id } = await who.api.startChat({ username });
          await who.api.sendMessage({ chat_id, text: 'hello' });
          return { who, chat_id };
        }),
      );
      await world.providers.waitForRequest(KEY, 2);
      gate.resolve();
      await world.turnsEnded();
      expect(world.providers.requestsOf(KEY)).toHaveLength(3);
      const replies = await Promise.all(
        asked.map(async ({ who, chat_id }) => (await who.api.getChatHistory({ chat_id })).items.at(-1)),
      );
      const refused = replies.filter((reply) => reply?.status === 'failed');
      expect(refused).toHaveLength(3);
      for (const reply of refused)
        expect(reply).toMatchObject({
          finish_reason: 'house_token_cap',
          content: expect.stringMatching(/tomorrow \(UTC\)/),
        });
    },
  );
});

test('HOUSE-4: one person’s budget limits that person alone, and the vendor is not asked', async () => {
  await using world = await houseWorld({ HOUSE_AGENT_DAILY_TOKENS: '100' });
  world.providers.script(KEY, { chunks: ['ok'], usage: { input: 60, output: 40 } });
  const ann = await member(world, 'ann');
  const bob = await member(world, 'bob');
  expect(await ask(world, ann)).toMatchObject({ status: 'complete' });
  expect(await ask(world, ann)).toMatchObject({
    status: 'failed',
    finish_reason: 'asker_token_cap',
    content: expect.stringMatching(/this server.*tomorrow \(UTC\)/),
  });
  expect(world.providers.requestsOf(KEY)).toHaveLength(1);
  expect(await ask(world, bob)).toMatchObject({ status: 'complete' });
  world.providers.script('key-of-ann', { chunks: ['mine'] });
  await ann.api.setMyBotConfig({ username, secrets: { api_key: 'key-of-ann' } });
  expect(await ask(world, ann)).toMatchObject({ status: 'complete', content: 'mine' });
});

test('HOUSE-3: the key reaches nobody: no operation, no event, no log, and no table in the clear', async () => {
  await using world = await houseWorld();
  world.providers.script(KEY, { chunks: ['ok'] });
  const ann = await member(world, 'ann');
  const socket = await ann.socket();
  await ask(world, ann);
  const seen = JSON.stringify([
    await ann.api.getAgent({ username }),
    await ann.api.getMyBotConfig({ username }),
    await ann.api.getUser({ username }),
    await ann.api.getUpdates({ since: 0 }),
    socket.frames,
    world.logs,
  ]);
  expect(seen).not.toContain(KEY);
  expect(seen).not.toContain(KEY.slice(-4));
  expect(await rowsIn(world, `agent_secrets WHERE sealed LIKE '%${KEY}%'`)).toBe(0);
  await expect(ann.api.setBotConfig({ username, config: { model: 'dearest' } })).rejects.toMatchObject({ status: 403 });
  await expect(ann.api.updateAgent({ username, base_url: 'https://evil.example' })).rejects.toMatchObject({
    status: 403,
  });
});

test('HOUSE-3: it is in direct chats only', async () => {
  await using world = await houseWorld();
  const ann = await member(world, 'ann');
  const bob = await member(world, 'bob');
  const group = await world.group(ann, bob);
  await expect(ann.api.addGroupAgent({ chat_id: group.id, agent_username: username })).rejects.toMatchObject({
    status: 403,
  });
  await expect(ann.api.addMembers({ chat_id: group.id, usernames: [username] })).rejects.toMatchObject({ status: 400 });
  await ann.api.sendMessage({ chat_id: group.id, text: `@${username} hello` });
  await world.turnsEnded();
  expect(world.providers.requestsOf(KEY)).toHaveLength(0);
});

test('HOUSE-5: who was here before finds it by search', async () => {
  await using world = await houseWorld();
  const ann = await world.person('ann');
  expect((await ann.api.getChats()).items).toEqual([]);
  const found = await ann.api.getUsers({ query: 'assis' });
  expect(found.items.map((account) => account.username)).toEqual([username]);
});

test('HOUSE-6: without HOUSE_AGENT there is no such agent', async () => {
  await using world = await createWorld();
  const ann = await member(world, 'ann');
  expect((await ann.api.getChats()).items).toHaveLength(1);
  await expect(ann.api.getUser({ username })).rejects.toMatchObject({ status: 404 });
  expect((await ann.api.getUsers({ query: 'assistant' })).items).toEqual([]);
});
