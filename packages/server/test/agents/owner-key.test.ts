import type { Conversation, Message } from '@parley/protocol';
import { type Actor, createWorld, type World } from '@parley/testing';
import { describe, expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { rowsIn } from '../helpers/rows-in.ts';

/** Olga owns an agent with a key, which is in a group with her and Mallory. */
async function stage(world: World) {
  const { olga, mallory } = await world.people('olga', 'mallory');
  const agent = await keyedAgent(world, olga);
  world.providers.script(agent.key, { chunks: ['ok'], usage: { input: 60, output: 40 } });
  const group = await world.group(olga, mallory);
  await olga.api.addGroupAgent({ chat_id: group.id, agent_username: agent.username });
  const paid = () => world.providers.requestsOf(agent.key);
  return { olga, mallory, agent, username: agent.username, group, paid };
}

/** Asks the agent and returns its newest reply after all turns have ended. */
async function ask(world: World, asker: Actor, chat: Conversation, agent: string): Promise<Message | undefined> {
  await asker.api.sendMessage({ chat_id: chat.id, text: `@${agent} hello` });
  await world.turnsEnded();
  const { items } = await asker.api.getChatHistory({ chat_id: chat.id });
  return items.findLast(({ sender }) => sender.kind === 'agent');
}

const ownKeyNeeded = {
  status: 'failed',
  finish_reason: 'no_key',
  content: expect.stringMatching(/API key of your own/),
};
const cancelled = { status: 'cancelled' };

describe('who may use the owner’s key', () => {
  test('KEY-10: a human who has left the group cannot use the owner’s key in a private chat with the agent', async () => {
    await using world = await createWorld();
    const { olga, mallory, username, group, paid } = await stage(world);
    const chat = await mallory.api.startChat({ username });
    expect(await ask(world, mallory, chat, username)).toMatchObject({ status: 'complete' });
    await olga.api.removeMember({ chat_id: group.id, username: 'mallory' });
    const socket = await mallory.socket();
    expect(await ask(world, mallory, chat, username)).toMatchObject(ownKeyNeeded);
    expect(await socket.event('alert')).toMatchObject({
      level: 'error',
      text: expect.stringMatching(/key of your own/),
    });
    expect(paid()).toHaveLength(1);
    // With the asker's own key the agent answers.
    world.providers.script('key-of-mallory', { chunks: ['ok'] });
    await mallory.api.setMyBotConfig({ username, secrets: { api_key: 'key-of-mallory' } });
    expect(await ask(world, mallory, chat, username)).toMatchObject({ status: 'complete' });
    expect([paid().length, world.providers.requestsOf('key-of-mallory').length]).toEqual([1, 1]);
  });

  test('ALERT-7: only the owner of the key that paid is shown what the provider said', async () => {
    await using world = await createWorld();
    const { olga, mallory, agent, username, group } = await stage(world);
    const fails = (key: string) =>
      world.providers.script(key, { status: 400, message: 'org 12 may not use this model' });
    fails(agent.key);
    const alertAfter = async (asker: Actor) => {
      const socket = await asker.socket();
      await ask(world, asker, group, username);
      return socket.event('alert');
    };
    const ofMallory = await alertAfter(mallory);
    expect(ofMallory).toMatchObject({ reason: 'bad_request', text: expect.stringContaining('rejected the request') });
    expect(JSON.stringify(ofMallory)).not.toContain('org 12');
    const shown = { reason: 'bad_request', details: 'org 12 may not use this model' };
    expect(await alertAfter(olga)).toMatchObject({ ...shown, text: ofMallory.text });
    fails('key-of-mallory');
    await mallory.api.setMyBotConfig({ username, secrets: { api_key: 'key-of-mallory' } });
    expect(await alertAfter(mallory)).toMatchObject(shown);
  });

  test('KEY-10: a public agent uses its owner’s key in private chats only if pays_for is everyone', async () => {
    await using world = await createWorld();
    const { olga, mallory, username, group, paid } = await stage(world);
    const sam = await world.person('sam');
    await olga.api.setBotConfig({ username, is_public: true });
    const chat = await sam.api.startChat({ username });
    expect(await ask(world, sam, chat, username)).toMatchObject(ownKeyNeeded);
    await olga.api.setBotConfig({ username, pays_for: 'everyone' });
    expect(await ask(world, sam, chat, username)).toMatchObject({ status: 'complete' });
    await olga.api.setBotConfig({ username, pays_for: 'nobody' });
    expect(await ask(world, sam, chat, username)).toMatchObject(ownKeyNeeded);
    expect(await ask(world, mallory, group, username)).toMatchObject(ownKeyNeeded);
    expect(await ask(world, olga, group, username)).toMatchObject({ status: 'complete' });
    expect(paid()).toHaveLength(2);
  });

  test('KEY-10: a retry decides again whose key pays', async () => {
    await using world = await createWorld();
    const { olga, mallory, username, group, paid } = await stage(world);
    const chat = await mallory.api.startChat({ username });
    const reply = await ask(world, mallory, chat, username);
    await olga.api.removeMember({ chat_id: group.id, username: 'mallory' });
    await mallory.api.retryReply({ message_id: reply?.id ?? '' });
    await world.turnsEnded();
    const { items } = await mallory.api.getChatHistory({ chat_id: chat.id });
    expect(items.at(-1)).toMatchObject(ownKeyNeeded);
    expect(paid()).toHaveLength(1);
  });

  test('KEY-10: a turn that is repeated after a crash decides again whose key pays', async () => {
    await using world = await createWorld();
    const { olga, mallory, agent, username, group, paid } = await stage(world);
    const open = agent.steer();
    await mallory.api.sendMessage({ chat_id: group.id, text: `@${username} hello` });
    await open.started;
    // A running turn continues under the terms of its claim.
    await olga.api.setBotConfig({ username, pays_for: 'nobody' });
    await world.crash();
    await world.turnsEnded();
    const { items } = await mallory.api.getChatHistory({ chat_id: group.id });
    expect(items.at(-1)).toMatchObject(ownKeyNeeded);
    expect(paid()).toHaveLength(1);
  });

  test('KEY-10: whether the owner pays for an agent fired by another agent depends on the human at the root', async () => {
    await using world = await createWorld();
    const { olga, mallory, username, group, paid } = await stage(world);
    const own = await keyedAgent(world, mallory);
    world.providers.script(own.key, { chunks: [`@${username} do it`] });
    await mallory.api.addGroupAgent({ chat_id: group.id, agent_username: own.username });
    await olga.api.setBotConfig({ username, pays_for: 'nobody' });
    await mallory.api.sendMessage({ chat_id: group.id, text: `@${own.username} go` });
    await world.turnsEnded();
    const { items } = await mallory.api.getChatHistory({ chat_id: group.id });
    expect(items.at(-1)).toMatchObject({ ...ownKeyNeeded, sender: { username } });
    expect(paid()).toHaveLength(0);
  });
});

describe('an asker’s settings', () => {
  test('KEY-11: an asker’s model and 64,000 tokens are ignored on the owner’s key', async () => {
    await using world = await createWorld({ env: { PROVIDER_A_MODEL: 'small' } });
    const { olga, mallory, username, group, paid } = await stage(world);
    const body = async () => {
      expect(await ask(world, mallory, group, username)).toMatchObject({ status: 'complete' });
      const { model, max_tokens, system } = paid().at(-1)?.body ?? {};
      return [model, max_tokens, system];
    };
    const set = (config: Record<string, string>) => mallory.api.setMyBotConfig({ username, config });
    await set({ model: 'huge', max_output_tokens: '64000', system_prompt: 'be brief' });
    expect(await body()).toEqual(['small', 4096, 'be brief']);
    await olga.api.setBotConfig({
      username,
      config: { max_output_tokens: '500' },
      allowed_models: ['large', 'larger'],
    });
    expect(await body()).toEqual(['small', 500, 'be brief']);
    await set({ model: 'large', max_output_tokens: '500' });
    expect(await body()).toEqual(['large', 500, undefined]);
    await set({ model: 'huge', max_output_tokens: '20' });
    expect(await body()).toEqual(['small', 20, undefined]);
  });

  test('KEY-11, PART-20: on the owner’s key an asker’s thinking counts only up to the owner’s', async () => {
    await using world = await createWorld({ env: { PROVIDER_A_MODEL: 'small' } });
    const { olga, mallory, username, group, paid } = await stage(world);
    const effort = async (thinking: string) => {
      await mallory.api.setMyBotConfig({ username, config: { thinking } });
      expect(await ask(world, mallory, group, username)).toMatchObject({ status: 'complete' });
      return paid().at(-1)?.body['output_config'];
    };
    expect(await effort('high')).toBeUndefined();
    await olga.api.setBotConfig({ username, config: { thinking: 'medium' } });
    expect(await effort('high')).toEqual({ effort: 'medium' });
    expect(await effort('low')).toEqual({ effort: 'low' });
    expect(await effort('off')).toBeUndefined();
  });

  test('KEY-11, PROVIDER-36: on the owner’s key an asker’s web search counts only if the owner’s is on', async () => {
    await using world = await createWorld();
    const { olga, mallory, username, group, paid } = await stage(world);
    const isOffered = async (web_search: string) => {
      await mallory.api.setMyBotConfig({ username, config: { web_search } });
      expect(await ask(world, mallory, group, username)).toMatchObject({ status: 'complete' });
      return paid().at(-1)?.body['tools'] !== undefined;
    };
    expect(await isOffered('true')).toBe(false);
    await olga.api.setBotConfig({ username, config: { web_search: 'true' } });
    expect(await isOffered('true')).toBe(true);
    expect(await isOffered('false')).toBe(false);
  });

  test('KEY-11: all of an asker’s values apply on the asker’s own key', async () => {
    await using world = await createWorld();
    const { mallory, username, group, paid } = await stage(world);
    world.providers.script('key-of-mallory', { chunks: ['ok'] });
    const config = { model: 'huge', max_output_tokens: '64000' };
    await mallory.api.setMyBotConfig({ username, config, secrets: { api_key: 'key-of-mallory' } });
    await ask(world, mallory, group, username);
    const [request] = world.providers.requestsOf('key-of-mallory');
    expect(request?.body).toMatchObject({ model: 'huge', max_tokens: 64000 });
    expect(paid()).toHaveLength(0);
  });
});

describe('an asker’s daily tokens', () => {
  test('KEY-12: asker_daily_tokens limits each asker on the owner’s key, and 0 allows none', async () => {
    await using world = await createWorld();
    const { olga, mallory, username, group, paid } = await stage(world);
    await olga.api.setBotConfig({ username, asker_daily_tokens: 150 });
    for (const _ of [1, 2]) expect(await ask(world, mallory, group, username)).toMatchObject({ status: 'complete' });
    const refused = await ask(world, mallory, group, username);
    expect(refused).toMatchObject({ status: 'failed', finish_reason: 'asker_token_cap' });
    expect(refused?.content).toMatch(/tokens .* in a day/);
    expect(refused?.content).not.toMatch(/150/);
    expect(paid()).toHaveLength(2);
    // The cap does not apply to the owner, nor to another agent's key.
    expect(await ask(world, olga, group, username)).toMatchObject({ status: 'complete' });
    await olga.api.setBotConfig({ username, asker_daily_tokens: null });
    expect(await ask(world, mallory, group, username)).toMatchObject({ status: 'complete' });
    await olga.api.setBotConfig({ username, asker_daily_tokens: 0 });
    expect(await ask(world, mallory, group, username)).toMatchObject({ finish_reason: 'asker_token_cap' });
    expect(paid()).toHaveLength(4);
  });

  test('KEY-12: a burst of one asker exceeds the cap by at most one reply', async () => {
    await using world = await createWorld();
    const { olga, mallory, agent, username, group, paid } = await stage(world);
    const chat = await mallory.api.startChat({ username });
    // The usage of a prompt of 30,000 bytes in letters of three bytes.
    const usage = { input: 10_000, output: 4_000 };
    const text = `@${username} ${'語'.repeat(10_000)}`;
    const gate = Promise.withResolvers<void>();
    world.providers.script(agent.key, { chunks: ['ok'], usage, hold: gate.promise });
    await olga.api.setBotConfig({ username, asker_daily_tokens: 28_000 });
    // Concurrently in two conversations, on any node.
    await Promise.all(
      Array.from({ length: 10 }, async (_, at) =>
        mallory.api.sendMessage({ chat_id: at % 2 === 0 ? chat.id : group.id, text }),
      ),
    );
    await world.providers.waitForRequest(agent.key, 2);
    await world.settle();
    // What one of them reserves is below the cap, what two reserve is not.
    expect(paid()).toHaveLength(2);
    gate.resolve();
    await world.turnsEnded();
    expect(paid()).toHaveLength(2);
    expect(await rowsIn(world, "turns WHERE state = 'failed'")).toBe(8);
    expect((await olga.api.getUsage()).items.reduce((sum, item) => sum + item.owner_key_tokens, 0)).toBe(28_000);
    // The owner's own turns do not wait, nor do turns far below the cap.
    await olga.api.setBotConfig({ username, asker_daily_tokens: 10_000_000 });
    const held = Promise.withResolvers<void>();
    world.providers.script(agent.key, { chunks: ['ok'], hold: held.promise });
    for (const asker of [mallory, olga])
      for (let n = 0; n < 3; n += 1) await asker.api.sendMessage({ chat_id: group.id, text: `@${username} hello` });
    await world.providers.waitForRequest(agent.key, 8);
    held.resolve();
  });

  test('KEY-12: a retry that would have to wait is rate_limited', async () => {
    await using world = await createWorld();
    const { olga, mallory, agent, username, group } = await stage(world);
    await olga.api.setBotConfig({ username, asker_daily_tokens: 4_000 });
    const reply = await ask(world, mallory, group, username);
    const open = agent.steer();
    await mallory.api.sendMessage({ chat_id: group.id, text: `@${username} hello` });
    await open.started;
    await expect(mallory.api.retryReply({ message_id: reply?.id ?? '' })).rejects.toMatchObject({
      status: 429,
      parameters: { retry_after: 1 },
    });
    open.end();
    await world.turnsEnded();
  });

  test.for([
    ['stops', async (asker, message_id, chat_id) => asker.api.stopRun({ chat_id, message_id })],
    ['deletes', async (asker, message_id) => asker.api.deleteMessages({ message_ids: [message_id] })],
  ] as const satisfies readonly (readonly [string, (asker: Actor, id: string, chat: string) => Promise<unknown>])[])(
    'KEY-15: an asker who %s each reply before its provider reports usage still reaches the cap',
    async ([, end]) => {
      await using world = await createWorld();
      const { olga, mallory, agent, username } = await stage(world);
      const chat = await mallory.api.startChat({ username });
      await olga.api.setBotConfig({ username, asker_daily_tokens: 5_000 });
      const socket = await mallory.socket();
      for (const _ of [1, 2]) {
        const reply = agent.steer();
        const asked = await mallory.api.sendMessage({ chat_id: chat.id, text: 'a long story' });
        const { id } = await socket.event('messageNew', ({ reply_to_id }) => reply_to_id === asked.id);
        await reply.started;
        reply.text('long '.repeat(2_000));
        await socket.event('messageDelta', (delta) => delta.id === id);
        await end(mallory, id, chat.id);
        await world.turnsEnded();
      }
      await mallory.api.sendMessage({ chat_id: chat.id, text: 'a long story' });
      await world.turnsEnded();
      const { items } = await mallory.api.getChatHistory({ chat_id: chat.id });
      expect(items.at(-1)).toMatchObject({ status: 'failed', finish_reason: 'asker_token_cap' });
      const [used] = (await olga.api.getUsage()).items;
      expect(used?.owner_key_tokens).toBeGreaterThan(5_000);
      expect(used).toMatchObject({ username: 'mallory', input_tokens: 24, output_tokens: 2, replies: 2 });
    },
  );

  test('KEY-15: without a reported usage tokens are estimated from the texts; a request that the provider refuses counts none', async () => {
    await using world = await createWorld();
    const { olga, mallory, agent, username, group } = await stage(world);
    const used = async () => (await olga.api.getUsage()).items[0]?.owner_key_tokens ?? 0;
    world.providers.script(agent.key, { status: 401 });
    expect(await ask(world, mallory, group, username)).toMatchObject({ status: 'failed' });
    expect(await used()).toBe(0);
    world.providers.script(agent.key, { chunks: ['x'.repeat(4_000)], usage: null });
    const reply = await ask(world, mallory, group, username);
    expect(reply).toMatchObject({ status: 'complete' });
    expect(reply).not.toHaveProperty('usage');
    expect(await used()).toBeGreaterThan(1_000);
    expect(await used()).toBeLessThan(1_200);
  });

  test('KEY-12: tokens on the asker’s own key do not count, and getUsage shows them separately', async () => {
    await using world = await createWorld();
    const { olga, mallory, username, group } = await stage(world);
    await olga.api.setBotConfig({ username, asker_daily_tokens: 100 });
    world.providers.script('key-of-mallory', { chunks: ['ok'], usage: { input: 500, output: 500 } });
    await mallory.api.setMyBotConfig({ username, secrets: { api_key: 'key-of-mallory' } });
    expect(await ask(world, mallory, group, username)).toMatchObject({ status: 'complete' });
    await mallory.api.setMyBotConfig({ username, secrets: { api_key: '' } });
    expect(await ask(world, mallory, group, username)).toMatchObject({ status: 'complete' });
    expect(await ask(world, mallory, group, username)).toMatchObject({ finish_reason: 'asker_token_cap' });
    expect((await olga.api.getUsage()).items).toMatchObject([
      { username: 'mallory', input_tokens: 560, output_tokens: 540, owner_key_tokens: 100 },
    ]);
  });
});

describe('the end of the permission', () => {
  test.for([
    [
      'the owner removes the asker',
      async (olga, _m, chat_id) => olga.api.removeMember({ chat_id, username: 'mallory' }),
    ],
    ['the asker leaves', async (_o, mallory, chat_id) => mallory.api.leaveChat({ chat_id })],
    [
      'the owner removes the agent',
      async (olga, _m, chat_id) => olga.api.removeGroupAgent({ chat_id, agent_username: 'olga:provider_a' }),
    ],
    ['the owner blocks the asker', async (olga) => olga.api.blockUser({ username: 'mallory' })],
  ] as const satisfies readonly (readonly [string, (o: Actor, m: Actor, chat: string) => Promise<unknown>])[])(
    'KEY-13: running and waiting turns in a private chat end when %s',
    async ([, end]) => {
      await using world = await createWorld();
      const { olga, mallory, agent, username, group, paid } = await stage(world);
      const chat = await mallory.api.startChat({ username });
      const reply = agent.steer();
      // A cap that four concurrent replies cannot use up.
      await olga.api.setBotConfig({ username, asker_daily_tokens: 1_000_000 });
      for (const _ of Array.from({ length: 10 })) await mallory.api.sendMessage({ chat_id: chat.id, text: 'again' });
      await reply.started;
      reply.text('half');
      await world.providers.waitForRequest(agent.key, 4);
      await end(olga, mallory, group.id);
      await world.turnsEnded();
      expect(paid()).toHaveLength(4);
      expect(await rowsIn(world, "turns WHERE state IN ('queued', 'streaming')")).toBe(0);
      const { items } = await mallory.api.getChatHistory({ chat_id: chat.id });
      for (const { sender, ...rest } of items) if (sender.kind === 'agent') expect(rest).toMatchObject(cancelled);
    },
  );

  test('KEY-13: in a common group a blocked human cannot use the owner’s key; other members can', async () => {
    await using world = await createWorld();
    const { olga, mallory, agent, username, group, paid } = await stage(world);
    const gus = await world.person('gus');
    await olga.api.addMembers({ chat_id: group.id, usernames: ['gus'] });
    const reply = agent.steer();
    await mallory.api.sendMessage({ chat_id: group.id, text: `@${username} hello` });
    await reply.started;
    await olga.api.blockUser({ username: 'mallory' });
    await world.turnsEnded();
    world.providers.script(agent.key, { chunks: ['ok'] });
    expect(await ask(world, mallory, group, username)).toMatchObject(ownKeyNeeded);
    expect(await ask(world, gus, group, username)).toMatchObject({ status: 'complete' });
    expect(paid()).toHaveLength(2);
    await olga.api.unblockUser({ username: 'mallory' });
    expect(await ask(world, mallory, group, username)).toMatchObject({ status: 'complete' });
  });

  test('BLOCK-8: a human whom an owner has blocked cannot write to its agents, nor they to that human', async () => {
    await using world = await createWorld();
    const { olga, mallory, username } = await stage(world);
    const chat = await mallory.api.startChat({ username });
    const bot = await world.bot(olga);
    await olga.api.setBotConfig({ username: bot.username, is_public: true });
    const { id: chat_id } = await mallory.api.startChat({ username: bot.username });
    await olga.api.blockUser({ username: 'mallory' });
    for (const send of [
      () => mallory.api.sendMessage({ chat_id: chat.id, text: 'x' }),
      () => mallory.api.sendMessage({ chat_id, text: 'x' }),
      () => bot.api.sendMessage({ chat_id, text: 'x' }),
      () => mallory.api.startChat({ username }),
    ])
      await expect(send()).rejects.toMatchObject({ status: 403 });
  });

  test('BLOCK-10: a bot is not fired for a human whom its owner has blocked, and gets no settings of that human', async () => {
    await using world = await createWorld();
    const { olga, mallory, group } = await stage(world);
    const bot = await botIn(world, olga, group, 'helper');
    const fire = () => mallory.api.sendMessage({ chat_id: group.id, text: `@${bot.username} hello` });
    const before = await fire();
    expect(before.dispatch).toEqual([bot.username]);
    await olga.api.blockUser({ username: 'mallory' });
    expect((await fire()).dispatch).toEqual([]);
    const daemon = await bot.socket();
    const query = { chat_id: group.id, bot_username: bot.username, query: 'tea' };
    expect(await mallory.api.queryInline(query)).toEqual({ results: [] });
    await world.settle();
    expect(daemon.all('inlineQuery')).toEqual([]);
    await expect(bot.api.getRunConfig({ message_id: before.id })).rejects.toMatchObject({ status: 404 });
  });
});

test('KEY-14: pays_for, allowed models and the daily cap can be set and seen only by the owner', async () => {
  await using world = await createWorld();
  const { olga, mallory, username } = await stage(world);
  const terms = { pays_for: 'groups', allowed_models: [], asker_daily_tokens: 200_000 };
  expect(await olga.api.getMyBotConfig({ username })).toMatchObject(terms);
  const set = { pays_for: 'everyone' as const, allowed_models: ['one', 'two'], asker_daily_tokens: 5 };
  expect(await olga.api.setBotConfig({ username, ...set })).toMatchObject(set);
  // Fields that are not given stay.
  expect(await olga.api.setBotConfig({ username, config: { model: 'm' } })).toMatchObject(set);
  expect(await olga.api.setBotConfig({ username, allowed_models: [] })).toMatchObject({ ...set, allowed_models: [] });
  expect(await olga.api.setBotConfig({ username, asker_daily_tokens: null })).toMatchObject({
    asker_daily_tokens: 200_000,
  });
  for (const field of Object.keys(terms)) {
    expect(await mallory.api.getMyBotConfig({ username })).not.toHaveProperty(field);
    expect(await mallory.api.setMyBotConfig({ username, config: {} })).not.toHaveProperty(field);
  }
  await expect(mallory.api.setBotConfig({ username, ...set })).rejects.toMatchObject({ status: 403 });
  for (const [field, wrong] of [
    ['pays_for', 'friends'],
    ['pays_for', true],
    ['allowed_models', 'one'],
    ['allowed_models', ['']],
    ['allowed_models', [1]],
    ['asker_daily_tokens', -1],
    ['asker_daily_tokens', 1.5],
    ['asker_daily_tokens', '5'],
  ] as const)
    await expect(olga.api.setBotConfig({ username, [field]: wrong })).rejects.toMatchObject({ status: 400 });
});
