import type { Message } from '@parley/protocol';
import { type Actor, createWorld, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { Calendar } from '../agents/usage-stage.ts';

const KEY_OF_VICTOR = 'key-of-victor';

/**
 * Mallory's bot in a group with Olga's agent, for which Victor has set his own key. Victor is the last human who wrote
 * there.
 */
async function stage(world: World) {
  const { olga, mallory, victor } = await world.people('olga', 'mallory', 'victor');
  const agent = await keyedAgent(world, olga);
  for (const key of [agent.key, KEY_OF_VICTOR]) world.providers.script(key, { chunks: ['ok'] });
  const group = await world.group(olga, mallory, victor);
  await olga.api.addGroupAgent({ chat_id: group.id, agent_username: agent.username });
  const bot = await botIn(world, mallory, group);
  await victor.api.setMyBotConfig({ username: agent.username, secrets: { api_key: KEY_OF_VICTOR } });
  const send = (who: Actor, text: string, more: object = {}): Promise<Message> =>
    who.api.sendMessage({ chat_id: group.id, text, ...more });
  const asked = () => [agent.key, KEY_OF_VICTOR].map((key) => world.providers.requestsOf(key).length);
  return { olga, mallory, victor, agent, group, bot, send, asked };
}

test('DISPATCH-16: 12 new threads of a bot share its owner’s budget, and never use a bystander’s key', async () => {
  await using world = await createWorld();
  const { olga, victor, agent, bot, send, asked } = await stage(world);
  await send(victor, 'good morning');
  let fired = 0;
  for (let thread = 0; thread < 12; thread += 1) {
    const { id } = await send(thread % 2 === 0 ? victor : bot, 'a fresh thread');
    for (let at = 0; at < 4; at += 1)
      fired += (await send(bot, `@${agent.username} again`, { thread_root_id: id })).dispatch.length;
  }
  expect(fired).toBe(32);
  await world.turnsEnded();
  // For Mallory, with whom the agent shares the group, Olga's key pays on Olga's terms.
  expect(asked()).toEqual([32, 0]);
  await olga.api.setBotConfig({ username: agent.username, pays_for: 'nobody' });
  await world.crash();
  expect((await send(victor, `@${agent.username} hello`)).dispatch).toEqual([agent.username]);
  await world.turnsEnded();
  expect(asked()).toEqual([32, 1]);
});

test('DISPATCH-16: an unprompted firing runs on behalf of the bot’s owner: without a key for the owner no provider is called', async () => {
  await using world = await createWorld();
  const { olga, mallory, victor, agent, bot, group, send, asked } = await stage(world);
  await send(victor, 'good morning');
  await olga.api.setBotConfig({ username: agent.username, pays_for: 'nobody' });
  const [ofMallory, ofVictor] = [await mallory.socket(), await victor.socket()];
  await send(bot, `@${agent.username} hello`);
  await world.turnsEnded();
  expect(asked()).toEqual([0, 0]);
  const { items } = await victor.api.getChatHistory({ chat_id: group.id });
  expect(items.at(-1)).toMatchObject({ status: 'failed', finish_reason: 'no_key' });
  expect(await ofMallory.event('alert')).toMatchObject({ level: 'error' });
  expect(ofVictor.all('alert')).toEqual([]);
});

test('DISPATCH-16: streams that do not answer a firing are unprompted too, and all bots of an owner share the budget', async () => {
  await using world = await createWorld();
  const { mallory, victor, agent, send, asked } = await stage(world);
  // In each of 12 groups a bot of Mallory mentions four others, all concurrently.
  const rooms = await Promise.all(
    Array.from({ length: 12 }, async (_, at) => {
      const chat = await world.group(mallory, victor);
      await victor.api.sendMessage({ chat_id: chat.id, text: 'good morning' });
      const bots: Actor[] = [];
      for (let n = 0; n < 5; n += 1) bots.push(await botIn(world, mallory, chat, `r${at}_${n}`));
      return { chat, bots };
    }),
  );
  const ends = rooms.map(async ({ chat, bots: [writer, ...others] }, at) => {
    if (!writer) throw new Error('a group without bots');
    const text = others.map(({ username }) => `@${username}`).join(' ');
    if (at % 2 === 0) return writer.api.sendMessage({ chat_id: chat.id, text });
    const { id } = await writer.api.startMessageStream({ chat_id: chat.id });
    return writer.api.finishMessageStream({ message_id: id, text });
  });
  const fired = (await Promise.all(ends)).map(({ dispatch }) => dispatch.length);
  expect(fired.reduce((sum, count) => sum + count, 0)).toBe(32);
  // Other owners' bots have their own budget, and Victor's messages have theirs.
  const { olga } = await world.people('olga');
  expect((await send(victor, `@${agent.username} hello`)).dispatch).toEqual([agent.username]);
  const chat = await world.group(olga, victor);
  const [one, two] = [await botIn(world, olga, chat, 'one'), await botIn(world, olga, chat, 'two')];
  const own = await one.api.sendMessage({ chat_id: chat.id, text: `@${two.username}` });
  expect(own.dispatch).toEqual([two.username]);
  await world.turnsEnded();
  expect(asked()).toEqual([0, 1]);
});

test('DISPATCH-16: a stream that answers a firing, and a quote of it within the hour, run on behalf of its human', async () => {
  const clock = new Calendar();
  await using world = await createWorld({ clock });
  const { victor, agent, bot, send, asked, group } = await stage(world);
  const question = await send(victor, `@${bot.username} ask the agent`);
  expect(question.dispatch).toEqual([bot.username]);
  const text = `@${agent.username} please`;
  const { id } = await bot.api.startMessageStream({ chat_id: group.id, reply_to_message_id: question.id });
  await bot.api.finishMessageStream({ message_id: id, text });
  await world.turnsEnded();
  expect(asked()).toEqual([0, 1]);
  await send(bot, text, { reply_to_message_id: question.id });
  await world.turnsEnded();
  expect(asked()).toEqual([0, 2]);
  // A message that did not fire the bot does not prompt it, nor does one that fired it more than an hour ago.
  const other = await send(victor, 'for everyone');
  await send(bot, text, { reply_to_message_id: other.id });
  await world.turnsEnded();
  expect(asked()).toEqual([1, 2]);
  clock.skip(3_600_001);
  await send(bot, text, { reply_to_message_id: question.id });
  await world.turnsEnded();
  expect(asked()).toEqual([2, 2]);
});

test('DISPATCH-16, DISPATCH-17: above the budget the owner gets one alert a minute; the budget is restored after an hour', async () => {
  const clock = new Calendar();
  await using world = await createWorld({ clock });
  const { mallory, victor, bot, group, send } = await stage(world);
  const other = await botIn(world, mallory, group, 'other');
  await send(victor, 'good morning');
  const [ofMallory, ofVictor] = [await mallory.socket(), await victor.socket()];
  let fired = 0;
  for (let at = 0; at < 34; at += 1) fired += (await send(bot, `@${other.username}`)).dispatch.length;
  expect(fired).toBe(32);
  await ofMallory.event('alert');
  await world.settle();
  clock.skip(60_001);
  await send(bot, `@${other.username}`);
  await world.settle();
  const alerts = ofMallory.all('alert');
  expect(alerts).toHaveLength(2);
  expect(alerts[0]).toMatchObject({ level: 'error', text: expect.stringContaining(`@${other.username}`) });
  expect(ofVictor.all('alert')).toEqual([]);
  clock.skip(3_600_001);
  expect((await send(bot, `@${other.username}`)).dispatch).toEqual([other.username]);
});

test('DISPATCH-17, ALERT-8: the cause of an alert above the hourly budget says how many replies an hour it allows', async () => {
  await using world = await createWorld({ settings: { unpromptedFiringsPerHour: 2, firingsPerHumanMessage: 5 } });
  const { mallory, bot, group, send } = await stage(world);
  const other = await botIn(world, mallory, group, 'other');
  const ofMallory = await mallory.socket();
  for (let at = 0; at < 3; at += 1) await send(bot, `@${other.username}`);
  expect((await ofMallory.event('alert')).cause).toEqual({
    kind: 'agents_left_out',
    limit: 'unprompted',
    agents: [expect.objectContaining({ username: other.username })],
    count: 1,
    per_message: 32,
    in_all: 2,
  });
});

test('DISPATCH-17: a bot that was fired once alerts its human once a minute, and not at all once it is blocked', async () => {
  const clock = new Calendar();
  await using world = await createWorld({ clock, settings: { firingsPerHumanMessage: 4 } });
  const { mallory, victor, bot, group, send } = await stage(world);
  const other = await botIn(world, mallory, group, 'other');
  const question = await send(victor, `@${bot.username} good morning`);
  const ofVictor = await victor.socket();
  const flood = async (messages: number) => {
    for (let at = 0; at < messages; at += 1)
      await send(bot, `@${other.username}`, { reply_to_message_id: question.id });
    await world.settle();
    return ofVictor.all('alert').length;
  };
  // 3 firings are left for the message, so 2 of the 5 messages exceed them.
  expect(await flood(5)).toBe(1);
  clock.skip(60_001);
  expect(await flood(2)).toBe(2);
  await victor.api.blockUser({ username: 'mallory' });
  clock.skip(60_001);
  expect(await flood(1)).toBe(2);
});

test('RETRY-5, DISPATCH-16: above the owner’s hourly budget a retry of an unprompted reply is refused with a hint to try again later', async () => {
  const clock = new Calendar();
  await using world = await createWorld({ clock });
  const { mallory, agent, bot, group, send } = await stage(world);
  for (let at = 0; at < 32; at += 1) await send(bot, `@${agent.username} again`);
  await world.turnsEnded();
  const { items } = await mallory.api.getChatHistory({ chat_id: group.id });
  const message_id = items.findLast(({ sender }) => sender.username === agent.username)?.id ?? '';
  await expect(mallory.api.retryReply({ message_id })).rejects.toMatchObject({
    status: 409,
    message: expect.stringMatching(/32 replies in this hour; try again later/),
  });
  clock.skip(3_600_001);
  await mallory.api.retryReply({ message_id });
  await world.turnsEnded();
});

test('DISPATCH-16, DECIDE-9: a private question of a person does not begin the hops of unprompted messages anew', async () => {
  await using world = await createWorld();
  const { victor, mallory, agent, bot, group, send } = await stage(world);
  const other = await botIn(world, mallory, group, 'other');
  await send(victor, 'good morning');
  await send(other, `@${bot.username} go`);
  const hopsAfter = async (text: string) => {
    await send(bot, text);
    await world.turnsEnded();
    return (await world.sql('SELECT hop FROM turns ORDER BY key DESC LIMIT 1'))[0];
  };
  const first = await hopsAfter(`@${agent.username} one`);
  const options = [{ id: 'yes', label: 'Yes' }];
  const asking = { chat_id: group.id, text: 'Between us?', options };
  await victor.api.askDecision({ ...asking, deciders: ['mallory'], private: true });
  expect(await hopsAfter(`@${agent.username} two`)).toEqual(first);
  await victor.api.askDecision(asking);
  expect([first, await hopsAfter(`@${agent.username} three`)]).toEqual([{ hop: 2 }, { hop: 1 }]);
});
