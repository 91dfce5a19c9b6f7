import { type Actor, checkReplay, createWorld, type World } from '@parley/testing';
import { describe, expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { historyOf } from '../helpers/message-stage.ts';
import { Calendar } from './usage-stage.ts';

const usage = { input: 60, output: 40 };
const complete = { status: 'complete' };
const refused = {
  status: 'failed',
  finish_reason: 'group_token_cap',
  content: expect.stringMatching(/in this group in a month.*Others can go on with an API key of their own/),
};

/** Olga's agent, whose replies use 100 tokens each, in a group with Mallory. */
async function stage(world: World) {
  const { olga, mallory } = await world.people('olga', 'mallory');
  const agent = await keyedAgent(world, olga);
  world.providers.script(agent.key, { chunks: ['ok'], usage });
  const { username } = agent;
  const group = async () => {
    const { id } = await world.group(olga, mallory);
    await olga.api.addGroupAgent({ chat_id: id, agent_username: username });
    return id;
  };
  const ask = async (asker: Actor, chat_id: string) => {
    await asker.api.sendMessage({ chat_id, text: `@${username} hello` });
    await world.turnsEnded();
    return (await historyOf(asker, chat_id)).at(-1);
  };
  const set = (terms: object) => olga.api.setBotConfig({ username, ...terms });
  return { olga, mallory, agent, username, group, ask, set };
}

/** Collects the warnings that an account receives; `texts` waits for what was sent before. */
async function warnings(world: World, actor: Actor) {
  const socket = await actor.socket();
  const warned = () => socket.all('alert').filter(({ level }) => level === 'info');
  const causes = () => warned().map(({ cause }) => cause);
  return Object.assign(async () => (await world.settle(), warned().map(({ text }) => text)), { causes });
}

describe('a group’s budget', () => {
  test('BUDGET-2: only the owner can set, remove and see it', async () => {
    await using world = await createWorld();
    const { olga, mallory, username, group, set } = await stage(world);
    await group();
    const made = { slug: 'own', display_name: 'Own', provider: 'provider_a' } as const;
    expect(await olga.api.getMyBotConfig({ username })).toMatchObject({ group_monthly_tokens: null });
    for (const group_monthly_tokens of [0, 5_000, Number.MAX_SAFE_INTEGER])
      expect(await set({ group_monthly_tokens })).toMatchObject({ group_monthly_tokens });
    // Other settings leave it as it is.
    expect(await set({ config: { model: 'm' }, monthly_token_cap: 7, asker_daily_tokens: 3 })).toMatchObject({
      group_monthly_tokens: Number.MAX_SAFE_INTEGER,
    });
    expect(await olga.api.updateAgent({ username, group_monthly_tokens: 9 })).toMatchObject({
      group_monthly_tokens: 9,
    });
    expect(await olga.api.updateAgent({ username, temperature: 0 })).toMatchObject({
      group_monthly_tokens: 9,
      monthly_token_cap: 7,
    });
    expect(await olga.api.createAgent({ ...made, group_monthly_tokens: 4 })).toMatchObject({ group_monthly_tokens: 4 });
    expect(await mallory.api.getMyBotConfig({ username })).not.toHaveProperty('group_monthly_tokens');
    expect(await mallory.api.getAgent({ username })).not.toHaveProperty('group_monthly_tokens');
    await expect(mallory.api.setBotConfig({ username, group_monthly_tokens: 1 })).rejects.toMatchObject({
      status: 403,
    });
    for (const wrong of [-1, 1.5, 2 ** 53, '5'])
      await expect(set({ group_monthly_tokens: wrong })).rejects.toMatchObject({
        status: 400,
        parameters: { field: 'group_monthly_tokens' },
      });
    expect(await olga.api.updateAgent({ username, group_monthly_tokens: null })).toMatchObject({
      group_monthly_tokens: null,
    });
  });

  test('BUDGET-3: at its budget the agent answers nobody in this group on the owner’s key, and everywhere else as before', async () => {
    await using world = await createWorld();
    const { olga, mallory, agent, username, group, ask, set } = await stage(world);
    const [one, other] = [await group(), await group()];
    await set({ group_monthly_tokens: 200 });
    for (const asker of [mallory, olga]) expect(await ask(asker, one)).toMatchObject(complete);
    const socket = await mallory.socket();
    await checkReplay(world, [olga, mallory], async () => {
      for (const asker of [mallory, olga]) expect(await ask(asker, one)).toMatchObject(refused);
    });
    expect(await socket.event('alert')).toMatchObject({ level: 'error', text: expect.stringMatching(/in this group/) });
    // Ids and times may have any digits.
    const chance = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\d-]{10}T[\d:.]+Z/g;
    expect(JSON.stringify(await historyOf(mallory, one)).replaceAll(chance, '')).not.toMatch(/200/);
    expect(world.providers.requestsOf(agent.key)).toHaveLength(2);
    // A key of one's own, another group, and direct chats.
    const { id: direct } = await mallory.api.startChat({ username });
    for (const chat_id of [other, direct, direct, direct]) expect(await ask(mallory, chat_id)).toMatchObject(complete);
    world.providers.script('key-of-mallory', { chunks: ['mine'], usage });
    await mallory.api.setMyBotConfig({ username, secrets: { api_key: 'key-of-mallory' } });
    expect(await ask(mallory, one)).toMatchObject({ ...complete, content: 'mine' });
    expect(await ask(olga, one)).toMatchObject(refused);
    await set({ group_monthly_tokens: 201 });
    expect(await ask(olga, one)).toMatchObject(complete);
  });

  test('BUDGET-3: a retry is refused as the first attempt is', async () => {
    await using world = await createWorld();
    const { olga, group, ask, set } = await stage(world);
    const chat_id = await group();
    const reply = await ask(olga, chat_id);
    await set({ group_monthly_tokens: 0 });
    await olga.api.retryReply({ message_id: reply?.id ?? '' });
    await world.turnsEnded();
    expect((await historyOf(olga, chat_id)).at(-1)).toMatchObject(refused);
  });

  test('BUDGET-3: at a group’s budget a daemon’s stream ends as it starts, only there', async () => {
    await using world = await createWorld();
    const { olga } = await world.people('olga');
    const [one, other] = [await world.group(olga), await world.group(olga)];
    const bot = await botIn(world, olga, one);
    await olga.api.addGroupAgent({ chat_id: other.id, agent_username: bot.username });
    await olga.api.setBotConfig({ username: bot.username, group_monthly_tokens: 10 });
    const start = (chat_id: string) => bot.api.startMessageStream({ chat_id });
    const { id: message_id } = await start(one.id);
    await bot.api.finishMessageStream({ message_id, text: 'dear', usage: { input_tokens: 6, output_tokens: 4 } });
    const ended = await start(one.id);
    expect(ended).toMatchObject({ status: 'failed', finish_reason: 'group_token_cap' });
    // A key of one's own changes nothing for a bot.
    expect(ended.content).not.toMatch(/key/);
    expect(await start(other.id)).toMatchObject({ status: 'streaming' });
  });

  test('BUDGET-4: estimated tokens of others on the owner’s key count; each month begins with nothing used', async () => {
    const clock = new Calendar(Date.UTC(2026, 1, 28, 23, 59));
    await using world = await createWorld({ clock });
    const { mallory, agent, group, ask, set } = await stage(world);
    const chat_id = await group();
    await set({ group_monthly_tokens: 500 });
    world.providers.script(agent.key, { chunks: ['x'.repeat(4_000)], usage: null });
    expect(await ask(mallory, chat_id)).toMatchObject(complete);
    expect(await ask(mallory, chat_id)).toMatchObject(refused);
    await world.restart();
    expect(await ask(mallory, chat_id)).toMatchObject(refused);
    clock.skip(60_000);
    expect(await ask(mallory, chat_id)).toMatchObject(complete);
  });
});

describe('warnings', () => {
  test('BUDGET-5, ALERT-8: at four fifths of the agent’s and the group’s budget the owner is warned once, with the numbers', async () => {
    await using world = await createWorld();
    const { olga, mallory, group, ask, set } = await stage(world);
    const [one, other] = [await group(), await group()];
    await olga.api.setChatTitle({ chat_id: one, title: 'Plans' });
    await set({ group_monthly_tokens: 400, monthly_token_cap: 500 });
    const [ofOlga, ofMallory] = [await warnings(world, olga), await warnings(world, mallory)];
    await checkReplay(world, [olga, mallory], async () => {
      for (let n = 0; n < 3; n += 1) await ask(mallory, one);
      expect(await ofOlga()).toEqual([]);
      await ask(mallory, one);
    });
    expect(await ofOlga()).toEqual([
      expect.stringMatching(/400 of the 500 tokens that you let it use in a month\. At the limit/),
      expect.stringMatching(/400 of the 400 tokens that you let it use in “Plans” in a month\. It answers there again/),
    ]);
    const cause = { kind: 'budget_nearly_used', used: 400 };
    expect(ofOlga.causes()).toEqual([
      { ...cause, budget: 'agent', tokens: 500 },
      { ...cause, budget: 'group', tokens: 400, group: 'Plans' },
    ]);
    // Neither a higher budget nor further replies warn again in the same month.
    await set({ group_monthly_tokens: 600, monthly_token_cap: 10_000 });
    await ask(mallory, one);
    await ask(mallory, other);
    expect(await ofOlga()).toHaveLength(2);
    expect(await ofMallory()).toEqual([]);
  });

  test('BUDGET-5, ALERT-8: at four fifths of their day an asker is warned, without the number; the next day again', async () => {
    const clock = new Calendar(Date.UTC(2026, 0, 15, 12));
    await using world = await createWorld({ clock });
    const { olga, mallory, group, ask, set } = await stage(world);
    const chat_id = await group();
    await set({ asker_daily_tokens: 500 });
    const [ofOlga, ofMallory] = [await warnings(world, olga), await warnings(world, mallory)];
    for (let n = 0; n < 3; n += 1) await ask(mallory, chat_id);
    // The owner has no such budget.
    for (let n = 0; n < 5; n += 1) await ask(olga, chat_id);
    expect(await ofMallory()).toEqual([]);
    for (let n = 0; n < 2; n += 1) await ask(mallory, chat_id);
    const warning = expect.stringMatching(/most of the tokens .* in a day.*API key of your own/);
    expect(await ofMallory()).toEqual([warning]);
    expect((await ofMallory()).join(' ')).not.toMatch(/\d/);
    expect(ofMallory.causes()).toEqual([{ kind: 'budget_nearly_used', budget: 'asker' }]);
    expect(await ask(mallory, chat_id)).toMatchObject({ finish_reason: 'asker_token_cap' });
    clock.skip(86_400_000);
    for (let n = 0; n < 4; n += 1) await ask(mallory, chat_id);
    expect(await ofMallory()).toEqual([warning, warning]);
    expect(await ofOlga()).toEqual([]);
  });

  test('BUDGET-5, ALERT-8: an owner who has left the group with the agent is not told its title', async () => {
    await using world = await createWorld();
    const { olga, mallory, agent, username, set } = await stage(world);
    const { id: chat_id } = await world.group(mallory, olga);
    await olga.api.addGroupAgent({ chat_id, agent_username: username });
    await mallory.api.setChatTitle({ chat_id, title: 'Secret' });
    await set({ group_monthly_tokens: 100 });
    const ofOlga = await warnings(world, olga);
    const reply = world.providers.steer(agent.key, { input: 100, output: 9 });
    const socket = await mallory.socket();
    reply.text('so far');
    await mallory.api.sendMessage({ chat_id, text: `@${username} hello` });
    await socket.event('messageDelta');
    await olga.api.leaveChat({ chat_id });
    await world.turnsEnded();
    expect(await ofOlga()).toEqual([
      expect.stringMatching(/101 of the 100 tokens that you let it use in one of its groups/),
    ]);
    expect(JSON.stringify(ofOlga.causes())).not.toContain('Secret');
  });

  test('BUDGET-5: a budget of 0 is not warned of', async () => {
    await using world = await createWorld();
    const { olga, group, ask, set } = await stage(world);
    const chat_id = await group();
    const ofOlga = await warnings(world, olga);
    const bot = await botIn(world, olga, { id: chat_id } as Parameters<typeof botIn>[2]); // only its id is used
    const { id: message_id } = await bot.api.startMessageStream({ chat_id });
    const nothing = { monthly_token_cap: 0, group_monthly_tokens: 0 };
    await olga.api.setBotConfig({ username: bot.username, ...nothing });
    await bot.api.finishMessageStream({ message_id, text: 'mine', usage: { input_tokens: 9, output_tokens: 9 } });
    await set(nothing);
    expect(await ask(olga, chat_id)).toMatchObject({ finish_reason: 'token_cap' });
    expect(await ofOlga()).toEqual([]);
  });

  test('BUDGET-6: replies that end at the same moment, on any node, warn once; a crash repeats no warning', async () => {
    await using world = await createWorld();
    const { olga, mallory, agent, username, group, ask, set } = await stage(world);
    const chat_id = await group();
    await set({ group_monthly_tokens: 100_000, asker_daily_tokens: 10_000_000 });
    const gate = Promise.withResolvers<void>();
    world.providers.script(agent.key, { chunks: ['ok'], usage: { input: 20_000, output: 10_000 }, hold: gate.promise });
    const ofOlga = await warnings(world, olga);
    for (let n = 0; n < 3; n += 1)
      for (const who of [olga, mallory]) await who.api.sendMessage({ chat_id, text: `@${username} hello` });
    await world.providers.waitForRequest(agent.key, 6);
    gate.resolve();
    await world.turnsEnded();
    expect(await ofOlga()).toHaveLength(1);
    await world.crash();
    const again = await warnings(world, olga);
    await set({ group_monthly_tokens: 1_000_000 });
    await ask(olga, chat_id);
    expect(await again()).toEqual([]);
  });
});
