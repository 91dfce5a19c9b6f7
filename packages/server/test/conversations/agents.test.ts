import type { Conversation, Message } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, unknownId, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';

const say = (who: Actor, { id }: Conversation, text: string): Promise<Message> =>
  who.api.sendMessage({ chat_id: id, text });
const operations = ['addGroupAgent', 'removeGroupAgent', 'setGroupAgentMode'] as const;

let world: World;
let scenes = 0;

/** An owner of agents with another member in a group, and a stranger; new people for each test. */
async function scene() {
  scenes += 1;
  const person = (name: string) => world.person(`${name}${scenes}`);
  const [ann, bob, cleo] = [await person('ann'), await person('bob'), await person('cleo')];
  const chat = await world.group(ann, bob);
  const modes = async () => {
    const { items } = await bob.api.getGroupAgents({ chat_id: chat.id });
    return Object.fromEntries(items.map(({ agent, always_on }) => [agent.username, always_on]));
  };
  return { ann, bob, cleo, chat, chat_id: chat.id, modes };
}

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('AGENT-1: getGroupAgents lists the agents; one without a setting answers every human message', async () => {
  const { ann, bob, chat_id, modes } = await scene();
  expect(await modes()).toEqual({});
  const bot = await world.bot(ann);
  await ann.api.addGroupAgent({ chat_id, agent_username: bot.username });
  expect((await bob.api.getGroupAgents({ chat_id })).items).toEqual([
    { agent: { username: bot.username, kind: 'agent', display_name: 'bot' }, always_on: false, follows_threads: false },
  ]);
  const brought = await ann.api.startChat({ usernames: [bot.username, bob.username], title: 'x' });
  const direct = await world.direct(ann, bot);
  for (const { id } of [brought, direct])
    expect((await bot.api.getGroupAgents({ chat_id: id })).items).toMatchObject([{ always_on: true }]);
});

test.each(operations)(
  'AGENT-2, ERR-5: %s checks the conversation, the caller, the account, its place, its owner and the group, in this order',
  async (name) => {
    const { ann, bob, cleo, chat, chat_id } = await scene();
    const call = (who: Actor, chatId: string, agent_username: string) =>
      who.api[name]({ chat_id: chatId, agent_username, always_on: true });
    const bot = await botIn(world, ann, chat);
    const away = await world.bot(ann, 'away');
    const direct = await world.direct(ann, bot);
    await expect(call(cleo, unknownId, 'nobody_at_all')).rejects.toMatchObject({
      status: 404,
      description: 'not found: conversation',
    });
    await expect(call(cleo, chat_id, 'nobody_at_all')).rejects.toMatchObject({ status: 403 });
    const noAgent = { status: 404, description: 'not found: agent' };
    await expect(call(bob, chat_id, 'nobody_at_all')).rejects.toMatchObject(noAgent);
    await expect(call(bob, chat_id, ann.username)).rejects.toMatchObject({
      status: 400,
      parameters: { field: 'agent_username' },
    });
    // A caller that does not own the agent gets 403 from addGroupAgent, whether the agent takes part or not.
    await expect(call(bob, chat_id, away.username)).rejects.toMatchObject(
      name === 'addGroupAgent' ? { status: 403 } : noAgent,
    );
    await expect(call(bob, chat_id, bot.username)).rejects.toMatchObject({ status: 403 });
    await expect(call(bot, chat_id, bot.username)).rejects.toMatchObject({ status: 403 });
    await expect(call(ann, direct.id, bot.username)).rejects.toMatchObject({
      status: 400,
      parameters: { field: 'chat_id' },
    });
    expect(await call(ann, chat_id, bot.username)).toBeUndefined();
  },
);

test('AGENT-3: addGroupAgent adds an agent, mention-only by default; calling it again sets the mode', async () => {
  const { ann, bob, chat, chat_id, modes } = await scene();
  const [quiet, loud] = [await world.bot(ann, 'quiet'), await world.bot(ann, 'loud')];
  const add = (agent_username: string, always_on?: boolean) =>
    ann.api.addGroupAgent({ chat_id, agent_username, always_on });
  const sent = await checkReplay(world, [ann, bob, quiet], async () => {
    await add(quiet.username);
    await add(loud.username, true);
    return say(bob, chat, 'hello');
  });
  expect(sent.dispatch).toEqual([loud.username]);
  expect(await modes()).toEqual({ [quiet.username]: false, [loud.username]: true });
  expect(await ann.api.getChat({ chat_id })).toMatchObject({ participant_count: 4 });
  await add(quiet.username, true);
  await add(loud.username);
  expect(await modes()).toEqual({ [quiet.username]: true, [loud.username]: false });
  expect(await ann.api.getChat({ chat_id })).toMatchObject({ participant_count: 4 });
});

test('AGENT-3, GROUP-14: an added agent gets the group’s events from then on, and sees the history', async () => {
  const { ann, bob, chat, chat_id } = await scene();
  const bot = await world.bot(ann);
  const socket = await bot.socket();
  await say(bob, chat, 'before');
  await ann.api.addGroupAgent({ chat_id, agent_username: bot.username });
  await say(bob, chat, 'after');
  expect(await socket.event('messageNew')).toMatchObject({ content: 'after' });
  const { items } = await bot.api.getChatHistory({ chat_id });
  expect(items.map(({ content }) => content)).toEqual(['before', 'after']);
});

test('AGENT-4: a changed mode applies from the next message on, and not to waiting turns', async () => {
  const { ann, bob, chat, chat_id, modes } = await scene();
  const agent = await keyedAgent(world, ann);
  const setMode = (always_on: boolean) =>
    ann.api.setGroupAgentMode({ chat_id, agent_username: agent.username, always_on });
  await ann.api.addGroupAgent({ chat_id, agent_username: agent.username, always_on: true });
  const reply = agent.steer();
  expect((await say(bob, chat, 'one')).dispatch).toEqual([agent.username]);
  await reply.started;
  expect(await setMode(false)).toBeUndefined();
  expect(await modes()).toEqual({ [agent.username]: false });
  expect((await say(bob, chat, 'two')).dispatch).toEqual([]);
  reply.text('still here');
  reply.end();
  await world.turnsEnded();
  const { items } = await bob.api.getChatHistory({ chat_id });
  expect(items.find(({ sender }) => sender.kind === 'agent')).toMatchObject({
    status: 'complete',
    content: 'still here',
  });
});

test('AGENT-5: removeGroupAgent removes the agent and its setting, and ends its turns there', async () => {
  const { ann, bob, chat, chat_id, modes } = await scene();
  const bot = await botIn(world, ann, chat);
  const agent = await keyedAgent(world, ann);
  await ann.api.addGroupAgent({ chat_id, agent_username: agent.username, always_on: true });
  const socket = await bob.socket();
  const reply = agent.steer();
  const asked = await say(bob, chat, `@${agent.username} @${bot.username} hello`);
  expect(asked.dispatch.toSorted()).toEqual([bot.username, agent.username].toSorted());
  await reply.started;
  reply.text('half of');
  const { id: open } = await bot.api.startMessageStream({ chat_id, reply_to_message_id: asked.id });
  await bot.api.appendMessageStream({ message_id: open, delta: 'half a', offset: 6 });
  await socket.event('messageDelta', ({ delta }) => delta === 'half of');
  await checkReplay(world, [ann, bob], async () => {
    for (const agent_username of [agent.username, bot.username])
      await ann.api.removeGroupAgent({ chat_id, agent_username });
    await world.turnsEnded();
  });
  await reply.aborted;
  await world.settle();
  const ended = socket.all('messageComplete').map(({ sender, status, content }) => [sender.username, status, content]);
  expect(ended).toHaveLength(2);
  expect(ended).toContainEqual([bot.username, 'cancelled', 'half a']);
  expect(ended).toContainEqual([agent.username, 'cancelled', 'half of']);
  expect(await modes()).toEqual({});
  expect((await say(bob, chat, `@${agent.username} hello`)).dispatch).toEqual([]);
  await expect(ann.api.removeGroupAgent({ chat_id, agent_username: bot.username })).rejects.toMatchObject({
    status: 404,
  });
  await expect(bot.api.sendMessage({ chat_id, text: 'x' })).rejects.toMatchObject({ status: 403 });
  // Its setting was deleted.
  await ann.api.addGroupAgent({ chat_id, agent_username: agent.username });
  expect(await modes()).toEqual({ [agent.username]: false });
});
