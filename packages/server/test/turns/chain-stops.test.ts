import type { Message } from '@parley/protocol';
import { type Actor, createWorld, ManualClock, type World } from '@parley/testing';
import type { WorldOptions } from '@parley/testing/world/world.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';
import { LockCoverage } from '../cluster/lock-coverage.ts';
import { botIn, keyedAgent } from '../helpers/agents.ts';

const WEEK_MS = 7 * 86_400_000;

/** Two agents of alice that mention each other in every reply, and bob, who asks one of them; the chain stops after two hops. */
async function scene(world: World) {
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const agents = [await keyedAgent(world, alice), await keyedAgent(world, alice, 'provider_b')] as const;
  const [a, b] = agents;
  for (const { username } of agents) await alice.api.addGroupAgent({ chat_id: chat.id, agent_username: username });
  const usage = { input: 900, output: 100 };
  world.providers.script(a.key, { chunks: [`@${b.username} and you`], usage });
  world.providers.script(b.key, { chunks: [`@${a.username} and you`], usage });
  const history = async () => (await alice.api.getChatHistory({ chat_id: chat.id, limit: 200 })).items;
  const begin = async (more: object = {}) => {
    const sent = await bob.api.sendMessage({ chat_id: chat.id, text: `@${a.username} begin`, ...more });
    await world.turnsEnded();
    return sent;
  };
  return {
    alice,
    bob,
    a,
    b,
    chat,
    begin,
    replies: async () => (await history()).filter(({ sender, decision }) => sender.kind === 'agent' && !decision),
    stops: async () => (await history()).filter(({ decision }) => decision?.kind === 'budget'),
  };
}

const small: WorldOptions = { settings: { maxHops: 2 } };
const idOf = (messages: readonly Message[]): string => messages.at(-1)?.id ?? '';
const waitingTurns = (world: World) => world.sql("SELECT key FROM turns WHERE state = 'waiting'");

test('DISPATCH-22: a chain that a limit stops asks the person for whom it runs, once, with what it has used; go_on lets it do as much again', async () => {
  await using world = await createWorld(small);
  const { alice, bob, a, b, begin, replies, stops } = await scene(world);
  const socket = await bob.socket('ext');
  const asked = await begin();
  const first = await replies();
  expect(first.map(({ sender }) => sender.username)).toEqual([a.username, b.username, a.username]);
  expect(first.at(-1)).toMatchObject({ dispatch: [], left_out: { limit: 'hops', agents: [b.username], count: 1 } });
  const [stop, ...others] = await stops();
  expect(others).toEqual([]);
  expect(stop).toMatchObject({
    sender: { username: a.username },
    reply_to_id: asked.id,
    mentions: [],
    decision: {
      state: 'open',
      deciders: ['bob'],
      options: [{ id: 'stop' }, { id: 'go_on' }],
      budget: {
        chain: {
          replies: 3,
          message_ids: first.map(({ id }) => id),
          usage: { input_tokens: 2_700, output_tokens: 300 },
          agents: [b.username],
        },
      },
    },
  });
  expect(stop?.content).toMatch(/^3 replies of agents have followed from one message \(3,000 tokens\)/);
  const decision_id = stop?.id ?? '';
  // Neither the owner of the agents and the group, nor an agent.
  expect(await failure(alice.api.decide({ decision_id, option: 'go_on' }))).toMatchObject({ status: 403 });
  expect(await failure(bob.api.withdrawDecision({ decision_id }))).toMatchObject({ status: 403 });
  await Promise.all(Array.from({ length: 10 }, () => bob.api.decide({ decision_id, option: 'go_on' })));
  await world.turnsEnded();
  // The held reply and two hops more: the chain has four hops now.
  expect((await replies()).map(({ sender }) => sender.username)).toEqual(
    [a, b, a, b, a].map(({ username }) => username),
  );
  const third = (await replies())[2];
  expect(third).toMatchObject({ dispatch: [b.username] });
  expect(third).not.toHaveProperty('left_out');
  expect(socket.all('messageUpdated').filter(({ id }) => id === third?.id)).toEqual([third]);
  expect((await stops()).map(({ decision }) => decision?.state)).toEqual(['decided', 'open']);
  expect((await stops())[1]?.decision?.budget?.chain?.replies).toBe(5);
  await bob.api.decide({ decision_id, option: 'go_on' });
  await bob.api.decide({ decision_id: idOf(await stops()), option: 'stop' });
  await world.turnsEnded();
  expect(await replies()).toHaveLength(5);
  expect(await waitingTurns(world)).toEqual([]);
});

test('DISPATCH-22: several branches that stop ask once, go on together, and after a stop ask no more', async () => {
  await using world = await createWorld({ settings: { maxHops: 8, firingsPerHumanMessage: 4 } });
  const { bob, a, b, chat, replies, stops } = await scene(world);
  const text = `@${a.username} @${b.username} begin`;
  const socket = await bob.socket();
  await bob.api.sendMessage({ chat_id: chat.id, text });
  await world.turnsEnded();
  expect(await replies()).toHaveLength(4);
  const [stop, ...others] = await stops();
  expect(others).toEqual([]);
  expect(stop?.decision?.budget?.chain?.agents).toHaveLength(1);
  expect(await waitingTurns(world)).toHaveLength(2);
  expect(socket.all('alert')).toHaveLength(1);
  await bob.api.decide({ decision_id: stop?.id ?? '', option: 'go_on' });
  await world.turnsEnded();
  expect(await replies()).toHaveLength(8);
  expect(await stops()).toHaveLength(2);
  await bob.api.decide({ decision_id: idOf(await stops()), option: 'stop' });
  await world.turnsEnded();
  expect([(await replies()).length, (await stops()).length]).toEqual([8, 2]);
});

test('DISPATCH-22: a bot that is let go on finds itself in the dispatch of the message again, and its reply belongs to the chain', async () => {
  await using world = await createWorld(small);
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const [one, two] = [await botIn(world, alice, chat, 'one'), await botIn(world, alice, chat, 'two')];
  const reply = async (bot: Actor, text: string) => {
    const { id } = await bot.api.startMessageStream({ chat_id: chat.id });
    return bot.api.finishMessageStream({ message_id: id, text });
  };
  await bob.api.sendMessage({ chat_id: chat.id, text: `@${one.username} begin` });
  await reply(one, `@${two.username}`);
  await reply(two, `@${one.username}`);
  const last = await reply(one, `@${two.username}`);
  expect(last.dispatch).toEqual([]);
  const { items } = await bob.api.getDecisions({ state: 'open' });
  const daemon = await two.socket();
  await bob.api.decide({ decision_id: idOf(items), option: 'go_on' });
  expect(await daemon.event('messageComplete')).toMatchObject({ id: last.id, dispatch: [two.username] });
  const { user } = await two.api.getRunConfig({ message_id: last.id });
  expect(user).toBe('bob');
  expect(await reply(two, `@${one.username}`)).toMatchObject({ dispatch: [one.username] });
});

const ways: Record<string, (at: Awaited<ReturnType<typeof scene>> & { stop: Message }) => unknown> = {
  stop: ({ bob, stop }) => bob.api.decide({ decision_id: stop.id, option: 'stop' }),
  'the deletion of the decision': ({ alice, stop }) => alice.api.deleteMessages({ message_ids: [stop.id] }),
  stopRun: ({ bob, chat }) => bob.api.stopRun({ chat_id: chat.id }),
  'the leaving of the person': ({ bob, chat }) => bob.api.leaveChat({ chat_id: chat.id }),
  'the removal of the agent': ({ alice, chat, b }) =>
    alice.api.removeGroupAgent({ chat_id: chat.id, agent_username: b.username }),
  'a block': ({ bob }) => bob.api.blockUser({ username: 'alice' }),
};

embeddedTest('nodes take their dates from the database')(
  'DISPATCH-22: a decision that nobody has made after seven days expires, and ends what is held',
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ ...small, clock });
    const { begin, replies, stops } = await scene(world);
    await begin();
    clock.step(WEEK_MS + 1_000);
    await clock.advance(2_000);
    await world.turnsEnded();
    expect((await stops()).map(({ decision }) => decision?.state)).toEqual(['expired']);
    expect(await waitingTurns(world)).toEqual([]);
    expect(await replies()).toHaveLength(3);
  },
);

test.each(Object.entries(ways))('DISPATCH-22: %s ends what is held, for good', async (_, way) => {
  await using world = await createWorld(small);
  const at = await scene(world);
  await at.begin();
  const [stop] = await at.stops();
  if (!stop) throw new Error('nothing was asked');
  expect(await waitingTurns(world)).toHaveLength(1);
  await way({ ...at, stop });
  await world.settle();
  await expect.poll(() => waitingTurns(world)).toEqual([]);
  expect((await at.stops()).map(({ decision }) => decision?.state)).not.toContain('open');
  const late = await failure(at.bob.api.decide({ decision_id: stop.id, option: 'go_on' }));
  expect(late).toMatchObject({ status: expect.toBeOneOf([403, 404, 409]) });
  await world.turnsEnded();
  expect(await at.replies()).toHaveLength(3);
});

test('DISPATCH-22: what was let go on survives a crash while it is queued, and goes on once, however old its message is', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ settings: { maxHops: 2, turnsAtOnce: 1 }, clock });
  const { bob, b, chat, begin, replies, stops } = await scene(world);
  await begin();
  clock.step(3_600_000);
  let isKilled = false;
  world.providers.script(b.key, () => (isKilled ? { chunks: ['Here I am.'] } : { unanswered: true }));
  const before = world.providers.requestsOf(b.key).length;
  const busy = await bob.api.sendMessage({ chat_id: chat.id, text: `@${b.username} hang` });
  await world.providers.waitForRequest(b.key, before + 1);
  await bob.api.decide({ decision_id: (await stops())[0]?.id ?? '', option: 'go_on' });
  isKilled = true;
  await world.crash();
  await world.restart();
  await world.turnsEnded();
  const after = (await replies()).filter(({ content }) => content === 'Here I am.');
  expect(new Set(after.map(({ reply_to_id }) => reply_to_id))).toEqual(new Set([busy.id, (await replies())[2]?.id]));
  expect(after).toHaveLength(2);
});

embeddedTest('triggers of SQLite note the rows that are written')(
  'CLUSTER-51: the rows that the stop of a chain writes, however it ends, are covered by the locks of the units',
  async () => {
    const coverage = new LockCoverage();
    await using world = await createWorld({ ...small, startStore: coverage.store.start });
    const at = await scene(world);
    // Another person's bot is held too, so that the decision and what it releases are of different households.
    const cleo = await world.person('cleo');
    await at.alice.api.addMembers({ chat_id: at.chat.id, usernames: ['cleo'] });
    const bot = await botIn(world, cleo, at.chat, 'bot');
    world.providers.script(at.a.key, { chunks: [`@${at.b.username} @${bot.username} and you`] });
    for (const way of [
      ({ bob, stop }: { bob: Actor; stop: Message }) => bob.api.decide({ decision_id: stop.id, option: 'go_on' }),
      ...Object.values(ways),
    ]) {
      await at.begin().catch(() => {});
      const [stop] = (await at.stops()).filter(({ decision }) => decision?.state === 'open');
      if (stop) await way({ ...at, stop });
      await world.turnsEnded();
    }
    expect([...coverage.uncovered]).toEqual([]);
  },
);

test('DISPATCH-22: nobody is asked about a chain that nobody has asked for', async () => {
  await using world = await createWorld(small);
  const { alice, a, chat, replies } = await scene(world);
  await alice.api.setGroupAgentMode({ chat_id: chat.id, agent_username: a.username, always_on: true });
  await alice.api.sendMessage({ chat_id: chat.id, text: 'hello' });
  await world.turnsEnded();
  expect((await replies()).at(-1)).toMatchObject({ left_out: { limit: 'hops' } });
  expect((await alice.api.getDecisions({})).items).toEqual([]);
});
