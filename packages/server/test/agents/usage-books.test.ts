import { type Actor, checkReplay, createWorld, ManualClock, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import type { SqlValue } from '../../store/sql.ts';
import { usageBehind } from '../../store/usage.ts';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { booked, Calendar, lines, usageStage } from './usage-stage.ts';

const DAY_MS = 86_400_000;
const tokens = (input_tokens: number, output_tokens = 1) => ({ input_tokens, output_tokens });

/** Makes a bot send an unprompted reply with this usage. */
async function spend(bot: Actor, chat_id: string, usage: ReturnType<typeof tokens>): Promise<void> {
  const { id } = await bot.api.startMessageStream({ chat_id });
  await bot.api.finishMessageStream({ message_id: id, text: 'done', usage });
}

/** Alice with a bot that uses tokens on each of these days, counted from the first of January. */
async function spentOn(world: World, clock: Calendar, days: readonly number[]) {
  const alice = await world.person('alice');
  const chat = await world.group(alice);
  const bot = await botIn(world, alice, chat);
  let today = 0;
  for (const day of days) {
    clock.skip((day - today) * DAY_MS);
    today = day;
    await spend(bot, chat.id, tokens(10 ** days.indexOf(day), 0));
  }
  const inputs = async (given: { from?: string; to?: string } = {}) =>
    (await alice.api.getUsage(given)).items.map(({ input_tokens }) => input_tokens);
  return { alice, bot, chat, inputs };
}

test('USAGE-7: the owner sees usage by agent, by asker and by conversation; others see nothing', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const [one, other] = [await world.group(alice, bob), await world.group(alice, bob)];
  const agent = await keyedAgent(world, alice);
  const bot = await botIn(world, alice, one);
  world.providers.script(agent.key, {
    chunks: [`@${bot.username} what do you think?`],
    usage: { input: 5, output: 2 },
  });
  for (const { id: chat_id } of [one, other]) {
    await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
    await bob.api.sendMessage({ chat_id, text: `@${agent.username} hello` });
    await world.turnsEnded();
  }
  // The bot answers the agent, which bob had asked.
  const { items } = await bob.api.getChatHistory({ chat_id: one.id });
  const { id } = await bot.api.startMessageStream({ chat_id: one.id, reply_to_message_id: items.at(-1)?.id });
  await bot.api.finishMessageStream({ message_id: id, text: 'well', usage: tokens(3) });
  const result = await alice.api.getUsage();
  expect(lines(result)).toEqual([
    `${agent.username} bob 5 2 1`,
    `${agent.username} bob 5 2 1`,
    `${bot.username} bob 3 1 1`,
  ]);
  expect(result.items.map(({ conversation_id }) => conversation_id)).toEqual(
    expect.arrayContaining([one.id, other.id, one.id]),
  );
  expect(result).not.toHaveProperty('next_cursor');
  for (const somebody of [bob, bot]) expect(await somebody.api.getUsage()).toEqual({ items: [] });
});

test('USAGE-8: without days getUsage covers the UTC month, which begins at midnight UTC', async () => {
  const clock = new Calendar(Date.UTC(2026, 0, 31, 23, 59, 59));
  await using world = await createWorld({ clock });
  const { alice, bot, chat, inputs } = await spentOn(world, clock, [0]);
  expect(await inputs()).toEqual([1]);
  clock.skip(1_000);
  expect(await inputs()).toEqual([]);
  await spend(bot, chat.id, tokens(7));
  expect(await inputs()).toEqual([7]);
  expect(await inputs({ to: '2026-01-31' })).toEqual([1]);
  expect(await inputs({ from: '2026-01-01' })).toEqual([8]);
  expect((await alice.api.getUsage({ from: '2026-02-01' })).items).toMatchObject([{ replies: 1 }]);
});

test('USAGE-8: days are whole and both ends are included; a time counts as its UTC day', async () => {
  const clock = new Calendar(Date.UTC(2026, 0, 1, 12));
  await using world = await createWorld({ clock });
  const { inputs } = await spentOn(world, clock, [0, 1, 2, 3]);
  for (const [from, to, sum] of [
    ['2026-01-02', '2026-01-03', 110],
    ['2026-01-02T23:59:59.999Z', '2026-01-03T00:00:00Z', 110],
    ['2026-01-03T01:00:00+02:00', '2026-01-02T20:00:00-04:00', 110],
    ['2026-01-01', '2026-01-01', 1],
    ['2025-01-01', '2027-01-01', 1_111],
    ['2026-01-04', undefined, 1_000],
    [undefined, '2026-01-02', 11],
  ] as const)
    expect([from, to, await inputs({ ...(from && { from }), ...(to && { to }) })]).toEqual([from, to, [sum]]);
  expect(await inputs({ from: '2026-01-05', to: '2026-01-09' })).toEqual([]);
});

test.each([
  [{ from: '2026-01-02', to: '2026-01-01' }, 'from'],
  [{ from: '2027-01-01' }, 'from'],
  [{ from: 'yesterday' }, 'from'],
  [{ to: '2026-02-30' }, 'to'],
  [{ to: '2026-01-01T25:00:00Z' }, 'to'],
  [{ to: '2026-01-01T10:00' }, 'to'],
  [{ cursor: 'mine' }, 'cursor'],
  [{ cursor: Buffer.from('["usage",0,0,0,0,"x"]').toString('base64url') }, 'cursor'],
])('USAGE-8, PAGE-2: %j is 400', async (params, field) => {
  await using world = await createWorld({ clock: new ManualClock(Date.UTC(2026, 0, 15)) });
  const alice = await world.person('alice');
  await expect(alice.api.getUsage(params)).rejects.toMatchObject({ status: 400, parameters: { field } });
});

test('USAGE-9, PAGE-3: pages contain every line once, and keep the days of the first page', async () => {
  const clock = new Calendar(Date.UTC(2026, 0, 31, 12));
  await using world = await createWorld({ clock });
  const { alice, bob } = await world.people('alice', 'bob');
  const chats = [await world.group(alice, bob), await world.group(alice, bob), await world.group(alice, bob)];
  for (const slug of ['one', 'two'])
    for (const chat of chats) {
      const bot = slug === 'one' ? await botIn(world, alice, chat, `${slug}${chats.indexOf(chat)}`) : undefined;
      if (bot) await spend(bot, chat.id, tokens(1));
      const their = await botIn(world, bob, chat, `b${slug}${chats.indexOf(chat)}`);
      await spend(their, chat.id, tokens(2));
    }
  const agent = await keyedAgent(world, alice);
  world.providers.script(agent.key, { chunks: ['ok'], usage: { input: 3, output: 1 } });
  for (const { id: chat_id } of chats) {
    await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
    for (const who of [alice, bob]) await who.api.sendMessage({ chat_id, text: `@${agent.username} hello` });
  }
  await world.turnsEnded();
  const whole = await alice.api.getUsage();
  expect(whole.items).toHaveLength(9);
  for (const limit of [1, 2, 4, 9, 200]) {
    const pages = [await alice.api.getUsage({ limit })];
    for (let cursor = pages[0]?.next_cursor; cursor !== undefined; cursor = pages.at(-1)?.next_cursor)
      pages.push(await alice.api.getUsage({ limit, cursor }));
    expect(pages.flatMap(({ items }) => items)).toEqual(whole.items);
    expect(pages).toHaveLength(Math.ceil(9 / limit));
  }
  const { next_cursor: cursor = '' } = await alice.api.getUsage({ limit: 4 });
  clock.skip(DAY_MS);
  expect((await alice.api.getUsage({ cursor })).items).toEqual(whole.items.slice(4));
  expect(await booked(alice)).toEqual([]);
  // Another account's cursor shows only the caller's own usage.
  const bobs = await bob.api.getUsage({ cursor });
  expect(bobs.items.filter((item) => !item.agent.startsWith('bob:'))).toEqual([]);
});

test('USAGE-9, ERR-12: usage records much longer than a page are read in parts', async () => {
  await using world = await createWorld({ clock: new ManualClock(Date.UTC(2026, 0, 15)) });
  const { alice, agent, ask } = await usageStage(world);
  world.providers.script(agent.key, { chunks: ['ok'], usage: { input: 3, output: 1 } });
  await ask();
  const { read } = world.service;
  const row = await read.get<Record<string, number>, []>({ sql: 'SELECT owner_key, agent_key, human_key FROM usage' });
  // Years of records: 3,000 conversations on other days, then one over 3,000 days.
  await fill(world, row ?? {}, 3_000);
  expect(await booked(alice)).toEqual([`${agent.username} alice 3 1 1`]);
  const all = await alice.api.getUsage({ from: '2000-01-01', to: '2099-01-01', limit: 200 });
  expect(all.items).toHaveLength(200);
  expect(all.next_cursor).toBeDefined();
  const last = await alice.api.getUsage({ from: '1980-01-01', to: '1990-01-01' });
  expect(lines(last)).toEqual([`${agent.username} alice 3000 3000 3000`]);
});

embeddedTest('its plans')('USAGE-9: usage records are found by their key', async () => {
  await using world = await createWorld();
  const sql = `EXPLAIN QUERY PLAN ${usageBehind.sql}`;
  const plan = await world.service.read.all<{ detail: string }, []>({ sql });
  expect(plan.map(({ detail }) => detail).join('\n')).toMatch(
    /SEARCH usage USING PRIMARY KEY \(owner_key=\? AND \(agent_key,human_key,chat_id,day\)>/,
  );
  expect(plan.map(({ detail }) => detail).join('\n')).not.toMatch(/TEMP B-TREE/);
});

test('USAGE-10: usage records outlive messages, members and bots, and grow by at most one row a day', async () => {
  const clock = new Calendar();
  await using world = await createWorld({ clock });
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  await checkReplay(world, [alice, bob], async () => {
    for (let n = 0; n < 5; n += 1) await spend(bot, chat.id, tokens(2));
    const { items } = await alice.api.getChatHistory({ chat_id: chat.id });
    await alice.api.deleteMessages({ message_ids: items.map(({ id }) => id) });
    await alice.api.deleteBot({ username: bot.username });
    await bob.api.leaveChat({ chat_id: chat.id });
    await alice.api.leaveChat({ chat_id: chat.id });
  });
  expect((await alice.api.getUsage()).items).toEqual([
    {
      agent: bot.username,
      username: 'alice',
      conversation_id: chat.id,
      ...tokens(10, 5),
      owner_key_tokens: 15,
      prices: [],
      replies: 5,
    },
  ]);
  const rows = () => world.service.read.get<{ count: number }, []>({ sql: 'SELECT count(*) AS count FROM usage' });
  expect(await rows()).toEqual({ count: 1 });
  await world.restart();
  expect(await booked(alice)).toHaveLength(1);
});

/** Inserts many usage records, as years of use would, while the service writes nothing. */
async function fill(world: World, keys: Record<string, number>, count: number): Promise<void> {
  const { owner_key = 0, agent_key = 0, human_key = 0 } = keys;
  const line = (chatId: Buffer, day: number): SqlValue[] => [owner_key, agent_key, human_key, chatId, day];
  const idOf = (n: number): Buffer => {
    const chatId = Buffer.alloc(16);
    chatId.writeUInt32BE(n);
    return asVersion7(chatId);
  };
  const last = asVersion7(Buffer.alloc(16, 0xff));
  const lines = [
    ...Array.from({ length: count }, (_, n) => line(idOf(n), 12_000)),
    ...Array.from({ length: count }, (_, n) => line(last, 4_000 + n)),
  ];
  const sql = 'INSERT INTO usage VALUES ($1, $2, $3, $4, $5, 1, 1, 1, 2)';
  await world.withSql(async (connection) => {
    await connection.run({ sql: 'BEGIN' });
    await Promise.all(lines.map(async (values) => connection.run({ sql }, ...values)));
    await connection.run({ sql: 'COMMIT' });
  });
}

function asVersion7(id: Buffer): Buffer {
  id[6] = 0x70;
  id[8] = 0x80;
  return id;
}
