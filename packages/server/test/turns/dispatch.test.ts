import type { Message } from '@parley/protocol';
import { type Actor, createWorld, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';

/** Alice and bob in a group with two of alice's bots, both mention-only. */
async function scene(world: World) {
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const [one, two] = [await botIn(world, alice, chat, 'one'), await botIn(world, alice, chat, 'two')];
  const chat_id = chat.id;
  const send = (who: Actor, text: string, more: object = {}) => who.api.sendMessage({ chat_id, text, ...more });
  return { alice, bob, one, two, chat, chat_id, send };
}

/** Streams a bot's complete reply to a message. */
async function reply(bot: Actor, to: Message, text: string, more: object = {}): Promise<Message> {
  const { conversation_id, channel_id, thread_root_id } = to;
  const { id } = await bot.api.startMessageStream({ chat_id: conversation_id, channel_id, thread_root_id, ...more });
  return bot.api.finishMessageStream({ message_id: id, text });
}

test('DISPATCH-1, DISPATCH-5: in a group any human’s mention fires an agent; a mention-only agent is fired by nothing else', async () => {
  await using world = await createWorld();
  const { alice, bob, one, two, send } = await scene(world);
  expect(await send(alice, 'hello')).toMatchObject({ mentions: [], dispatch: [] });
  expect(await send(bob, `@${one.username}, hello`)).toMatchObject({
    mentions: [one.username],
    dispatch: [one.username],
  });
  const both = await send(bob, `@ALICE:TWO and @${one.username}`);
  expect(both.dispatch.toSorted()).toEqual([one.username, two.username]);
});

test('DISPATCH-2, DISPATCH-7: quoting an agent fires it if a human does so, not if another agent does', async () => {
  await using world = await createWorld();
  const { bob, one, two, send } = await scene(world);
  const { id } = await send(one, 'quote me');
  expect(await send(bob, 'what?', { reply_to_message_id: id })).toMatchObject({
    mentions: [],
    dispatch: [one.username],
  });
  expect(await send(two, 'what?', { reply_to_message_id: id })).toMatchObject({ dispatch: [] });
});

test('DISPATCH-3, DISPATCH-7, AGENT-4: always_on fires for every human message from the next one on, never for agents’ messages', async () => {
  await using world = await createWorld();
  const { alice, bob, one, two, chat_id, send } = await scene(world);
  const setMode = (always_on: boolean) =>
    alice.api.setGroupAgentMode({ chat_id, agent_username: one.username, always_on });
  await setMode(true);
  expect((await send(bob, 'hello')).dispatch).toEqual([one.username]);
  expect((await send(two, 'hello')).dispatch).toEqual([]);
  await setMode(false);
  expect((await send(bob, 'hello')).dispatch).toEqual([]);
});

test('DISPATCH-4, GROUP-2: an agent without a setting answers every human: in direct chats, and in groups that startChat added it to', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const bot = await world.bot(alice);
  const direct = await world.direct(alice, bot);
  const group = await alice.api.startChat({ usernames: ['bob', bot.username], title: 'a group' });
  const dispatched = async (who: Actor, chat_id: string) =>
    (await who.api.sendMessage({ chat_id, text: 'hi' })).dispatch;
  expect(await dispatched(alice, direct.id)).toEqual([bot.username]);
  expect(await dispatched(bob, group.id)).toEqual([bot.username]);
  expect(await dispatched(bot, direct.id)).toEqual([]);
  expect(await dispatched(bot, group.id)).toEqual([]);
});

test('DISPATCH-6, DISPATCH-9: an agent fires another by a mention, also in a stream, but never itself', async () => {
  await using world = await createWorld();
  const { bob, one, two, send } = await scene(world);
  const asked = await send(bob, `@${one.username} ask the other`);
  expect(await send(one, `@${two.username}, @${one.username}`)).toMatchObject({ dispatch: [two.username] });
  expect(await reply(one, asked, `@${two.username}, @${one.username}`)).toMatchObject({
    mentions: [two.username, one.username],
    dispatch: [two.username],
  });
});

test('DISPATCH-8, DISPATCH-14, MSG-3: service notices, retries, and replies that did not complete fire no agent', async () => {
  await using world = await createWorld();
  const { bob, one, two, chat_id, send } = await scene(world);
  const text = `@${one.username} hello`;
  expect(await send(bob, text, { service: { kind: 'note' } })).toMatchObject({ dispatch: [] });
  const daemon = await one.socket();
  const [first, second] = [
    await send(bob, text, { client_msg_id: 'k' }),
    await send(bob, text, { client_msg_id: 'k' }),
  ];
  expect(second).toEqual(first);
  await world.settle();
  expect(daemon.all('messageNew')).toEqual([first]);
  for (const status of ['failed', 'cancelled'] as const) {
    const { id } = await one.api.startMessageStream({ chat_id });
    const ended = await one.api.finishMessageStream({ message_id: id, text: `@${two.username}`, status });
    expect(ended).toMatchObject({ status, mentions: [], dispatch: [] });
  }
});

const ways = {
  'streams that quote': (bot: Actor, to: Message, text: string) => reply(bot, to, text, { reply_to_message_id: to.id }),
  'bare streams': reply,
  'messages that quote': (bot: Actor, to: Message, text: string) =>
    bot.api.sendMessage({ chat_id: to.conversation_id, text, reply_to_message_id: to.id }),
  'bare messages': (bot: Actor, to: Message, text: string) =>
    bot.api.sendMessage({ chat_id: to.conversation_id, text }),
};

test.each(Object.entries(ways))(
  'DISPATCH-10: two bots that fire each other by %s stop after 8 hops, until a human writes',
  async (_, answer) => {
    await using world = await createWorld();
    const { bob, one, two, send } = await scene(world);
    for (let rounds = 0; rounds < 2; rounds += 1) {
      let last = await send(bob, `@${one.username} begin`);
      const answered: string[] = [];
      while (last.dispatch.length > 0 && answered.length < 20) {
        const [bot, other] = last.dispatch[0] === one.username ? [one, two] : [two, one];
        last = await answer(bot, last, `@${other.username} go on`);
        answered.push(bot.username);
      }
      // The human's firing is hop 0.
      expect(answered).toEqual(Array.from({ length: 9 }, (_, hop) => (hop % 2 === 0 ? one : two).username));
    }
  },
);

test('DISPATCH-10, TURN-13: provider agents that fire each other stop too, each in the timeline of its message', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const agents = [await keyedAgent(world, alice), await keyedAgent(world, alice, 'provider_b')] as const;
  const [a, b] = agents;
  for (const { username } of agents) await alice.api.addGroupAgent({ chat_id: chat.id, agent_username: username });
  world.providers.script(a.key, { chunks: ['over to ', `@${b.username}`] });
  world.providers.script(b.key, { chunks: [`@${a.username}: and back`] });
  const { id: thread_root_id } = await alice.api.sendMessage({ chat_id: chat.id, text: 'a thread' });
  await bob.api.sendMessage({ chat_id: chat.id, thread_root_id, text: `@${a.username} begin` });
  await world.turnsEnded();
  const { items } = await bob.api.getChatHistory({ chat_id: chat.id, thread_root_id });
  const [stop, ...replies] = items.toReversed();
  expect(replies).toHaveLength(10);
  expect(replies[0]).toMatchObject({ mentions: [b.username], dispatch: [] });
  for (const [at, { reply_to_id }] of replies.entries()) if (at < 9) expect(reply_to_id).toBe(replies[at + 1]?.id);
  // Whether they may go on is asked in the thread too (DISPATCH-22).
  expect(stop).toMatchObject({ decision: { kind: 'budget', deciders: ['bob'] }, reply_to_id: replies.at(-1)?.id });
});

test('DISPATCH-11, DISPATCH-17, ALERT-8: a message fires at most 32 agents, and an alert names those it does not fire', async () => {
  await using world = await createWorld();
  const { alice, bob, chat, send } = await scene(world);
  const bots: Actor[] = [];
  for (let n = 0; n < 35; n += 1) bots.push(await botIn(world, alice, chat, `n${n}`));
  const [ofAlice, ofBob] = [await alice.socket(), await bob.socket()];
  const everyone = bots.map(({ username }) => `@${username}`).join(' ');
  const { mentions, dispatch } = await send(bob, everyone);
  expect([mentions.length, dispatch.length]).toEqual([35, 32]);
  const { text, cause } = await ofBob.event('alert');
  expect(cause).toMatchObject({ kind: 'agents_left_out', limit: 'message', count: 3, per_message: 32, in_all: 32 });
  await world.settle();
  expect([ofBob.all('alert').length, ofAlice.all('alert').length]).toEqual([1, 0]);
  for (const { username } of bots) expect(text.includes(`(@${username})`)).toBe(!dispatch.includes(username));
});

test('DISPATCH-12, DISPATCH-17: one human message causes at most 32 firings in total, and an alert names the agents that are not fired', async () => {
  await using world = await createWorld();
  const { alice, bob, chat, send } = await scene(world);
  const bots = new Map<string, Actor>();
  for (let n = 0; n < 12; n += 1) {
    const bot = await botIn(world, alice, chat, `n${n}`);
    bots.set(bot.username, bot);
  }
  const everyone = [...bots.keys()].map((username) => `@${username}`).join(' ');
  const ofBob = await bob.socket();
  const first = await send(bob, everyone);
  let fired = first.dispatch.length;
  expect(fired).toBe(12);
  for (const bot of bots.values())
    fired += (await reply(bot, first, everyone, { reply_to_message_id: first.id })).dispatch.length;
  expect(fired).toBe(32);
  await ofBob.event('alert');
  await world.settle();
  // Within a minute: 12 firings, then 11, then 9 of 11, then ten times none of 11.
  expect(ofBob.all('alert')).toHaveLength(1);
});

test.each(Object.entries(ways))(
  'DISPATCH-21: the last of %s after 8 hops says which agents it does not fire, live and in the history',
  async (_, answer) => {
    await using world = await createWorld({ settings: { maxHops: 2 } });
    const { bob, one, two, chat_id, send } = await scene(world);
    const socket = await bob.socket();
    let last = await send(bob, `@${one.username} begin`);
    for (const [bot, other] of [
      [one, two],
      [two, one],
      [one, two],
    ] as const) {
      expect(last).not.toHaveProperty('left_out');
      last = await answer(bot, last, `@${other.username} go on`);
    }
    const left_out = { limit: 'hops', agents: [two.username], count: 1 };
    expect(last).toMatchObject({ dispatch: [], left_out });
    await world.settle();
    const { items } = await bob.api.getChatHistory({ chat_id });
    expect(items.findLast(({ decision }) => !decision)).toEqual(last);
    const live = [...socket.all('messageNew'), ...socket.all('messageComplete')];
    expect(live.findLast(({ id }) => id === last.id)).toEqual(last);
    // A person is told by an alert, and a message that mentions nobody leaves nobody out.
    expect(await send(one, 'done')).not.toHaveProperty('left_out');
  },
);

test('DISPATCH-21: a message of an agent says which limit left agents out, and names 32 of them; of a person’s it says nothing', async () => {
  await using world = await createWorld({ settings: { firingsPerMessage: 1, firingsPerHumanMessage: 2 } });
  const { alice, bob, one, chat, send } = await scene(world);
  const bots: Actor[] = [];
  for (let n = 0; n < 34; n += 1) bots.push(await botIn(world, alice, chat, `n${n}`));
  const everyone = bots.map(({ username }) => `@${username}`).join(' ');
  const asked = await send(bob, `@${one.username} ${everyone}`);
  expect(asked.dispatch).toHaveLength(1);
  expect(asked).not.toHaveProperty('left_out');
  const { left_out } = await reply(one, asked, everyone, { reply_to_message_id: asked.id });
  expect(left_out).toMatchObject({ limit: 'message', count: 33 });
  expect(left_out?.agents).toHaveLength(32);
  expect(bots.map(({ username }) => username)).toEqual(expect.arrayContaining(left_out?.agents ?? []));
});

test('DISPATCH-21: agents that a block leaves out are not named', async () => {
  await using world = await createWorld({ settings: { maxHops: 0 } });
  const { alice, bob, one, two, chat, send } = await scene(world);
  const { carol } = await world.people('carol');
  await alice.api.addMembers({ chat_id: chat.id, usernames: ['carol'] });
  const hers = await botIn(world, carol, chat, 'hers');
  await carol.api.blockUser({ username: 'alice' });
  const asked = await send(bob, `@${one.username} begin`);
  const both = await reply(one, asked, `@${two.username} @${hers.username}`, { reply_to_message_id: asked.id });
  expect(both.left_out).toEqual({ limit: 'hops', agents: [two.username], count: 1 });
});

test('DISPATCH-15: a fired bot finds itself in the message’s dispatch, live and in a replay', async () => {
  await using world = await createWorld();
  const { bob, one, send } = await scene(world);
  const daemon = await one.socket();
  const { id, dispatch } = await send(bob, `@${one.username} hello`);
  expect(await daemon.event('messageNew')).toMatchObject({ id, dispatch });
  await world.crash();
  const { frames } = await one.api.getUpdates({ since: 0 });
  expect(frames.at(-1)?.params).toMatchObject({ id, dispatch: [one.username] });
});
