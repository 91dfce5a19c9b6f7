import { checkReplay, createWorld, ManualClock, type World } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { HeldStore } from '../helpers/held-store.ts';
import { refusingStore } from '../helpers/refusing-store.ts';
import { messageOf, scene } from '../helpers/stream-stage.ts';
import { booked, usageStage } from './usage-stage.ts';

const usage = { input: 31, output: 4 };
const tokens = { input_tokens: 31, output_tokens: 4 };

/** Lets a second pass, in which housekeeping stores the usage of open replies. */
async function aSecondLater(world: World, clock: ManualClock): Promise<void> {
  await clock.advance(1_000);
  await world.settle();
}

test.each(['provider_a', 'provider_b'] as const)(
  'USAGE-1: a finished reply shows its usage to everyone who sees it (%s)',
  async (provider) => {
    await using world = await createWorld();
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.group(alice, bob);
    const agent = await keyedAgent(world, alice, provider);
    await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
    world.providers.script(agent.key, { chunks: ['hello'], usage });
    const socket = await bob.socket();
    await checkReplay(world, [alice, bob], async () => {
      await bob.api.sendMessage({ chat_id, text: `@${agent.username} hello` });
      await world.turnsEnded();
    });
    expect(await socket.event('messageComplete')).toMatchObject({ usage: tokens });
    for (const one of [alice, bob])
      expect((await one.api.getChatHistory({ chat_id })).items.map((message) => message.usage)).toEqual([
        undefined,
        tokens,
      ]);
  },
);

test.each(['provider_a', 'provider_b'] as const)(
  'USAGE-1: if the vendor reports no usage, none is shown or recorded (%s)',
  async (provider) => {
    await using world = await createWorld();
    const alice = await world.person('alice');
    const agent = await keyedAgent(world, alice, provider);
    const { id: chat_id } = await alice.api.startChat({ username: agent.username });
    world.providers.script(agent.key, { chunks: ['hello'], usage: null });
    await alice.api.sendMessage({ chat_id, text: '?' });
    await world.turnsEnded();
    const reply = (await alice.api.getChatHistory({ chat_id })).items.at(-1);
    expect(reply).toMatchObject({ status: 'complete', content: 'hello' });
    expect(reply).not.toHaveProperty('usage');
    expect(await booked(alice)).toEqual([]);
  },
);

test('USAGE-4: a failed or stopped reply has the usage reported until then', async () => {
  await using world = await createWorld();
  const { alice, agent, chat_id, ask, send, lastReply } = await usageStage(world);
  world.providers.script(agent.key, { chunks: ['half'], ending: 'error', usage });
  expect(await ask()).toMatchObject({ status: 'failed', usage: { input_tokens: 31, output_tokens: 1 } });
  const stopped = world.providers.steer(agent.key, { input: 100, output: 9 });
  const socket = await alice.socket();
  stopped.text('so far');
  await send();
  await socket.event('messageDelta');
  await alice.api.stopRun({ chat_id });
  await world.turnsEnded();
  expect(await lastReply()).toMatchObject({ status: 'cancelled', usage: { input_tokens: 100, output_tokens: 1 } });
  expect(await booked(alice)).toEqual([`${agent.username} alice 131 2 2`]);
});

test('USAGE-4: for a reply stopped before its first text, which leaves no message, the usage reported until then is recorded', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, agent, chat_id, send } = await usageStage(world);
  const reply = world.providers.steer(agent.key, usage);
  await send();
  await reply.started;
  const [placeholder] = (await alice.api.getChatHistory({ chat_id })).items.slice(-1);
  await usageCame(world, placeholder?.id);
  await alice.api.stopRun({ chat_id });
  await world.turnsEnded();
  expect(await messageOf(alice, placeholder?.id ?? '')).toBeUndefined();
  expect(await booked(alice)).toEqual([`${agent.username} alice 31 1 1`]);
});

test('USAGE-4: a reply that is deleted while it streams is recorded once, whichever comes first, its end or the deletion', async () => {
  await using world = await createWorld();
  const { alice, agent, chat_id, send } = await usageStage(world);
  const reply = world.providers.steer(agent.key, usage);
  const socket = await alice.socket();
  reply.text('so far');
  await send();
  const { id } = await socket.event('messageDelta');
  await Promise.all([alice.api.deleteMessages({ message_ids: [id] }), alice.api.stopRun({ chat_id })]);
  await world.turnsEnded();
  expect(await booked(alice)).toEqual([`${agent.username} alice 31 1 1`]);
});

test(
  'USAGE-4: a reply that is deleted while its end is being stored is recorded once',
  { tags: ['long'] },
  async () => {
    const store = new HeldStore();
    await using world = await createWorld({ startStore: store.start });
    const { alice, agent, send } = await usageStage(world);
    const reply = world.providers.steer(agent.key, usage);
    const socket = await alice.socket();
    reply.text('so far');
    await send();
    const { id } = await socket.event('messageDelta');
    await world.settle();
    const stream = world.openStream(id);
    const held = store.hold();
    const deleted = alice.api.deleteMessages({ message_ids: [id] });
    await held;
    reply.end();
    while (stream?.state !== 'ending') await turnOfLoop();
    store.release();
    expect(await deleted).toEqual({ ids: [id] });
    await world.turnsEnded();
    expect(await booked(alice)).toEqual([`${agent.username} alice 31 4 1`]);
  },
);

test('USAGE-5: every repeated request of a reply is recorded; the reply shows the usage of the last one', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, agent, send, lastReply } = await usageStage(world);
  world.providers.script(
    agent.key,
    { ending: 'error', usage: { input: 1_000, output: 0 } },
    { chunks: ['at last'], usage },
  );
  await send();
  await world.providers.waitForRequest(agent.key, 1);
  while (world.providers.requestsOf(agent.key).length < 2) await aSecondLater(world, clock);
  await world.turnsEnded();
  expect(await lastReply()).toMatchObject({ status: 'complete', usage: tokens });
  expect(await booked(alice)).toEqual([`${agent.username} alice 1031 5 1`]);
});

test('USAGE-5: a run that a restart repeats is recorded too, as far as its usage was stored', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, agent, chat_id, send, lastReply } = await usageStage(world);
  const first = world.providers.steer(agent.key, { input: 1_000, output: 0 });
  await send();
  await first.started;
  const [placeholder] = (await alice.api.getChatHistory({ chat_id })).items.slice(-1);
  await usageCame(world, placeholder?.id);
  await aSecondLater(world, clock);
  world.providers.script(agent.key, { chunks: ['again'], usage });
  await world.crash();
  await world.turnsEnded();
  expect(await lastReply()).toMatchObject({ id: placeholder?.id, content: 'again', usage: tokens });
  expect(await booked(alice)).toEqual([`${agent.username} alice 1031 5 1`]);
});

test('USAGE-4: a reply that a crash cuts off has the usage that was stored with its text', async () => {
  await using world = await createWorld();
  const { alice, agent, send, lastReply } = await usageStage(world);
  const reply = world.providers.steer(agent.key, usage);
  const socket = await alice.socket();
  reply.text('half');
  await send();
  await socket.event('messageDelta');
  await world.settle();
  await world.crash();
  await world.turnsEnded();
  const told = { input_tokens: 31, output_tokens: 1 };
  expect(await lastReply()).toMatchObject({ status: 'failed', finish_reason: 'restart', usage: told });
  expect(await booked(alice)).toEqual([`${agent.username} alice 31 1 1`]);
});

test('USAGE-4: the usage of a reply whose end the store refuses at first is recorded once', async () => {
  const clock = new ManualClock();
  const store = refusingStore(['closeStream'], 2);
  await using world = await createWorld({ clock, startStore: store.start, expectsErrors: true });
  const { alice, agent, send } = await usageStage(world);
  world.providers.script(agent.key, { chunks: ['hello'], usage });
  await send();
  while (store.asked < 3) {
    await clock.timerSet(1_000);
    await aSecondLater(world, clock);
  }
  await world.turnsEnded();
  expect(await booked(alice)).toEqual([`${agent.username} alice 31 4 1`]);
});

test('USAGE-6: a daemon reports the usage of its reply, whether the reply was fired or not', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, reply } = await scene(world);
  const done = await checkReplay(world, [alice, bob], () =>
    bot.api.finishMessageStream({ message_id: reply.id, text: 'mine', usage: tokens }),
  );
  expect(done.usage).toEqual(tokens);
  const asked = await bob.api.sendMessage({ chat_id, text: `@${bot.username} hello` });
  const { id } = await bot.api.startMessageStream({ chat_id, reply_to_message_id: asked.id });
  const failed = { message_id: id, status: 'failed', usage: { input_tokens: 0, output_tokens: 5 } } as const;
  expect((await bot.api.finishMessageStream(failed)).usage).toEqual(failed.usage);
  // A second finish is refused, with or without a usage.
  for (const more of [{}, { usage: { input_tokens: 9, output_tokens: 9 } }])
    await expect(bot.api.finishMessageStream({ ...failed, ...more })).rejects.toMatchObject({ status: 409 });
  expect(await booked(alice)).toEqual([`${bot.username} alice 31 4 1`, `${bot.username} bob 0 5 1`]);
  expect((await messageOf(bob, id))?.usage).toEqual(failed.usage);
});

test.each([
  [{ input_tokens: -1, output_tokens: 0 }, 'usage.input_tokens'],
  [{ input_tokens: 0, output_tokens: 0.5 }, 'usage.output_tokens'],
  [{ input_tokens: 0, output_tokens: 1_000_000_001 }, 'usage.output_tokens'],
  [{ input_tokens: 1 }, 'usage.output_tokens'],
])('USAGE-6: %j is not a valid usage; finishing again with a valid one succeeds', async (wrong, field) => {
  await using world = await createWorld();
  const { bot, reply } = await scene(world);
  const finish = (given: object) =>
    bot.api.finishMessageStream({ message_id: reply.id, usage: given as typeof tokens }); // a value that the types forbid
  await expect(finish(wrong)).rejects.toMatchObject({ status: 400, parameters: { field } });
  expect(await finish({ input_tokens: 1_000_000_000, output_tokens: 0 })).toMatchObject({ status: 'complete' });
});

test('USAGE-15: the usage of replies that end concurrently adds up', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.group(alice, bob);
  const agent = await keyedAgent(world, alice);
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username, always_on: true });
  // A cap that bob's four concurrent replies cannot use up.
  await alice.api.setBotConfig({ username: agent.username, asker_daily_tokens: 1_000_000 });
  const bot = await botIn(world, alice, { id: chat_id } as Parameters<typeof botIn>[2]); // only its id is used
  const gate = Promise.withResolvers<void>();
  world.providers.script(agent.key, { hold: gate.promise, chunks: ['done'], usage });
  for (let n = 0; n < 4; n += 1) for (const one of [alice, bob]) await one.api.sendMessage({ chat_id, text: `${n}` });
  await world.providers.waitForRequest(agent.key, 8);
  const streams = await Promise.all(Array.from({ length: 8 }, () => bot.api.startMessageStream({ chat_id })));
  gate.resolve();
  await Promise.all(streams.map(({ id }) => bot.api.finishMessageStream({ message_id: id, text: 'x', usage: tokens })));
  await world.turnsEnded();
  expect(await booked(alice)).toEqual([
    `${agent.username} alice 124 16 4`,
    `${agent.username} bob 124 16 4`,
    `${bot.username} alice 248 32 8`,
  ]);
});

test('USAGE-15: the guide costs nothing', async () => {
  await using world = await createWorld();
  const vera = await world.member('vera');
  const { id: chat_id } = await vera.api.startChat({ username: 'parley:guide' });
  await vera.api.sendMessage({ chat_id, text: 'help' });
  await world.turnsEnded();
  const { items } = await vera.api.getChatHistory({ chat_id });
  expect(items.at(-1)).toMatchObject({ status: 'complete', sender: { username: 'parley:guide' } });
  expect(items.at(-1)).not.toHaveProperty('usage');
  expect(await booked(vera)).toEqual([]);
});

/** Resolves when the service has received the vendor's usage of an open reply. */
async function usageCame(world: World, messageId = ''): Promise<void> {
  const stream = world.openStream(messageId);
  while (stream && !stream.request.reported) await turnOfLoop();
}
