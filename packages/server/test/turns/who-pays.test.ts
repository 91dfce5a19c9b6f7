// For whom agents run that other agents fire, and whom that costs: DISPATCH-16, DISPATCH-19, DISPATCH-20.
import type { Message } from '@parley/protocol';
import { type Actor, createWorld, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { Calendar } from '../agents/usage-stage.ts';
import { botIn, keyedAgent } from '../helpers/agents.ts';

/**
 * Mallory's bot, mention-only, in a group with Olga's agent and Olga's bot, which tells for whom it was fired. Victor
 * has a key of his own for Olga's agent.
 */
async function stage(world: World) {
  const { olga, mallory, victor } = await world.people('olga', 'mallory', 'victor');
  const agent = await keyedAgent(world, olga);
  const keys = { olga: agent.key, victor: 'key-of-victor' };
  for (const key of Object.values(keys)) world.providers.script(key, { chunks: ['ok'] });
  const group = await world.group(olga, mallory, victor);
  const chat_id = group.id;
  await olga.api.addGroupAgent({ chat_id, agent_username: agent.username });
  await victor.api.setMyBotConfig({ username: agent.username, secrets: { api_key: keys.victor } });
  const [bot, teller] = [await botIn(world, mallory, group), await botIn(world, olga, group, 'teller')];
  const says = `@${teller.username} your turn`;
  const send = (who: Actor, text: string, more: object = {}): Promise<Message> =>
    who.api.sendMessage({ chat_id, text, ...more });
  const stream = async (who: Actor, text: string, more: object = {}): Promise<Message> => {
    const { id } = await who.api.startMessageStream({ chat_id, ...more });
    return who.api.finishMessageStream({ message_id: id, text });
  };
  const to = ({ id }: Message) => ({ reply_to_message_id: id });
  /** For whom a message fires the bot that tells; null if it does not. */
  const runsFor = async (message: Message): Promise<string | null> =>
    message.dispatch.includes(teller.username)
      ? (await teller.api.getRunConfig({ message_id: message.id })).user
      : null;
  const setMode = (who: Actor, agent_username: string, always_on: boolean, follows_threads?: boolean) =>
    who.api.setGroupAgentMode({ chat_id, agent_username, always_on, follows_threads });
  const requests = (key: string) => world.providers.requestsOf(key).length;
  return {
    olga,
    mallory,
    victor,
    agent,
    keys,
    group,
    chat_id,
    bot,
    teller,
    says,
    send,
    stream,
    to,
    runsFor,
    setMode,
    requests,
  };
}

test('DISPATCH-20, DISPATCH-19: a blocked person’s always-on bot that quotes everybody’s messages spends neither the owner’s key nor a bystander’s', async () => {
  await using world = await createWorld();
  const { olga, mallory, victor, agent, keys, bot, send, stream, to, setMode, requests } = await stage(world);
  await setMode(mallory, bot.username, true);
  await olga.api.blockUser({ username: 'mallory' });
  const text = `@${agent.username} write me a novel`;
  for (const who of [victor, olga]) {
    const question = await send(who, 'good morning');
    expect(question.dispatch).toEqual([bot.username]);
    for (let at = 0; at < 3; at += 1) expect((await send(bot, text, to(question))).dispatch).toEqual([]);
    expect((await stream(bot, text, to(question))).dispatch).toEqual([]);
    expect((await stream(bot, text)).dispatch).toEqual([]);
  }
  await world.turnsEnded();
  expect(Object.values(keys).map(requests)).toEqual([0, 0]);
});

test('DISPATCH-19: without a block, what an always-on bot fires runs for its owner, however it answers; usage names no bystander', async () => {
  await using world = await createWorld();
  const { olga, mallory, victor, agent, keys, bot, send, stream, to, setMode, requests, runsFor, says } =
    await stage(world);
  await setMode(mallory, bot.username, true);
  world.providers.script(keys.olga, { chunks: ['ok'], usage: { input: 5, output: 5 } });
  const question = await send(victor, 'good morning');
  const text = `@${agent.username} ${says}`;
  for (const answer of [
    () => send(bot, text, to(question)),
    () => stream(bot, text, to(question)),
    () => stream(bot, text),
    () => send(bot, text),
  ])
    expect(await runsFor(await answer())).toBe('mallory');
  await world.turnsEnded();
  expect(Object.values(keys).map(requests)).toEqual([4, 0]);
  const { items } = await olga.api.getUsage({});
  expect(items.map(({ username }) => username)).toEqual(['mallory']);
});

test('DISPATCH-19: a provider agent that only heard a message fires others at its owner’s cost; its own reply is for the human', async () => {
  await using world = await createWorld();
  const { olga, victor, agent, keys, send, setMode, requests, teller, says } = await stage(world);
  await setMode(olga, agent.username, true);
  for (const key of Object.values(keys)) world.providers.script(key, { chunks: [says] });
  const heard = await send(victor, 'good morning');
  await world.turnsEnded();
  expect(heard.dispatch).toEqual([agent.username]);
  // The reply ran on Victor's own key.
  expect(Object.values(keys).map(requests)).toEqual([0, 1]);
  await send(victor, `@${agent.username} ask the other`);
  await world.turnsEnded();
  const { items } = await victor.api.getChatHistory({ chat_id: heard.conversation_id });
  const replies = items.filter(({ sender }) => sender.username === agent.username);
  const users = [];
  for (const { id } of replies) users.push((await teller.api.getRunConfig({ message_id: id })).user);
  expect(users).toEqual(['olga', 'victor']);
});

test('DISPATCH-16: a message that asked the bot has one reply stream and eight quoting messages on behalf of its human', async () => {
  await using world = await createWorld();
  const { victor, bot, send, stream, to, runsFor, says } = await stage(world);
  const question = await send(victor, `@${bot.username} tell me all`);
  expect(await runsFor(await stream(bot, says, to(question)))).toBe('victor');
  expect(await runsFor(await stream(bot, says, to(question)))).toBe('mallory');
  const users = [];
  // Those that mention nobody count too.
  for (let at = 0; at < 4; at += 1) await send(bot, 'one moment', to(question));
  for (let at = 0; at < 5; at += 1) users.push(await runsFor(await send(bot, says, to(question))));
  expect(users).toEqual(['victor', 'victor', 'victor', 'victor', 'mallory']);
  // Each message has its own.
  expect(await runsFor(await send(bot, says, to(await send(victor, `@${bot.username} again`))))).toBe('victor');
});

test('DISPATCH-16, STREAM-16: after an hour neither a quote nor a stream is for the human, also if it was begun before', async () => {
  const clock = new Calendar();
  await using world = await createWorld({ clock });
  const { victor, bot, chat_id, send, stream, to, runsFor, says } = await stage(world);
  const ask = () => send(victor, `@${bot.username} please`);
  const early = await ask();
  const { id: message_id } = await bot.api.startMessageStream({ chat_id, ...to(early) });
  clock.skip(3_600_001);
  // The bot's credential is asked for within the hour too, so the stored firing tells.
  const ranFor = async (message: Message) => {
    const [turn] = await world.sql<{ username: string }>(
      'SELECT a.username FROM turns t JOIN accounts a ON a.key = t.human_key ORDER BY t.key DESC LIMIT 1',
    );
    expect(message.dispatch).toHaveLength(1);
    return turn?.username;
  };
  expect(await ranFor(await bot.api.finishMessageStream({ message_id, text: says }))).toBe('mallory');
  expect(await ranFor(await send(bot, says, to(early)))).toBe('mallory');
  expect(await ranFor(await stream(bot, says))).toBe('mallory');
  const late = await ask();
  await send(victor, 'something else');
  // A stream that names no message answers the newest one that fired the bot, also if people have written since.
  expect(await runsFor(await stream(bot, says))).toBe('victor');
  expect(await runsFor(await stream(bot, says, to(late)))).toBe('mallory');
});

test('DISPATCH-16: a reply stream to an agent’s message belongs to that message’s chain, a quote of it does not', async () => {
  await using world = await createWorld();
  const { mallory, victor, group, bot, send, stream, to, runsFor, says } = await stage(world);
  const second = await botIn(world, mallory, group, 'second');
  const onward = `@${second.username} go on`;
  const asked = await stream(bot, onward, to(await send(victor, `@${bot.username} please`)));
  expect(asked.dispatch).toEqual([second.username]);
  expect(await runsFor(await send(second, says, to(asked)))).toBe('mallory');
  expect(await runsFor(await stream(second, says, to(asked)))).toBe('victor');
});

test('DISPATCH-12, DISPATCH-16: what an always-on agent fires counts for the human’s message and for its owner’s hour', async () => {
  await using world = await createWorld({ settings: { firingsPerHumanMessage: 3, unpromptedFiringsPerHour: 3 } });
  const { mallory, victor, group, bot, send, stream, to, setMode } = await stage(world);
  const others = [];
  for (const slug of ['one', 'two', 'three', 'four']) others.push((await botIn(world, mallory, group, slug)).username);
  await setMode(mallory, bot.username, true);
  const [ofMallory, ofVictor] = [await mallory.socket(), await victor.socket()];
  const all = others.map((name) => `@${name}`).join(' ');
  // One of the message's three is the bot's own firing.
  expect((await stream(bot, all, to(await send(victor, 'good morning')))).dispatch).toHaveLength(2);
  expect(await ofMallory.event('alert')).toMatchObject({ cause: { kind: 'agents_left_out', count: 2 } });
  expect((await stream(bot, all, to(await send(victor, 'good evening')))).dispatch).toHaveLength(1);
  await world.settle();
  expect(ofVictor.all('alert')).toEqual([]);
});

test('DISPATCH-20: a block counts wherever in the chain the blocked person’s agent stands, and for the human who would pay', async () => {
  await using world = await createWorld();
  const { olga, mallory, victor, group, bot, send, stream, to, runsFor, says } = await stage(world);
  const nora = await world.person('nora');
  await olga.api.addMembers({ chat_id: group.id, usernames: ['nora'] });
  const between = await botIn(world, nora, group, 'between');
  const chain = async () => {
    const first = await stream(bot, `@${between.username} go on`, to(await send(victor, `@${bot.username} please`)));
    return first.dispatch.length === 0 ? 'cut' : runsFor(await stream(between, says, to(first)));
  };
  expect(await chain()).toBe('victor');
  await olga.api.blockUser({ username: 'mallory' });
  expect(await chain()).toBe(null);
  await olga.api.unblockUser({ username: 'mallory' });
  await nora.api.blockUser({ username: 'mallory' });
  expect(await chain()).toBe('cut');
  await nora.api.unblockUser({ username: 'mallory' });
  await victor.api.blockUser({ username: 'mallory' });
  expect(await chain()).toBe('cut');
  await victor.api.unblockUser({ username: 'mallory' });
  // A block against those who only hear of it changes nothing.
  await mallory.api.blockUser({ username: 'olga' });
  expect(await chain()).toBe('victor');
});

test('DISPATCH-20: a block ends the replies to the blocked person’s agents that run or wait, and they cannot be retried', async () => {
  await using world = await createWorld({ settings: { turnsAtOnce: 1 } });
  const { olga, victor, agent, keys, chat_id, bot, send, stream, to, requests } = await stage(world);
  const gate = Promise.withResolvers<void>();
  world.providers.script(keys.victor, { hold: gate.promise, chunks: ['ok'] });
  const question = await send(victor, `@${bot.username} please`);
  await stream(bot, `@${agent.username} one`, to(question));
  await world.providers.waitForRequest(keys.victor);
  await send(bot, `@${agent.username} two`, to(question));
  await world.settle();
  await olga.api.blockUser({ username: 'mallory' });
  gate.resolve();
  await world.turnsEnded();
  expect(requests(keys.victor)).toBe(1);
  const states = await world.sql<{ state: string }>("SELECT state FROM turns WHERE runner = 'server' ORDER BY key");
  expect(states.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
  await olga.api.unblockUser({ username: 'mallory' });
  world.providers.script(keys.victor, { chunks: ['ok'] });
  await send(bot, `@${agent.username} three`, to(question));
  await world.turnsEnded();
  await olga.api.blockUser({ username: 'mallory' });
  const reply = (await victor.api.getChatHistory({ chat_id })).items.at(-1);
  expect(reply).toMatchObject({ sender: { username: agent.username }, status: 'complete' });
  await expect(victor.api.retryReply({ message_id: reply?.id ?? '' })).rejects.toMatchObject({ status: 409 });
});
