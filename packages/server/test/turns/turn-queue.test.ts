import type { Conversation } from '@parley/protocol';
import { applyIntent } from '@parley/server/service/apply-intent.ts';
import { theService } from '@parley/server/calls/unit-queue.ts';
import { createWorld, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { agentChat, botIn, keyedAgent } from '../helpers/agents.ts';

/** Maximum number of running and of waiting turns of an agent for one human. */
const [AT_ONCE, WAITING] = [4, 50];

/** Alice alone with her agent, whose replies wait for the gate. */
async function scene(world: World) {
  const alice = await world.person('alice');
  const { agent, chat } = await agentChat(world, alice);
  const gate = Promise.withResolvers<void>();
  world.providers.script(agent.key, { hold: gate.promise, chunks: ['done'] });
  const ask = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) await alice.api.sendMessage({ chat_id: chat.id, text: '?' });
    await world.settle();
  };
  return { alice, agent, chat, gate, ask, requests: () => world.providers.requestsOf(agent.key).length };
}

/** Counts the main thread's later reads of turns. */
function countReads({ service: { read } }: World): { statements: number; rows: number } {
  const counts = { statements: 0, rows: 0 };
  const all = read.all.bind(read);
  read.all = async (statement, ...params) => {
    const rows = await all(statement, ...params);
    if (/\bFROM turns\b/.test(statement.sql)) {
      counts.statements += 1;
      counts.rows += rows.length;
    }
    return rows;
  };
  return counts;
}

test('TURN-17: a firing and an end of a turn read no more waiting turns than may run at once', async () => {
  await using world = await createWorld();
  const { agent, gate, ask, requests } = await scene(world);
  await ask(AT_ONCE);
  await world.providers.waitForRequest(agent.key, AT_ONCE);
  await ask(40);
  const reads = countReads(world);
  await ask(1);
  expect(reads.rows).toBe(0);
  gate.resolve();
  await world.turnsEnded();
  expect(requests()).toBe(45);
  expect(reads.rows).toBeLessThanOrEqual(AT_ONCE * 45);
});

test('TURN-11: turns start in the order of their firings, whichever node reads the queue first', async () => {
  await using world = await createWorld({ settings: { turnsAtOnce: 2 } });
  const { alice, agent, chat, gate, ask, requests } = await scene(world);
  // Stop the nodes from reading the queues on their own.
  for (const { turns } of world.services) turns.wake = () => {};
  await ask(4);
  const turns = await world.sql<{ key: number; human_key: number; owner_key: number }>(
    'SELECT key, human_key, owner_key FROM turns ORDER BY key',
  );
  const claim = async (at: number) => {
    const { key: turnKey = 0, human_key: humanKey = 0, owner_key: ownerKey = 0 } = turns[at] ?? {};
    const input = { turnKey, humanKey, ownerKey, agentName: agent.username, chatId: chat.id };
    return JSON.parse((await world.service.units.run('claimTurn', theService, input, Date.now())) ?? 'null') as unknown;
  };
  expect(await claim(2)).toBe('full');
  expect(await claim(1)).toMatchObject({ refused: null });
  expect(await claim(2)).toBe('full');
  expect(await claim(0)).toMatchObject({ refused: null });
  expect(await claim(2)).toBe('full');
  await alice.api.stopRun({ chat_id: chat.id });
  gate.resolve();
  expect(requests()).toBe(0);
});

test('TURN-17: after a commit with many firings each queue is read once', async () => {
  await using world = await createWorld();
  const reads = countReads(world);
  const queues = [1, 2, 3].map((agent_key) => ({ agent_key, human_key: 4, owner_key: 5 }));
  for (let n = 0; n < 64; n += 1) applyIntent(world.service, { type: 'runTurns', queues });
  await world.settle();
  expect(reads.statements).toBe(queues.length);
});

test('TURN-5, TURN-11: after a start all waiting turns run, each in its queue', async () => {
  await using world = await createWorld({ settings: { turnsAtOnce: 1 } });
  const { alice, bob } = await world.people('alice', 'bob');
  const held = Promise.withResolvers<void>();
  const scenes = [await agentChat(world, alice), await agentChat(world, bob)] as const;
  const askAll = async (): Promise<void> => {
    for (const [at, { chat }] of scenes.entries())
      await (at === 0 ? alice : bob).api.sendMessage({ chat_id: chat.id, text: '?' });
  };
  for (const { agent } of scenes) world.providers.script(agent.key, { hold: held.promise });
  for (let n = 0; n < 3; n += 1) await askAll();
  for (const { agent } of scenes) await world.providers.waitForRequest(agent.key);
  for (const { agent } of scenes) world.providers.script(agent.key, { chunks: ['here'] });
  await world.crash();
  await world.turnsEnded();
  held.resolve();
  const replies = async (reader: typeof alice, chat: Conversation) =>
    (await reader.api.getChatHistory({ chat_id: chat.id })).items
      .filter(({ sender }) => sender.kind === 'agent')
      .map(({ content }) => content);
  const all = ['here', 'here', 'here'];
  expect([await replies(alice, scenes[0].chat), await replies(bob, scenes[1].chat)]).toEqual([all, all]);
});

test('TURN-16: messages that a human sends at once fill the turn queue exactly', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.group(alice, bob);
  const agent = await keyedAgent(world, alice);
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
  const gate = Promise.withResolvers<void>();
  world.providers.script(agent.key, { hold: gate.promise, chunks: ['done'] });
  const ask = () => alice.api.sendMessage({ chat_id, text: `@${agent.username} ?` });
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  await world.providers.waitForRequest(agent.key, AT_ONCE);
  const sent = await Promise.all(Array.from({ length: WAITING + 14 }, ask));
  expect(sent.filter(({ dispatch }) => dispatch.length > 0)).toHaveLength(WAITING);
  gate.resolve();
  await world.turnsEnded();
});

test('TURN-16, ALERT-8: when fifty turns wait for an agent and human, a further one is not dispatched, and the human gets an alert', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const chat_id = chat.id;
  const [a, b] = [await keyedAgent(world, alice), await keyedAgent(world, alice, 'provider_b')];
  for (const { username } of [a, b]) await alice.api.addGroupAgent({ chat_id, agent_username: username });
  const bot = await botIn(world, alice, chat);
  const gate = Promise.withResolvers<void>();
  for (const { key } of [a, b]) world.providers.script(key, { hold: gate.promise, chunks: ['done'] });
  const say = async (who: typeof alice, text: string) => (await who.api.sendMessage({ chat_id, text })).dispatch;
  const asked = `@${a.username} ?`;
  for (let n = 0; n < AT_ONCE; n += 1) await say(alice, asked);
  await world.providers.waitForRequest(a.key, AT_ONCE);
  const sockets = [await alice.socket(), await bob.socket(), await bot.socket()] as const;
  const alerts = async () => {
    await world.settle();
    return sockets.map((socket) => socket.all('alert').length);
  };
  for (let n = 0; n < WAITING; n += 1) expect(await say(alice, asked)).toEqual([a.username]);
  expect(await alerts()).toEqual([0, 0, 0]);

  expect(await say(alice, asked)).toEqual([]);
  expect(await alerts()).toEqual([1, 0, 0]);
  const { display_name } = await alice.api.getUser({ username: a.username });
  const from = { username: a.username, kind: 'agent', display_name };
  const cause = { kind: 'agents_left_out', limit: 'waiting', agents: [from], count: 1 };
  expect(sockets[0].all('alert')).toEqual([
    { level: 'error', text: expect.stringContaining(display_name), from, cause },
  ]);
  expect(await say(alice, `@${a.username} @${b.username} ?`)).toEqual([b.username]);
  expect(await alerts()).toEqual([2, 0, 0]);
  // Another human has another queue.
  expect(await say(bob, asked)).toEqual([a.username]);
  // A turn that an agent fires on alice's behalf waits in alice's queue.
  expect(await say(alice, `@${bot.username} ?`)).toEqual([bot.username]);
  expect(await say(bot, asked)).toEqual([]);
  expect(await alerts()).toEqual([3, 0, 0]);

  gate.resolve();
  await world.turnsEnded();
  expect(world.providers.requestsOf(a.key)).toHaveLength(AT_ONCE + WAITING + 1);
  expect(await say(alice, asked)).toEqual([a.username]);
  await world.turnsEnded();
  expect(await alerts()).toEqual([3, 0, 0]);
});
