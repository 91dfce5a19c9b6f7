// How many turns of one owner's agents run at once, and for whom: TURN-18.
import { defaultSettings } from '@parley/server/core/settings.ts';
import { type Actor, createWorld, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { HeldReads } from '@parley/testing/stores/slow-reads.ts';
import { expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';

/** Alice's two agents in a group with everybody; the test ends their replies. */
async function stage(world: World, ...names: string[]) {
  const alice = await world.person('alice');
  const others: Actor[] = [];
  for (const name of names) others.push(await world.person(name));
  const chat = await world.group(alice, ...others);
  const agents = [await keyedAgent(world, alice), await keyedAgent(world, alice, 'provider_b')] as const;
  for (const { username } of agents) await alice.api.addGroupAgent({ chat_id: chat.id, agent_username: username });
  const ask = async (who: Actor, { username } = agents[0]) => {
    await who.api.sendMessage({ chat_id: chat.id, text: `@${username} ?` });
  };
  const running = async () => {
    await world.settle();
    const rows = await world.sql<{ username: string }>(
      `SELECT a.username FROM turns t JOIN accounts a ON a.key = t.human_key
       WHERE t.runner = 'server' AND t.state = 'streaming' ORDER BY t.key`,
    );
    return rows.map(({ username }) => username);
  };
  return { alice, others, chat, agents, ask, running };
}

/** Holds every request of these keys until it is released. */
function held(world: World, keys: readonly string[]) {
  const gate = Promise.withResolvers<void>();
  for (const key of keys) world.providers.script(key, { hold: gate.promise, chunks: ['done'] });
  return gate;
}

test('TURN-18: all agents of one owner together run at most 32 turns at once, those of others do not wait for them', async () => {
  expect(defaultSettings.turnsOfOwner).toBe(32);
  await using world = await createWorld({ settings: { turnsOfOwner: 8, turnsAtOnce: 2 } });
  const { alice, others, chat, agents, ask, running } = await stage(world, 'bob', 'carl');
  for (const { username } of agents) await alice.api.setBotConfig({ username, asker_daily_tokens: 10_000_000 });
  const gate = held(
    world,
    agents.map(({ key }) => key),
  );
  // Three people, two turns of each with each of two agents: 12.
  for (const who of [alice, ...others])
    for (const agent of agents) for (let n = 0; n < 2; n += 1) await ask(who, agent);
  await world.settle();
  expect(await running()).toHaveLength(8);
  const [bob] = others;
  if (!bob) throw new Error('nobody');
  const own = await keyedAgent(world, bob);
  await bob.api.addGroupAgent({ chat_id: chat.id, agent_username: own.username });
  world.providers.script(own.key, { chunks: ['here'] });
  await bob.api.sendMessage({ chat_id: chat.id, text: `@${own.username} ?` });
  await world.providers.waitForRequest(own.key);
  gate.resolve();
  await world.turnsEnded();
  const [ended] = await world.sql<{ turns: number }>("SELECT count(*) AS turns FROM turns WHERE state = 'complete'");
  expect(Number(ended?.turns)).toBe(13);
});

test('TURN-18: the places that become free go round among the humans who wait, however much one of them asks', async () => {
  await using world = await createWorld({ settings: { turnsOfOwner: 2, turnsAtOnce: 2 } });
  const { others, agents, ask, running } = await stage(world, 'bob', 'carl', 'dora');
  const [bob, carl, dora] = others;
  if (!bob || !carl || !dora) throw new Error('nobody');
  const gates = Array.from({ length: 8 }, () => Promise.withResolvers<void>());
  world.providers.script(agents[0].key, ...gates.map(({ promise }) => ({ hold: promise, chunks: ['done'] })));
  for (let n = 0; n < 5; n += 1) await ask(bob);
  await world.providers.waitForRequest(agents[0].key, 2);
  await ask(carl);
  await ask(dora);
  await ask(carl);
  expect(await running()).toEqual(['bob', 'bob']);
  const seen: string[][] = [];
  for (let at = 0; at < 6; at += 1) {
    gates[at]?.resolve();
    await world.providers.waitForRequest(agents[0].key, at + 3);
    seen.push((await running()).toSorted());
  }
  // Everybody who waits has had a place before anybody has two, in whatever order.
  for (const places of seen.slice(0, 4)) expect(new Set(places).size).toBe(2);
  expect(new Set(seen.slice(0, 3).flat())).toEqual(new Set(['bob', 'carl', 'dora']));
  for (const gate of gates) gate.resolve();
  await world.turnsEnded();
});

embeddedTest('each node gives away the places that it knows to be free')(
  'TURN-18: a firing that comes while a free place is being given away does not take it from who has waited',
  async () => {
    const reads = new HeldReads();
    await using world = await createWorld({ settings: { turnsOfOwner: 1 }, wrapRead: reads.wrap });
    const { others, agents, ask, running } = await stage(world, 'bob', 'carl', 'dora');
    const [bob, carl, dora] = others;
    if (!bob || !carl || !dora) throw new Error('nobody');
    const [{ key }] = agents;
    const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    world.providers.script(key, ...gates.map(({ promise }) => ({ hold: promise, chunks: ['done'] })));
    await ask(bob);
    await world.providers.waitForRequest(key);
    await ask(carl);
    const { asked, release } = reads.hold('WITH RECURSIVE humans');
    gates[0]?.resolve();
    await asked;
    await ask(dora);
    release();
    await world.providers.waitForRequest(key, 2);
    expect(await running()).toEqual(['carl']);
    for (const gate of gates) gate.resolve();
    await world.turnsEnded();
  },
);

test('TURN-18, RETRY-5: while the owner’s agents have no place left, a retry is rate_limited', async () => {
  await using world = await createWorld({ settings: { turnsOfOwner: 1 } });
  const { alice, others, chat, agents, ask } = await stage(world, 'bob');
  const [bob] = others;
  if (!bob) throw new Error('nobody');
  world.providers.script(agents[0].key, { chunks: ['done'] });
  await ask(bob);
  await world.turnsEnded();
  const { items } = await bob.api.getChatHistory({ chat_id: chat.id });
  const gate = held(world, [agents[1].key]);
  await ask(alice, agents[1]);
  await world.providers.waitForRequest(agents[1].key);
  await expect(bob.api.retryReply({ message_id: items.at(-1)?.id ?? '' })).rejects.toMatchObject({
    status: 429,
    parameters: { retry_after: 1 },
  });
  gate.resolve();
  await world.turnsEnded();
});

test('TURN-18, GUIDE-7: bots’ daemons and the guide need no place', async () => {
  await using world = await createWorld({ settings: { turnsOfOwner: 1 } });
  const { alice, chat, agents, ask } = await stage(world);
  const bot = await botIn(world, alice, chat);
  const gate = held(world, [agents[0].key]);
  await ask(alice);
  await world.providers.waitForRequest(agents[0].key);
  expect(await bot.api.startMessageStream({ chat_id: chat.id })).toMatchObject({ status: 'streaming' });
  for (let n = 0; n < 3; n += 1) {
    const member = await world.member();
    const guided = (await member.api.getChats()).items[0]?.id ?? '';
    await member.api.sendMessage({ chat_id: guided, text: 'hello' });
    await world.settle();
    const { items } = await member.api.getChatHistory({ chat_id: guided });
    expect(items.at(-1)).toMatchObject({ sender: { username: 'parley:guide' } });
  }
  gate.resolve();
  await world.turnsEnded();
  const guided = await world.sql<{ payer: string | null; reserved_tokens: number }>(
    'SELECT payer, reserved_tokens FROM turns WHERE owner_key = 0',
  );
  expect(guided).toHaveLength(3);
  for (const turn of guided) expect(turn).toMatchObject({ payer: null, reserved_tokens: 0 });
});

test('TURN-18: turns that a node of an older version inserted, without their owner, count too', async () => {
  await using world = await createWorld({ settings: { turnsOfOwner: 1, turnsAtOnce: 1 } });
  const { others, agents, ask, running } = await stage(world, 'bob', 'carl');
  const [bob, carl] = others;
  if (!bob || !carl) throw new Error('nobody');
  const gate = held(
    world,
    agents.map(({ key }) => key),
  );
  await ask(bob);
  await world.providers.waitForRequest(agents[0].key);
  await ask(carl);
  expect(await running()).toEqual(['bob']);
  await world.sql("UPDATE turns SET owner_key = 0 WHERE state = 'queued'");
  await world.crash();
  await world.providers.waitForRequest(agents[0].key, 2);
  gate.resolve();
  await world.turnsEnded();
  const owned = await world.sql("SELECT key FROM turns WHERE state = 'complete' AND owner_key <> 0");
  expect(owned).toHaveLength(2);
});
