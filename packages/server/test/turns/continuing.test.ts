import { theService } from '@parley/server/calls/unit-queue.ts';
import { faults } from '@parley/server/store/references.ts';
import { limits, type Message } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, ManualClock, unknownId, type World } from '@parley/testing';
import type { ReplyScript } from '@parley/testing/providers/fake-providers.ts';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { expect, test } from 'vitest';
import { agentChat, botIn, keyedAgent } from '../helpers/agents.ts';
import { historyOf, missing } from '../helpers/message-stage.ts';

const forbidden = { status: 403, code: 'forbidden' };
const refused = { status: 409, code: 'conflict' };
const cutOff = { status: 'complete', finish_reason: 'length' };
const goOn = (actor: Actor, message_id: string) => actor.api.continueReply({ message_id });

/** Alice and her agent alone, and a reply that its model's limit has cut off. */
async function scene(world: World, ...later: ReplyScript[]) {
  const alice = await world.person('alice');
  const { agent, chat } = await agentChat(world, alice);
  const chat_id = chat.id;
  const last = async () => (await historyOf(alice, chat_id)).at(-1) as Message; // the agent’s reply
  const half = { chunks: ['One two'], finish: 'max_tokens', usage: { input: 10, output: 2 } };
  world.providers.script(agent.key, half, ...later);
  const question = await alice.api.sendMessage({ chat_id, text: 'Count' });
  await world.turnsEnded();
  const reply = await last();
  expect(reply).toMatchObject({ ...cutOff, content: 'One two' });
  return { alice, agent, chat, chat_id, question, reply, last, requests: () => world.providers.requestsOf(agent.key) };
}

async function expectCounted(world: World): Promise<void> {
  const count = faults['owners whose stored bytes are counted wrongly'];
  expect(await world.sql(count?.sql ?? '')).toEqual([{ count: 0 }]);
}

test('CONTINUE-1, CONTINUE-3, CONTINUE-4: a reply that was cut off goes on in the same message, for clients with any caps', async () => {
  await using world = await createWorld();
  const { alice, chat_id, question, reply } = await scene(
    world,
    { chunks: [' three', ' four'], finish: 'max_tokens', usage: { input: 20, output: 3 } },
    { chunks: [' five'], usage: { input: 30, output: 1 } },
  );
  const socket = await alice.socket();
  const quiet = await alice.socket('nodrafts');
  const made = await checkReplay(world, [alice], async () => {
    const streaming = await goOn(alice, reply.id);
    await world.turnsEnded();
    return streaming;
  });
  const { finish_reason: _reason, finalized_at: _at, ...kept } = reply;
  expect(made).toEqual({ ...kept, status: 'streaming', content_revision: reply.content_revision + 1 });
  expect(socket.methods.filter((method) => method !== 'messageDelta')).toEqual([
    'messageNew',
    'typing',
    'messageComplete',
    'typing',
  ]);
  const revisions = socket.frames.flatMap(({ params }) => params['content_revision'] ?? []);
  expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => Number(a) - Number(b)));
  expect(revisions[0]).toBe(reply.content_revision + 1);
  expect(await socket.event('messageComplete')).toMatchObject({
    ...cutOff,
    id: reply.id,
    content: 'One two three four',
    usage: { input_tokens: 30, output_tokens: 5 },
  });
  await quiet.event('messageComplete');
  expect(quiet.methods.filter((method) => method.startsWith('message'))).toEqual(['messageComplete']);
  // It can be continued again.
  await checkReplay(world, [alice], async () => {
    await goOn(alice, reply.id);
    await world.turnsEnded();
  });
  const [asked, whole, ...others] = await historyOf(alice, chat_id);
  expect([asked?.id, others]).toEqual([question.id, []]);
  expect(whole).toMatchObject({ id: reply.id, content: 'One two three four five', status: 'complete' });
  expect(whole).toMatchObject({ position: reply.position, usage: { input_tokens: 60, output_tokens: 6 } });
  expect(whole?.finish_reason).toBeUndefined();
  const { items } = await alice.api.getUsage({});
  expect(items).toMatchObject([{ input_tokens: 60, output_tokens: 6, replies: 1 }]);
  // A replay has only its last end.
  const { frames } = await alice.api.getUpdates({ since: 0 });
  const ends = frames.filter(({ method }) => method === 'events.messageComplete');
  expect(ends.map(({ params }) => [params['id'], params['content']])).toEqual([[reply.id, whole?.content]]);
  await expectCounted(world);
});

test('CONTINUE-6: the model gets the context of the reply, its text so far, and an instruction of the user', async () => {
  await using world = await createWorld();
  const { alice, chat_id, reply, requests } = await scene(world, { chunks: ['by the way'] }, { chunks: [' three'] });
  await alice.api.sendMessage({ chat_id, text: 'something else' });
  await world.turnsEnded();
  await goOn(alice, reply.id);
  await world.turnsEnded();
  expect(requests()[2]?.body['messages']).toEqual([
    { role: 'user', content: 'Count' },
    { role: 'assistant', content: 'One two' },
    { role: 'user', content: expect.stringContaining('Continue it exactly where it ends') },
  ]);
  expect((await historyOf(alice, chat_id)).map(({ content }) => content)).toEqual([
    'Count',
    'One two three',
    'something else',
    'by the way',
  ]);
});

test('CONTINUE-3: clients that were away, for any part of it, have the same text; searches find it when it has ended', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const alice = await world.person('alice');
  const { agent, chat } = await agentChat(world, alice);
  const chat_id = chat.id;
  const caps = ['', 'ext', 'patch', 'ext,patch', 'nodrafts', 'focus'];
  const follow = () => Promise.all(caps.map((one) => alice.follow(one)));
  const groups = [await follow()];
  const reconnect = async () => {
    for (const follower of groups.flat()) {
      await follower.connect();
      await follower.compare();
      await follower.drop();
    }
  };
  for (const follower of groups.flat()) await follower.drop();
  world.providers.script(agent.key, { chunks: ['green apples'], finish: 'max_tokens' });
  await alice.api.sendMessage({ chat_id, text: '?' });
  await world.turnsEnded();
  const { items } = await alice.api.getChatHistory({ chat_id });
  const { id } = items.at(-1) as Message; // the agent’s reply
  groups.push(await follow());
  for (const follower of groups[1] ?? []) await follower.drop();
  const found = async (query: string) => (await alice.api.searchMessages({ query })).items.length;
  expect(await found('apples')).toBe(1);
  const more = agent.steer();
  await goOn(alice, id);
  await more.started;
  // Its first end is no longer true.
  const { frames } = await alice.api.getUpdates({ since: 0 });
  expect(frames.filter(({ method }) => method === 'events.messageComplete')).toEqual([]);
  await reconnect();
  const socket = await alice.socket();
  more.text(' and pears');
  await socket.event('messageDelta');
  await world.settle();
  await reconnect();
  expect([await found('apples'), await found('pears')]).toEqual([0, 0]);
  more.end();
  await world.turnsEnded();
  await reconnect();
  expect([await found('apples'), await found('pears')]).toEqual([1, 1]);
});

test('CONTINUE-1, PART-10: its parts stay; those of a continued turn get ids of their own, also if its request is repeated', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const alice = await world.person('alice');
  const { agent, chat } = await agentChat(world, alice);
  const socket = await alice.socket('ext');
  const first = agent.steer();
  await alice.api.sendMessage({ chat_id: chat.id, text: '?' });
  await first.started;
  first.block({ reasoning: ['Hm.'] });
  first.text('One');
  first.end('max_tokens');
  const { id } = await socket.event('messageComplete');
  const failing = agent.steer();
  await checkReplay(world, [alice], async () => {
    await goOn(alice, id);
    await failing.started;
    failing.block({ reasoning: ['Lost.'] });
    await socket.event('messagePart', ({ part }) => part.id === '2');
    failing.error('overloaded_error');
    await failing.started.then(({ closed }) => closed);
    await world.settle();
    const second = agent.steer();
    await clock.advance(30_000);
    await second.started;
    second.block({ reasoning: ['Well.'] });
    second.text(' two');
    second.end();
    await world.turnsEnded();
  });
  const [, whole] = await historyOf(alice, chat.id);
  expect(whole).toMatchObject({ content: 'One two', status: 'complete' });
  expect(whole?.parts).toMatchObject([
    { offset: 0, text: 'Hm.' },
    { offset: 3, text: 'Well.' },
  ]);
  expect(new Set(whole?.parts?.map((part) => part.id)).size).toBe(2);
});

test('CONTINUE-2: only the asker may continue a reply, only one that was cut off, and one turn at a time', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger } = await world.people('alice', 'bob', 'stranger');
  const chat = await world.group(alice, bob);
  const chat_id = chat.id;
  const agent = await keyedAgent(world, alice);
  const bot = await botIn(world, alice, chat);
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
  world.providers.script(agent.key, { chunks: ['Half'], finish: 'max_tokens' }, { chunks: ['Whole'] });
  const ask = async () => {
    const question = await bob.api.sendMessage({ chat_id, text: `@${agent.username} ?` });
    await world.turnsEnded();
    return { question, reply: (await historyOf(bob, chat_id)).at(-1) as Message }; // the agent’s reply
  };
  const { question, reply } = await ask();
  const { reply: whole } = await ask();
  for (const actor of [alice, stranger, bot]) await expect(goOn(actor, reply.id)).rejects.toMatchObject(forbidden);
  await expect(goOn(bob, unknownId)).rejects.toMatchObject(missing);
  await expect(goOn(bob, question.id)).rejects.toMatchObject({ status: 400, parameters: { field: 'message_id' } });
  await expect(goOn(bob, whole.id)).rejects.toMatchObject({ ...refused, message: expect.stringContaining('cut off') });
  const { id } = await bot.api.startMessageStream({ chat_id, reply_to_message_id: question.id });
  await bot.api.finishMessageStream({ message_id: id, text: 'of a bot' });
  await expect(goOn(bob, id)).rejects.toMatchObject(refused);

  const more = agent.steer();
  const clicks = await Promise.allSettled([goOn(bob, reply.id), goOn(bob, reply.id)]);
  expect(clicks.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await more.started;
  await expect(bob.api.retryReply({ message_id: reply.id })).rejects.toMatchObject(refused);
  more.end('max_tokens');
  await world.turnsEnded();
  // Without a key that may be used nothing is written into the reply.
  await alice.api.setBotConfig({ username: agent.username, pays_for: 'nobody' });
  await expect(goOn(bob, reply.id)).rejects.toMatchObject({ ...refused, message: expect.stringContaining('API key') });
  await bob.api.leaveChat({ chat_id });
  await expect(goOn(bob, reply.id)).rejects.toMatchObject(forbidden);
  await alice.api.deleteMessages({ message_ids: [reply.id] });
  await expect(goOn(bob, reply.id)).rejects.toMatchObject(missing);
});

test('CONTINUE-2: a key that was removed leaves the reply as it was', async () => {
  await using world = await createWorld();
  const { alice, reply, last } = await scene(world);
  await alice.api.removeAgentKey({ provider: 'provider_a' });
  const socket = await alice.socket();
  await goOn(alice, reply.id);
  await world.turnsEnded();
  expect(await last()).toMatchObject({ ...cutOff, content: 'One two' });
  expect(await socket.event('alert')).toMatchObject({ text: expect.stringContaining('key'), message_id: reply.id });
});

test('CONTINUE-4: it fires each agent that it mentions once, and is pushed once', () =>
  withPushes(async ({ world, push, pushed }) => {
    const { alice } = await world.people('alice');
    const bob = await world.member('bob');
    const chat = await world.group(alice, bob);
    const agent = await keyedAgent(world, alice);
    const [first, second] = [await botIn(world, alice, chat, 'first'), await botIn(world, alice, chat, 'second')];
    await alice.api.addGroupAgent({ chat_id: chat.id, agent_username: agent.username });
    await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('bob') });
    const begun = agent.steer();
    await alice.api.sendMessage({ chat_id: chat.id, text: `@${agent.username} ?` });
    await begun.started;
    // Otherwise the push of the reply could replace that of the question, if that is not sent yet.
    await push.nth('bob');
    await pushed();
    begun.text(`Ask @${first.username}`);
    begun.end('max_tokens');
    await world.turnsEnded();
    const { id, dispatch } = (await historyOf(alice, chat.id)).at(-1) as Message; // the agent’s reply
    expect(dispatch).toEqual([first.username]);
    await push.nth('bob', 2);
    world.providers.script(agent.key, { chunks: [` and @${second.username}`] });
    await checkReplay(world, [alice], async () => {
      await goOn(alice, id);
      await world.turnsEnded();
    });
    expect((await historyOf(alice, chat.id)).at(-1)).toMatchObject({
      dispatch: [first.username, second.username],
      mentions: [first.username, second.username],
    });
    expect(
      await world.sql(
        'SELECT count(*) AS count FROM turns t JOIN accounts a ON a.key = t.agent_key WHERE a.agent_provider IS NULL',
      ),
    ).toEqual([{ count: 2 }]);
    await pushed();
    expect(push.of('bob')).toHaveLength(2);
  }));

test('CONTINUE-5: if it is stopped or fails, the reply keeps its text and can be continued again', async () => {
  await using world = await createWorld();
  const { alice, agent, chat_id, reply, last } = await scene(world);
  const socket = await alice.socket();
  const stopped = agent.steer();
  await checkReplay(world, [alice], async () => {
    await goOn(alice, reply.id);
    await stopped.started;
    stopped.text(' three');
    await socket.event('messageDelta');
    await alice.api.stopRun({ chat_id, message_id: reply.id });
    await world.turnsEnded();
  });
  expect(await last()).toMatchObject({ ...cutOff, content: 'One two three' });
  world.providers.script(agent.key, { chunks: [' four'], ending: 'error' });
  await checkReplay(world, [alice], async () => {
    await goOn(alice, reply.id);
    await world.turnsEnded();
  });
  expect(await socket.event('alert')).toMatchObject({ message_id: reply.id, level: 'error' });
  expect(await last()).toMatchObject({ ...cutOff, content: 'One two three four' });
  world.providers.script(agent.key, { chunks: [' five'] });
  await goOn(alice, reply.id);
  await world.turnsEnded();
  expect(await last()).toMatchObject({ status: 'complete', content: 'One two three four five' });
  await expectCounted(world);
});

test('CONTINUE-5, STREAM-8: a crash before the first new text repeats the turn, one after it ends it; revisions go on', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, agent, reply, last, requests } = await scene(world);
  const lost = agent.steer();
  const before = await goOn(alice, reply.id);
  await lost.started;
  const again = agent.steer();
  await world.crash();
  await again.started;
  expect(requests()[2]?.body['messages']).toEqual(requests()[1]?.body['messages']);
  const socket = await alice.socket();
  again.text(' three');
  const snapshot = await socket.event('messageNew', ({ content }) => content === 'One two three');
  expect(snapshot.content_revision).toBeGreaterThan(before.content_revision);
  await world.settle();
  await world.crash();
  await world.turnsEnded();
  const ended = await last();
  expect(ended).toMatchObject({ ...cutOff, content: 'One two three' });
  expect(ended.content_revision).toBeGreaterThan(snapshot.content_revision);
  world.providers.script(agent.key, { chunks: [' four'] });
  await checkReplay(world, [alice], async () => {
    await goOn(alice, reply.id);
    await world.turnsEnded();
  });
  expect(await last()).toMatchObject({ status: 'complete', content: 'One two three four' });
  await expectCounted(world);
});

test('CONTINUE-5, TURN-9: a reply that is deleted while it is continued is gone; one whose agent leaves is cancelled', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const chat_id = chat.id;
  const agent = await keyedAgent(world, alice);
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
  const begin = async () => {
    world.providers.script(agent.key, { chunks: ['Half'], finish: 'max_tokens' });
    await alice.api.sendMessage({ chat_id, text: `@${agent.username} ?` });
    await world.turnsEnded();
    const { id } = (await historyOf(alice, chat_id)).at(-1) as Message; // the agent’s reply
    const more = agent.steer();
    await goOn(alice, id);
    await more.started;
    return { id, more };
  };
  await checkReplay(world, [alice, bob], async () => {
    const { id, more } = await begin();
    await alice.api.deleteMessages({ message_ids: [id] });
    await more.aborted;
    await world.turnsEnded();
    await expect(goOn(alice, id)).rejects.toMatchObject(missing);
  });
  await checkReplay(world, [alice, bob], async () => {
    const { more } = await begin();
    await alice.api.removeGroupAgent({ chat_id, agent_username: agent.username });
    await more.aborted;
    await world.turnsEnded();
  });
  expect((await historyOf(bob, chat_id)).at(-1)).toMatchObject({
    status: 'cancelled',
    finish_reason: 'removed',
    content: 'Half',
  });
  await expectCounted(world);
});

test('CONTINUE-1, PART-9: a reply whose parts are full already is continued all the same', async () => {
  await using world = await createWorld();
  const { alice, agent, reply, last } = await scene(world);
  const cites = Array.from({ length: 300 }, (_, at) => ({ url: `https://s.example/${at}`, title: `S ${at}` }));
  const more = { reasoning: ['Hm.'] };
  const turns: [string, ReplyScript][] = [
    ['One two three', { chunks: [{ text: ' three', cites }], finish: 'max_tokens' }],
    ['One two three four', { chunks: [more, ' four', more], finish: 'max_tokens' }],
  ];
  for (const [content, script] of turns) {
    world.providers.script(agent.key, script);
    await checkReplay(world, [alice], async () => {
      await goOn(alice, reply.id);
      await world.turnsEnded();
    });
    const { parts, ...whole } = await last();
    expect(whole).toMatchObject({ ...cutOff, content });
    expect(parts).toHaveLength(limits.partsPerMessage);
    expect(parts?.filter(({ type }) => type === 'notice')).toHaveLength(1);
  }
});

test('CONTINUE-5, STREAM-8: the first text that is added is stored at once', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, agent, reply } = await scene(world);
  const socket = await alice.socket('ext');
  const more = agent.steer();
  await goOn(alice, reply.id);
  await more.started;
  more.block({ reasoning: ['Hm.'] });
  await socket.event('messagePart');
  await world.settle();
  more.text(' three');
  // The clock stands still: no later checkpoint is due.
  await expect.poll(() => world.sql('SELECT text FROM streams')).toEqual([{ text: 'One two three' }]);
  more.end();
  await world.turnsEnded();
});

test('CONTINUE-5, USAGE-4: a reply that is deleted while it is continued is counted once', async () => {
  await using world = await createWorld();
  const { alice, agent, reply } = await scene(world);
  const more = world.providers.steer(agent.key, { input: 20, output: 3 });
  const socket = await alice.socket();
  await goOn(alice, reply.id);
  await more.started;
  more.text(' three');
  await socket.event('messageDelta', ({ delta }) => delta === ' three');
  await alice.api.deleteMessages({ message_ids: [reply.id] });
  await more.aborted;
  await world.turnsEnded();
  await expect.poll(async () => (await alice.api.getUsage({})).items).toMatchObject([{ input_tokens: 30, replies: 1 }]);
});

test('CONTINUE-5, STREAM-8: a checkpoint of the former turn that arrives late changes nothing', async () => {
  await using world = await createWorld();
  const { alice, agent, reply } = await scene(world);
  const more = agent.steer();
  await goOn(alice, reply.id);
  await more.started;
  const owner = world.services.find(({ streams }) => streams.find(reply.id)) ?? world.service;
  const messageKey = owner.streams.find(reply.id)?.info.messageKey ?? 0;
  const stored = () => world.sql('SELECT text, revision_reserved, input_tokens FROM streams');
  const before = await stored();
  const late = {
    messageKey,
    text: 'One',
    parts: null,
    revisionReserved: 2,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  await owner.units.run('checkpoint', theService, late, Date.now());
  expect(await stored()).toEqual(before);
  more.end();
  await world.turnsEnded();
});
