import { type Actor, createWorld, unknownId, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { Calendar } from '../agents/usage-stage.ts';
import { botIn, keyedAgent } from '../helpers/agents.ts';

const MINUTE_MS = 60_000;

/** Alice's bot, which follows threads, and another bot of hers in a group with bob; a thread of bob's. */
async function stage(world: World) {
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const chat_id = chat.id;
  const [bot, other] = [await botIn(world, alice, chat, 'follower'), await botIn(world, alice, chat, 'other')];
  const place = { chat_id, agent_username: bot.username };
  const follow = (follows_threads?: boolean, always_on = false) =>
    alice.api.setGroupAgentMode({ ...place, always_on, follows_threads });
  await follow(true);
  const newThread = async () => (await bob.api.sendMessage({ chat_id, text: 'a thread' })).id;
  const root = await newThread();
  const say = (who: Actor, text: string, more: object = {}) =>
    who.api.sendMessage({ chat_id, text, thread_root_id: root, ...more });
  const fired = async (who: Actor, text = 'and then?', more: object = {}) => (await say(who, text, more)).dispatch;
  const ask = () => say(bob, `@${bot.username} hello`);
  return { alice, bob, chat, chat_id, bot, other, place, follow, newThread, root, say, fired, ask };
}

/** A world whose date the test sets. */
async function datedWorld() {
  const clock = new Calendar();
  const world = await createWorld({ clock });
  return { world, skipMinutes: (minutes: number) => clock.skip(minutes * MINUTE_MS) };
}

test('DISPATCH-18: asked once in a thread, the agent hears every human there, and nothing elsewhere', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, fired, ask, chat_id, newThread } = await stage(world);
  expect(await fired(bob)).toEqual([]);
  await ask();
  expect(await fired(alice)).toEqual([bot.username]);
  expect(await fired(bob)).toEqual([bot.username]);
  expect((await bob.api.sendMessage({ chat_id, text: 'outside' })).dispatch).toEqual([]);
  const elsewhere = { thread_root_id: await newThread() };
  expect(await fired(bob, 'elsewhere', elsewhere)).toEqual([]);
});

test('DISPATCH-18: a quote asks too; a mention outside the thread does not', async () => {
  await using world = await createWorld();
  const { bob, bot, fired, say, chat_id } = await stage(world);
  await bob.api.sendMessage({ chat_id, text: `@${bot.username} outside` });
  expect(await fired(bob)).toEqual([]);
  const { id } = await say(bot, 'quote me');
  await say(bob, 'what?', { reply_to_message_id: id });
  expect(await fired(bob)).toEqual([bot.username]);
});

test('DISPATCH-18: without follows_threads the table of the interface stands', async () => {
  await using world = await createWorld();
  const { bob, bot, fired, follow, ask } = await stage(world);
  await follow(false);
  expect((await ask()).dispatch).toEqual([bot.username]);
  expect(await fired(bob)).toEqual([]);
});

test('DISPATCH-18: 30 quiet minutes end it, and every human message that fires the agent prolongs it', async () => {
  const { world, skipMinutes } = await datedWorld();
  await using _ = world;
  const { alice, bob, bot, fired, ask } = await stage(world);
  await ask();
  for (let times = 0; times < 3; times += 1) {
    skipMinutes(29);
    expect(await fired(alice)).toEqual([bot.username]);
  }
  skipMinutes(30);
  expect(await fired(bob)).toEqual([]);
  expect(await fired(bob)).toEqual([]);
  await ask();
  expect(await fired(bob)).toEqual([bot.username]);
});

test('DISPATCH-18: messages of agents, service notices and retries neither begin nor prolong it', async () => {
  const { world, skipMinutes } = await datedWorld();
  await using _ = world;
  const { alice, bob, bot, other, chat_id, root, say, fired, ask, newThread } = await stage(world);
  expect((await say(other, `@${bot.username} hello`)).dispatch).toEqual([bot.username]);
  expect(await fired(bob)).toEqual([]);
  expect(await fired(other)).toEqual([]);
  const asked = await ask();
  skipMinutes(20);
  expect(await fired(other)).toEqual([]);
  expect((await say(other, `@${bot.username} hello`)).dispatch).toEqual([bot.username]);
  const notice = { service: { kind: 'note' } };
  expect(await fired(bob, 'a note', notice)).toEqual([]);
  expect((await bob.api.getMessages({ message_ids: [asked.id] })).items).toHaveLength(1);
  skipMinutes(11);
  expect(await fired(bob)).toEqual([]);

  const agent = await keyedAgent(world, alice);
  world.providers.script(agent.key, { chunks: ['one'] }, { chunks: ['two'] });
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
  const mode = { chat_id, agent_username: agent.username, always_on: false, follows_threads: true };
  await alice.api.setGroupAgentMode(mode);
  const thread_root_id = await newThread();
  expect(root).not.toBe(thread_root_id);
  await say(bob, `@${agent.username} hello`, { thread_root_id });
  await world.turnsEnded();
  skipMinutes(20);
  const { items } = await bob.api.getChatHistory({ chat_id, thread_root_id });
  await bob.api.retryReply({ message_id: items.at(-1)?.id ?? '' });
  await world.turnsEnded();
  skipMinutes(11);
  expect(await fired(bob, 'still there?', { thread_root_id })).toEqual([]);
});

test('DISPATCH-18: always_on does not begin it, nor do firings from before it was turned on', async () => {
  const { world, skipMinutes } = await datedWorld();
  await using _ = world;
  const { bob, bot, fired, follow, ask } = await stage(world);
  await follow(true, true);
  expect(await fired(bob)).toEqual([bot.username]);
  await follow(true, false);
  expect(await fired(bob)).toEqual([]);
  await follow(false);
  await ask();
  skipMinutes(1);
  await follow(true);
  expect(await fired(bob)).toEqual([]);
  await ask();
  skipMinutes(1);
  // Turning it on a second time changes nothing.
  await follow(true);
  expect(await fired(bob)).toEqual([bot.username]);
  skipMinutes(1);
  // Turning it off ends it.
  await follow(false);
  await follow(true);
  expect(await fired(bob)).toEqual([]);
});

test('DISPATCH-18, AGENT-5: the removal of the agent ends it, also if the agent returns', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, fired, ask, place } = await stage(world);
  await ask();
  await alice.api.removeGroupAgent(place);
  await alice.api.addGroupAgent(place);
  expect((await alice.api.getGroupAgents(place)).items).toContainEqual({
    agent: expect.objectContaining({ username: bot.username }),
    always_on: false,
    follows_threads: false,
  });
  expect(await fired(bob)).toEqual([]);
});

test('DISPATCH-18: it survives a crash, and messages sent at once are all heard', async () => {
  await using world = await createWorld();
  const { bob, bot, fired, ask } = await stage(world);
  await ask();
  await world.crash();
  const all = await Promise.all(Array.from({ length: 5 }, () => fired(bob)));
  expect(all).toEqual(Array.from({ length: 5 }, () => [bot.username]));
});

test('DISPATCH-18: a message that asks and one that follows it at once are heard in the order in which they are stored', async () => {
  await using world = await createWorld();
  const { bob, bot, root, chat_id } = await stage(world);
  const socket = await bob.socket();
  const send = (content: string) => ({ conversation_id: chat_id, content, thread_root_id: root });
  const [asked, next] = await Promise.all([
    socket.rpc('messages.send', send(`@${bot.username} hello`)),
    socket.rpc('messages.send', send('and another thing')),
  ]);
  expect([asked, next]).toMatchObject([{ dispatch: [bot.username] }, { dispatch: [bot.username] }]);
});

test('DISPATCH-18, BLOCK-10: a human whom the bot’s owner has blocked is not heard, and does not prolong it', async () => {
  const { world, skipMinutes } = await datedWorld();
  await using _ = world;
  const { alice, bob, bot, fired, ask } = await stage(world);
  await ask();
  await alice.api.blockUser({ username: 'bob' });
  skipMinutes(20);
  expect(await fired(bob)).toEqual([]);
  skipMinutes(11);
  expect(await fired(alice)).toEqual([]);
  await alice.api.unblockUser({ username: 'bob' });
  await ask();
  expect(await fired(alice)).toEqual([bot.username]);
});

test('DISPATCH-18, DISPATCH-11: followers count towards the 32 agents of a message', async () => {
  await using world = await createWorld();
  const { alice, bob, chat, chat_id, say, fired, follow } = await stage(world);
  await follow(false);
  const names: string[] = [];
  for (let n = 0; n < 33; n += 1) {
    const { username } = await botIn(world, alice, chat, `n${n}`);
    await alice.api.setGroupAgentMode({ chat_id, agent_username: username, always_on: false, follows_threads: true });
    names.push(username);
  }
  const mention = (some: string[]) => some.map((name) => `@${name}`).join(' ');
  await say(bob, mention(names.slice(0, 32)));
  await say(bob, mention(names.slice(32)));
  expect(await fired(bob)).toHaveLength(32);
});

test('AGENT-6: setGroupAgentMode keeps follows_threads if it is omitted; getGroupAgents shows it', async () => {
  await using world = await createWorld();
  const { alice, bot, follow, chat_id } = await stage(world);
  const shown = async () =>
    (await alice.api.getGroupAgents({ chat_id })).items.map((one) => [
      one.agent.username,
      one.always_on,
      one.follows_threads,
    ]);
  const others = [['alice:other', false, false]];
  expect(await shown()).toEqual([[bot.username, false, true], ...others]);
  await follow(undefined, true);
  expect(await shown()).toEqual([[bot.username, true, true], ...others]);
  await follow(false, true);
  await follow(undefined, true);
  expect(await shown()).toEqual([[bot.username, true, false], ...others]);
});

test('AGENT-7: every human of the group can dismiss the agent from a thread, until it is asked again', async () => {
  await using world = await createWorld();
  const { bob, bot, place, root, newThread, fired, say, ask, chat_id } = await stage(world);
  const elsewhere = { thread_root_id: await newThread() };
  await ask();
  await say(bob, `@${bot.username} here too`, elsewhere);
  for (let times = 0; times < 2; times += 1)
    expect(await bob.api.dismissAgent({ ...place, thread_root_id: root })).toBeUndefined();
  expect(await fired(bob)).toEqual([]);
  expect(await fired(bob, 'and?', elsewhere)).toEqual([bot.username]);
  await world.crash();
  expect(await fired(bob)).toEqual([]);
  await ask();
  expect(await fired(bob)).toEqual([bot.username]);
  const dismiss = (who: Actor, change: object) =>
    who.api.dismissAgent({ ...place, thread_root_id: root, ...change }).then(
      () => 'ok',
      (error: { status: number }) => error.status,
    );
  const cleo = await world.person('cleo');
  expect(await dismiss(cleo, { chat_id: unknownId })).toBe(404);
  expect(await dismiss(cleo, {})).toBe(403);
  expect(await dismiss(bob, { agent_username: 'cleo:provider_a' })).toBe(404);
  expect(await dismiss(bob, { agent_username: 'alice' })).toBe(404);
  expect(await dismiss(bob, { thread_root_id: unknownId })).toBe(404);
  expect(await dismiss(bot, {})).toBe(403);
  expect((await bob.api.getChat({ chat_id })).id).toBe(chat_id);
});
