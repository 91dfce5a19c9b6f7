import type { Message } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, ManualClock, unknownId, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { agentChat, botIn, keyedAgent } from '../helpers/agents.ts';
import { historyOf, missing } from '../helpers/message-stage.ts';

const forbidden = { status: 403, code: 'forbidden' };
const refused = { status: 409, code: 'conflict' };
const retry = (actor: Actor, message_id: string) => actor.api.retryReply({ message_id });

/** Alice and her agent alone, and the reply to her question. */
async function scene(world: World) {
  const alice = await world.person('alice');
  const { agent, chat } = await agentChat(world, alice);
  const chat_id = chat.id;
  const ask = async (text = '?') => {
    const question = await alice.api.sendMessage({ chat_id, text });
    await world.turnsEnded();
    return { question, reply: (await historyOf(alice, chat_id)).at(-1) as Message }; // the agent’s reply
  };
  return { alice, agent, chat, chat_id, ask, requests: () => world.providers.requestsOf(agent.key) };
}

/** Alice, bob and alice's agent in a group, where bob has asked the agent something. */
async function groupScene(world: World) {
  const { alice, bob, stranger } = await world.people('alice', 'bob', 'stranger');
  const chat = await world.group(alice, bob);
  const chat_id = chat.id;
  const agent = await keyedAgent(world, alice);
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
  world.providers.script(agent.key, { chunks: ['an answer'] });
  const question = await bob.api.sendMessage({ chat_id, text: `@${agent.username} ?` });
  await world.turnsEnded();
  const reply = (await historyOf(bob, chat_id)).at(-1) as Message; // the agent’s reply
  return { alice, bob, stranger, agent, chat, chat_id, question, reply };
}

test('RETRY-1, RETRY-2: retryReply makes a new reply besides the failed one, with the same context', async () => {
  await using world = await createWorld();
  const { alice, agent, chat_id, ask, requests } = await scene(world);
  world.providers.script(
    agent.key,
    { chunks: ['half'], ending: 'error' },
    { chunks: ['by the way'] },
    { chunks: ['whole'] },
    { chunks: ['another'] },
  );
  const { question, reply } = await ask();
  expect(reply).toMatchObject({ status: 'failed', content: 'half' });
  await ask('something else');
  const socket = await alice.socket();
  const made = await checkReplay(world, [alice], async () => {
    const placeholder = await retry(alice, reply.id);
    await world.turnsEnded();
    return placeholder;
  });
  expect(made).toMatchObject({ status: 'streaming', content: '', reply_to_id: question.id, sender: reply.sender });
  expect(socket.methods.filter((method) => method !== 'messageDelta')).toEqual([
    'messageNew',
    'typing',
    'messageComplete',
    'typing',
  ]);
  expect(requests()[2]?.body['messages']).toEqual(requests()[0]?.body['messages']);
  // The new reply can be retried too.
  await checkReplay(world, [alice], async () => {
    await retry(alice, made.id);
    await world.turnsEnded();
  });
  const replies = (await historyOf(alice, chat_id)).filter(({ reply_to_id }) => reply_to_id === question.id);
  expect(replies.map(({ id, content, status }) => [id, content, status])).toEqual([
    [reply.id, 'half', 'failed'],
    [made.id, 'whole', 'complete'],
    [expect.any(String), 'another', 'complete'],
  ]);
});

test('RETRY-1: a reply that failed without a key can be retried once a key is set', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const { id: chat_id } = await alice.api.startChat({ username: 'alice:provider_a' });
  await alice.api.sendMessage({ chat_id, text: '?' });
  await world.turnsEnded();
  const [, failed] = (await historyOf(alice, chat_id)) as [Message, Message]; // the question and the reply
  expect(failed).toMatchObject({ status: 'failed', finish_reason: 'no_key' });
  const { key } = await keyedAgent(world, alice);
  world.providers.script(key, { chunks: ['now'] });
  await retry(alice, failed.id);
  await world.turnsEnded();
  expect((await historyOf(alice, chat_id)).at(-1)).toMatchObject({ content: 'now', status: 'complete' });
});

test('RETRY-2: a retry can be stopped; without text it is deleted, and the old reply can be retried again', async () => {
  await using world = await createWorld();
  const { alice, agent, chat_id, ask } = await scene(world);
  world.providers.script(agent.key, { chunks: ['one'] }, { ending: 'hang' }, { chunks: ['three'] });
  const { reply } = await ask();
  await checkReplay(world, [alice], async () => {
    const { id } = await retry(alice, reply.id);
    await world.providers.waitForRequest(agent.key, 2);
    await alice.api.stopRun({ chat_id, message_id: id });
    await world.turnsEnded();
    await expect(retry(alice, id)).rejects.toMatchObject(missing);
  });
  await retry(alice, reply.id);
  await world.turnsEnded();
  expect((await historyOf(alice, chat_id)).map(({ content }) => content)).toEqual(['?', 'one', 'three']);
});

test('RETRY-2: a retry survives a crash like any other turn', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, agent, chat_id, ask, requests } = await scene(world);
  world.providers.script(agent.key, { chunks: ['one'] });
  const { reply } = await ask();
  // The message is older than the maximum age of a waiting firing.
  await clock.advance(3_600_000);
  const first = agent.steer();
  const made = await retry(alice, reply.id);
  await first.started;
  const again = agent.steer();
  await world.crash();
  await again.started;
  again.text('two');
  again.end();
  await world.turnsEnded();
  expect((await historyOf(alice, chat_id)).at(-1)).toMatchObject({ id: made.id, content: 'two', status: 'complete' });
  expect(requests()).toHaveLength(3);
});

test('RETRY-2: a complete retry fires the agents it mentions, one hop further', async () => {
  await using world = await createWorld();
  const { alice, bob, agent, chat, chat_id, reply } = await groupScene(world);
  const bot = await botIn(world, alice, chat);
  world.providers.script(agent.key, { chunks: [`@${bot.username} help`] });
  await checkReplay(world, [alice, bob], async () => {
    await retry(bob, reply.id);
    await world.turnsEnded();
  });
  expect((await historyOf(bob, chat_id)).at(-1)).toMatchObject({ dispatch: [bot.username] });
});

test('RETRY-3: only the human at the root of a turn may retry its reply, while taking part; an unknown or deleted reply is 404', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat, chat_id, question, reply } = await groupScene(world);
  const bot = await botIn(world, alice, chat);
  for (const actor of [alice, stranger, bot]) await expect(retry(actor, reply.id)).rejects.toMatchObject(forbidden);
  await expect(retry(bob, unknownId)).rejects.toMatchObject(missing);
  await expect(retry(bob, question.id)).rejects.toMatchObject({ status: 400, parameters: { field: 'message_id' } });
  await retry(bob, reply.id);
  await world.turnsEnded();
  await bob.api.leaveChat({ chat_id });
  await expect(retry(bob, reply.id)).rejects.toMatchObject(forbidden);
  await alice.api.deleteMessages({ message_ids: [reply.id] });
  await expect(retry(bob, reply.id)).rejects.toMatchObject(missing);
});

test('RETRY-4: a double click makes one reply, and so do retries of two replies to the same message', async () => {
  await using world = await createWorld();
  const { alice, agent, chat_id, ask } = await scene(world);
  world.providers.script(agent.key, { chunks: ['one'] }, { chunks: ['two'] });
  const { reply } = await ask();
  await retry(alice, reply.id);
  await world.turnsEnded();
  const gate = Promise.withResolvers<void>();
  world.providers.script(agent.key, { hold: gate.promise, chunks: ['three'] });
  const clicks = await checkReplay(world, [alice], () =>
    Promise.allSettled([retry(alice, reply.id), retry(alice, reply.id)]),
  );
  expect(clicks.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const items = await historyOf(alice, chat_id);
  for (const { id } of items.slice(1)) await expect(retry(alice, id), id).rejects.toMatchObject(refused);
  gate.resolve();
  await world.turnsEnded();
  expect((await historyOf(alice, chat_id)).map(({ content }) => content)).toEqual(['?', 'one', 'two', 'three']);
});

test('RETRY-4: a retry is refused if its question can no longer be answered', async () => {
  await using world = await createWorld();
  const { alice, bob, agent, chat, chat_id, question, reply } = await groupScene(world);
  const bot = await botIn(world, alice, chat);
  const asked = await bob.api.sendMessage({ chat_id, text: `@${bot.username} ?` });
  const { id } = await bot.api.startMessageStream({ chat_id, reply_to_message_id: asked.id });
  await bot.api.finishMessageStream({ message_id: id, text: 'of a bot' });
  await expect(retry(bob, id)).rejects.toMatchObject({ ...refused, message: expect.stringContaining('bot') });
  await alice.api.removeGroupAgent({ chat_id, agent_username: agent.username });
  await expect(retry(bob, reply.id)).rejects.toMatchObject(refused);
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
  await bob.api.deleteMessages({ message_ids: [question.id] });
  await expect(retry(bob, reply.id)).rejects.toMatchObject(refused);
  expect((await historyOf(bob, chat_id)).at(-1)).toMatchObject({ id });
});

test('RETRY-4: a retry in a thread with a deleted root is refused', async () => {
  await using world = await createWorld();
  const { bob, agent, chat_id, question } = await groupScene(world);
  world.providers.script(agent.key, { chunks: ['in the thread'] });
  const thread = { chat_id, thread_root_id: question.id };
  await bob.api.sendMessage({ ...thread, text: `@${agent.username} ?` });
  await world.turnsEnded();
  const { items } = await bob.api.getChatHistory(thread);
  const made = items.find(({ sender }) => sender.username === agent.username)?.id ?? '';
  await bob.api.deleteMessages({ message_ids: [question.id] });
  await expect(bob.api.sendMessage({ ...thread, text: 'more' })).rejects.toMatchObject(missing);
  await expect(retry(bob, made)).rejects.toMatchObject({ ...refused, message: expect.stringContaining('thread') });
});

test('RETRY-5: a retry needs a free slot in the turn queue of the agent and human, and does not wait for one', async () => {
  await using world = await createWorld();
  const { alice, agent, chat_id, ask, requests } = await scene(world);
  world.providers.script(agent.key, { chunks: ['one'] });
  const replies = [(await ask()).reply, (await ask()).reply];
  const gate = Promise.withResolvers<void>();
  world.providers.script(agent.key, { hold: gate.promise, chunks: ['held'] });
  for (let n = 0; n < 3; n += 1) await alice.api.sendMessage({ chat_id, text: 'busy' });
  await world.providers.waitForRequest(agent.key, 5);
  const [one, other] = replies.map(({ id }) => id) as [string, string]; // two replies
  await retry(alice, one);
  await expect(retry(alice, other)).rejects.toMatchObject({
    status: 429,
    code: 'rate_limited',
    parameters: { retry_after: 1 },
  });
  await world.providers.waitForRequest(agent.key, 6);
  // The retry occupies a turn, so the next question waits.
  await alice.api.sendMessage({ chat_id, text: 'later' });
  await world.settle();
  expect(requests()).toHaveLength(6);
  gate.resolve();
  await world.turnsEnded();
  expect(requests()).toHaveLength(7);
  await retry(alice, other);
  await world.turnsEnded();
});

test('RETRY-5: a message has at most 32 replies', async () => {
  await using world = await createWorld();
  const { alice, agent, chat_id, ask } = await scene(world);
  world.providers.script(agent.key, { chunks: ['again'] });
  const { reply } = await ask();
  for (let replies = 1; replies < 32; replies += 1) {
    await retry(alice, reply.id);
    await world.turnsEnded();
  }
  await expect(retry(alice, reply.id)).rejects.toMatchObject(refused);
  expect(await historyOf(alice, chat_id)).toHaveLength(33);
});
