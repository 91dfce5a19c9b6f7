import { type Actor, checkReplay, createWorld, ManualClock, type World } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { startModelServer } from '@parley/testing/providers/fake-model-server.ts';
import { describe, expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { historyOf } from '../helpers/message-stage.ts';
import { rowsIn } from '../helpers/rows-in.ts';
import { Calendar, usageStage } from './usage-stage.ts';

const models = { small: { input: 2.5, output: 10 }, large: { input: 100, output: 1_000 } };
/** Prices of two models; agents use the small one by default. */
const env = {
  PROVIDER_A_MODEL: 'small',
  PROVIDER_B_MODEL: 'small',
  AGENT_PRICES: JSON.stringify({ currency: 'USD', models }),
};
const usage = { input: 60, output: 40 };
const usd = (micros: number) => [{ currency: 'USD', micros }];
/** 60 tokens at 2.5 and 40 at 10 millionths each. */
const SMALL = usd(550);

/** Olga's agent in a group with Mallory, who may use Olga's key. */
async function stage(world: World) {
  const { olga, mallory } = await world.people('olga', 'mallory');
  const agent = await keyedAgent(world, olga);
  world.providers.script(agent.key, { chunks: ['ok'], usage });
  const { id: chat_id } = await world.group(olga, mallory);
  const { username } = agent;
  await olga.api.addGroupAgent({ chat_id, agent_username: username });
  const ask = async (asker: Actor) => {
    await asker.api.sendMessage({ chat_id, text: `@${username} hello` });
    await world.turnsEnded();
    return (await historyOf(asker, chat_id)).at(-1)?.id ?? '';
  };
  return { olga, mallory, agent, username, chat_id, ask };
}

const paid = async (who: Actor, ...message_ids: string[]) => (await who.api.getReplyPrices({ message_ids })).items;
const pricesOf = async (owner: Actor) => (await owner.api.getUsage()).items.map(({ prices }) => prices);

describe('who sees a price', () => {
  test.each(['provider_a', 'provider_b'] as const)(
    'PRICE-1, PRICE-6: the owner of the key sees what a reply cost, and the sum by asker and conversation (%s)',
    async (provider) => {
      await using world = await createWorld({ env });
      const { olga } = await world.people('olga');
      const agent = await keyedAgent(world, olga, provider);
      world.providers.script(agent.key, { chunks: ['ok'], usage });
      const { id: chat_id } = await olga.api.startChat({ username: agent.username });
      for (const text of ['one', 'two']) {
        await olga.api.sendMessage({ chat_id, text });
        await world.turnsEnded();
      }
      const reply = (await historyOf(olga, chat_id)).at(-1);
      expect(await paid(olga, reply?.id ?? '')).toEqual([{ message_id: reply?.id, prices: SMALL }]);
      expect(await pricesOf(olga)).toEqual([usd(1_100)]);
      await world.restart();
      expect(await pricesOf(olga)).toEqual([usd(1_100)]);
      const exported = await fetch(new URL((await olga.api.exportMyData()).url, world.url));
      expect(await exported.json()).toMatchObject({ usage: [{ agent: agent.username, prices: usd(1_100) }] });
    },
  );

  test('PRICE-4: only the account whose key paid sees the price; no message, event or replay has it', async () => {
    await using world = await createWorld({ env });
    const { olga, mallory, username, ask } = await stage(world);
    const sockets = [await olga.socket(), await mallory.socket('ext')];
    const guests = await checkReplay(world, [olga, mallory], () => ask(mallory));
    for (const socket of sockets)
      expect(JSON.stringify(await socket.event('messageComplete'))).not.toMatch(/micros|USD/);
    expect(await paid(olga, guests)).toEqual([{ message_id: guests, prices: SMALL }]);
    expect(await paid(mallory, guests)).toEqual([]);
    // On a key of her own Mallory chooses the model, which Olga must not learn.
    world.providers.script('key-of-mallory', { chunks: ['ok'], usage });
    await mallory.api.setMyBotConfig({ username, config: { model: 'large' }, secrets: { api_key: 'key-of-mallory' } });
    const own = await ask(mallory);
    expect(await paid(mallory, own, guests, own)).toEqual([{ message_id: own, prices: usd(46_000) }]);
    expect(await paid(olga, own)).toEqual([]);
    expect(await pricesOf(olga)).toEqual([SMALL]);
    for (const one of [olga, mallory])
      expect(
        JSON.stringify(await one.api.getChatHistory({ chat_id: (await one.api.getChats()).items[0]?.id ?? '' })),
      ).not.toMatch(/micros|USD/);
  });

  test('PRICE-5: the payer of a reply that is no longer visible to them, or was deleted, gets nothing of it', async () => {
    await using world = await createWorld({ env });
    const { olga, mallory, chat_id, ask } = await stage(world);
    const [first, second] = [await ask(mallory), await ask(olga)];
    expect(await paid(olga, first, second)).toHaveLength(2);
    await olga.api.deleteMessages({ message_ids: [second] });
    expect((await paid(olga, first, second)).map(({ message_id }) => message_id)).toEqual([first]);
    await olga.api.setMemberRole({ chat_id, username: 'mallory', role: 'owner' });
    await olga.api.leaveChat({ chat_id });
    expect(await paid(olga, first, second)).toEqual([]);
    // What was paid stays in the sums.
    expect(await pricesOf(olga)).toEqual([SMALL, SMALL]);
  });

  test('PRICE-5: getReplyPrices takes from 1 to 100 ids', async () => {
    await using world = await createWorld({ env });
    const { olga, ask } = await stage(world);
    const id = await ask(olga);
    for (const message_ids of [[], Array.from({ length: 101 }, () => id), ['one']])
      await expect(olga.api.getReplyPrices({ message_ids })).rejects.toMatchObject({ status: 400 });
  });
});

describe('which requests have a price', () => {
  test('PRICE-1: a model that is not listed, a daemon, and a reply without reported usage have none', async () => {
    await using world = await createWorld({ env });
    const { olga, agent, username, chat_id, ask } = await stage(world);
    await olga.api.setBotConfig({ username, config: { model: 'unheard' } });
    expect(await paid(olga, await ask(olga))).toEqual([]);
    await olga.api.setBotConfig({ username, config: {} });
    world.providers.script(agent.key, { chunks: ['ok'], usage: null });
    expect(await paid(olga, await ask(olga))).toEqual([]);
    const bot = await botIn(world, olga, { id: chat_id } as Parameters<typeof botIn>[2]); // only its id is used
    const { id } = await bot.api.startMessageStream({ chat_id });
    await bot.api.finishMessageStream({ message_id: id, text: 'mine', usage: { input_tokens: 9, output_tokens: 9 } });
    expect(await paid(olga, id)).toEqual([]);
    expect(await pricesOf(olga)).toEqual([[], []]);
  });

  test('PRICE-1: a server of an agent’s own has no price, also for a model that has one at the provider', async () => {
    await using server = await startModelServer('from afar');
    await using world = await createWorld({ env: { ...env, AGENT_ENDPOINTS: server.origin } });
    const { ida } = await world.people('ida');
    const given = { slug: 'local', display_name: 'Local', provider: 'provider_b', model: 'large' } as const;
    const { username } = await ida.api.createAgent({ ...given, base_url: `${server.origin}/v1` });
    const { id: chat_id } = await ida.api.startChat({ username });
    await ida.api.sendMessage({ chat_id, text: 'hello' });
    await world.turnsEnded();
    const reply = (await historyOf(ida, chat_id)).at(-1);
    expect(reply).toMatchObject({ status: 'complete' });
    expect(await paid(ida, reply?.id ?? '')).toEqual([]);
  });

  test('PRICE-3: a stopped reply costs what was reported until then, once', async () => {
    await using world = await createWorld({ env });
    const { alice, agent, chat_id, send, lastReply } = await usageStage(world);
    const reply = world.providers.steer(agent.key, { input: 100, output: 9 });
    const socket = await alice.socket();
    reply.text('so far');
    await send();
    await socket.event('messageDelta');
    await alice.api.stopRun({ chat_id });
    await world.turnsEnded();
    const stopped = await lastReply();
    expect(stopped).toMatchObject({ status: 'cancelled', usage: { input_tokens: 100, output_tokens: 1 } });
    expect(await paid(alice, stopped?.id ?? '')).toMatchObject([{ prices: usd(260) }]);
    expect(await pricesOf(alice)).toEqual([usd(260)]);
  });

  test('PRICE-3: repeated requests and all turns of a continued reply add up', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, env });
    const { alice, agent, send, lastReply } = await usageStage(world);
    world.providers.script(
      agent.key,
      { ending: 'error', usage: { input: 1_000, output: 0 } },
      { chunks: ['half'], finish: 'max_tokens', usage },
      { chunks: [' whole'], usage },
    );
    await send();
    await world.providers.waitForRequest(agent.key, 1);
    while (world.providers.requestsOf(agent.key).length < 2) await aSecondLater(world, clock);
    await world.turnsEnded();
    const id = (await lastReply())?.id ?? '';
    expect(await paid(alice, id)).toMatchObject([{ prices: usd(3_060) }]);
    await alice.api.continueReply({ message_id: id });
    await world.turnsEnded();
    expect(await lastReply()).toMatchObject({ id, usage: { input_tokens: 120, output_tokens: 80 } });
    expect(await paid(alice, id)).toMatchObject([{ prices: usd(3_610) }]);
    expect(await pricesOf(alice)).toEqual([usd(3_610)]);
  });

  test('PRICE-3: a crash loses no price of usage that was stored, and books none twice', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, env });
    const { alice, agent, chat_id, send, lastReply } = await usageStage(world);
    const first = world.providers.steer(agent.key, { input: 1_000, output: 0 });
    await send();
    await first.started;
    const placeholder = (await historyOf(alice, chat_id)).at(-1);
    const stream = world.openStream(placeholder?.id ?? '');
    while (stream && !stream.request.reported) await turnOfLoop();
    await aSecondLater(world, clock);
    world.providers.script(agent.key, { chunks: ['again'], usage });
    await world.crash();
    await world.turnsEnded();
    await world.crash();
    expect(await lastReply()).toMatchObject({ id: placeholder?.id, content: 'again' });
    // The first request had reported 1,000 tokens of input and one of output.
    expect(await pricesOf(alice)).toEqual([usd(2_510 + 550)]);
    expect(await paid(alice, placeholder?.id ?? '')).toMatchObject([{ prices: usd(2_510 + 550) }]);
  });
});

test('PRICE-2: prices that change later change nothing that was paid; each currency has its own sum', async () => {
  const clock = new Calendar(Date.UTC(2026, 0, 15));
  await using world = await createWorld({ clock, env });
  const { alice, agent, ask } = await usageStage(world);
  world.providers.script(agent.key, { chunks: ['ok'], usage });
  await ask();
  const set = (currency: string, input: number) => {
    const rates = new Map([['small', { currency, input, output: 0 }]]);
    for (const { config } of world.services) Object.assign(config, { agentPrices: rates });
  };
  // As a start with other prices would.
  set('USD', 1_000_000);
  await ask();
  expect(await pricesOf(alice)).toEqual([usd(610)]);
  set('EUR', 2_000_000);
  await ask();
  const both = [{ currency: 'EUR', micros: 120 }, ...usd(610)];
  expect(await pricesOf(alice)).toEqual([both]);
  clock.skip(86_400_000);
  await ask();
  const given = { from: '2026-01-16', to: '2026-01-16' };
  expect((await alice.api.getUsage(given)).items).toMatchObject([{ prices: [{ currency: 'EUR', micros: 120 }] }]);
});

test('PRICE-6: prices are deleted with the accounts that paid them', async () => {
  await using world = await createWorld({ env });
  const vera = await world.member('vera');
  const agent = await keyedAgent(world, vera);
  world.providers.script(agent.key, { chunks: ['ok'], usage });
  const { id: chat_id } = await world.group(vera, await world.person('walt'));
  await vera.api.addGroupAgent({ chat_id, agent_username: agent.username });
  await vera.api.setBotConfig({ username: agent.username, monthly_token_cap: 100, group_monthly_tokens: 100 });
  await vera.api.sendMessage({ chat_id, text: `@${agent.username} hello` });
  await world.turnsEnded();
  const tables = ['reply_prices', 'usage_prices', 'usage_group_months', 'budget_warnings'];
  const counts = () => Promise.all(tables.map((table) => rowsIn(world, table)));
  expect(await counts()).toEqual([1, 1, 1, 2]);
  await vera.api.deleteAccount({ password: 'correct horse battery staple' });
  expect(await counts()).toEqual([0, 0, 0, 0]);
});

/** Lets a second pass, in which housekeeping stores the usage of open replies. */
async function aSecondLater(world: World, clock: ManualClock): Promise<void> {
  await clock.advance(1_000);
  await world.settle();
}
