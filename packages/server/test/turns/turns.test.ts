import type { Conversation, Message } from '@parley/protocol';
import { type Actor, createWorld, ManualClock, type SteeredReply, type TestSocket, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { agentChat } from '../helpers/agents.ts';
import { refusingStore } from '../helpers/refusing-store.ts';

const restarted = { status: 'failed', finish_reason: 'restart' };

/** Alice alone with her agent, and a function with which she asks it. */
async function scene(world: World) {
  const alice = await world.person('alice');
  const { agent, chat } = await agentChat(world, alice);
  const ask = (text = '?') => alice.api.sendMessage({ chat_id: chat.id, text });
  return { alice, agent, chat, ask, requests: () => world.providers.requestsOf(agent.key).length };
}

/** The replies in a chat, oldest first. */
async function repliesIn(reader: Actor, chat: Conversation): Promise<Message[]> {
  const { items } = await reader.api.getChatHistory({ chat_id: chat.id });
  return items.filter(({ sender }) => sender.kind === 'agent');
}

/** Makes the reply stream a text, and waits until it is published and stored. */
async function say(world: World, socket: TestSocket, reply: SteeredReply, text: string): Promise<void> {
  const { length } = socket.frames;
  reply.text(text);
  await socket.waitFor(
    (frame) => socket.frames.indexOf(frame) >= length && JSON.stringify(frame.params).includes(text),
  );
  await world.settle();
}

test('TURN-10: a socket gets the frames of a turn in order', async () => {
  await using world = await createWorld();
  const { alice, agent, ask } = await scene(world);
  const reply = agent.steer();
  const socket = await alice.socket();
  await ask();
  await reply.started;
  await say(world, socket, reply, 'one');
  await say(world, socket, reply, 'two');
  reply.end();
  await socket.event('typing', ({ is_typing }) => !is_typing);
  const told = socket.frames.map(({ method, params }) => [
    method.replace('events.', ''),
    params['status'] ?? params['is_typing'],
  ]);
  expect(told).toEqual([
    ['messageNew', 'complete'],
    ['messageNew', 'streaming'],
    ['typing', true],
    ['messageDelta', undefined],
    ['messageDelta', undefined],
    ['messageComplete', 'complete'],
    ['typing', false],
  ]);
});

test('TURN-12, DISPATCH-14, ALERT-6: a reply with an error in the middle keeps its text, is failed, and fires no agent', async () => {
  await using world = await createWorld();
  const { alice, agent, chat, ask } = await scene(world);
  world.providers.script(agent.key, { chunks: ['half'], ending: 'error', message: 'the model is ill' });
  const socket = await alice.socket();
  await ask();
  const failed = await socket.event('messageComplete');
  expect(failed).toMatchObject({ status: 'failed', content: 'half', dispatch: [] });
  const from = { username: agent.username };
  expect(await socket.event('alert')).toMatchObject({ level: 'error', from, message_id: failed.id });
  expect(await socket.event('typing', ({ is_typing }) => !is_typing)).toMatchObject({ conversation_id: chat.id });
});

test('TURN-14: a reply that the model cut off at its limit is complete with finish_reason length', async () => {
  await using world = await createWorld();
  const { alice, agent, chat, ask } = await scene(world);
  world.providers.script(agent.key, { chunks: ['as far as it goes'], finish: 'max_tokens' });
  await ask();
  await world.turnsEnded();
  expect(await repliesIn(alice, chat)).toMatchObject([{ status: 'complete', finish_reason: 'length' }]);
});

test('TURN-4, STREAM-15: a turn with text at a crash ends as failed and keeps its text', async () => {
  await using world = await createWorld();
  const { alice, agent, chat, ask, requests } = await scene(world);
  const reply = agent.steer();
  const socket = await alice.socket();
  await ask();
  await reply.started;
  await say(world, socket, reply, 'half');
  const since = socket.chain.lastSeq;
  await world.crash();
  await world.turnsEnded();
  expect(await repliesIn(alice, chat)).toMatchObject([{ ...restarted, content: 'half' }]);
  expect(requests()).toBe(1);
  const { frames } = await alice.api.getUpdates({ since });
  expect(frames.map(({ method }) => method)).toEqual(['events.messageComplete', 'events.alert', 'events.typing']);
});

test('TURN-3, STREAM-14: a turn without text at a crash is repeated once, in the same message', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, agent, chat, ask, requests } = await scene(world);
  const first = agent.steer();
  await ask();
  await first.started;
  const [{ id }] = (await repliesIn(alice, chat)) as [Message]; // the one that has just started
  const second = agent.steer();
  await world.crash();
  await second.started;
  const socket = await alice.socket();
  await say(world, socket, second, 'again');
  second.end();
  await world.turnsEnded();
  expect(socket.frames[0]).toMatchObject({
    method: 'events.messageNew',
    params: { id, content: 'again', status: 'streaming' },
  });
  expect(await repliesIn(alice, chat)).toMatchObject([{ id, status: 'complete', content: 'again' }]);
  expect(requests()).toBe(2);
});

test('TURN-3: a repeated turn that still has no text at the next crash fails', async () => {
  await using world = await createWorld();
  const { alice, agent, chat, ask, requests } = await scene(world);
  for (let times = 0; times < 2; times += 1) {
    const reply = agent.steer();
    if (times === 0) await ask();
    else await world.crash();
    await reply.started;
  }
  await world.crash();
  await world.turnsEnded();
  expect(await repliesIn(alice, chat)).toMatchObject([{ ...restarted, content: '' }]);
  expect(requests()).toBe(2);
});

test('TURN-5, DISPATCH-15: a firing that was not claimed before a crash runs once after the start', async () => {
  const store = refusingStore(['claimTurn'], 1);
  const clock = new ManualClock();
  await using world = await createWorld({ clock, startStore: store.start, expectsErrors: true });
  const { alice, agent, chat, ask, requests } = await scene(world);
  world.providers.script(agent.key, { chunks: ['late'] });
  const asked = await ask();
  await world.settle();
  expect([store.asked, requests()]).toEqual([1, 0]);
  await world.crash();
  await world.turnsEnded();
  await world.crash();
  await world.turnsEnded();
  expect(await repliesIn(alice, chat)).toMatchObject([{ reply_to_id: asked.id, content: 'late', status: 'complete' }]);
  expect(requests()).toBe(1);
});

test('TURN-5: a firing whose message is older than 10 minutes at the start does not run', async () => {
  const clock = new ManualClock();
  const settings = { turnsAtOnce: 0 };
  await using world = await createWorld({ clock, settings });
  const { alice, agent, chat, ask, requests } = await scene(world);
  world.providers.script(agent.key, { chunks: ['late'] });
  await ask('too old');
  await clock.advance(300_000);
  await ask('young enough');
  await clock.advance(300_001);
  await world.settle();
  settings.turnsAtOnce = 4;
  await world.crash();
  await world.turnsEnded();
  expect(requests()).toBe(1);
  expect(await repliesIn(alice, chat)).toMatchObject([{ content: 'late' }]);
});

test('TURN-11, TURN-6: an agent runs at most four turns for one human; the others wait, and can be stopped too', async () => {
  await using world = await createWorld();
  const { alice, agent, chat, ask, requests } = await scene(world);
  const gate = Promise.withResolvers<void>();
  world.providers.script(agent.key, { hold: gate.promise, chunks: ['done'] });
  for (let n = 0; n < 6; n += 1) await ask();
  await world.providers.waitForRequest(agent.key, 4);
  await world.settle();
  expect([requests(), (await repliesIn(alice, chat)).length]).toEqual([4, 4]);
  await alice.api.stopRun({ chat_id: chat.id });
  await world.turnsEnded();
  expect([requests(), await repliesIn(alice, chat)]).toEqual([4, []]);
  await ask();
  await world.providers.waitForRequest(agent.key, 5);
  gate.resolve();
  await world.turnsEnded();
  expect(await repliesIn(alice, chat)).toMatchObject([{ content: 'done' }]);
});

test('TURN-11: the end of a turn starts a waiting one', async () => {
  await using world = await createWorld({ settings: { turnsAtOnce: 1 } });
  const { alice, agent, chat, ask } = await scene(world);
  world.providers.script(agent.key, { chunks: ['one'] }, { chunks: ['two'] }, { chunks: ['three'] });
  for (let n = 0; n < 3; n += 1) await ask();
  await world.turnsEnded();
  expect((await repliesIn(alice, chat)).map(({ content }) => content)).toEqual(['one', 'two', 'three']);
});

embeddedTest('one process that ends')(
  'DRAIN-1: a turn that lasts longer than the shutdown waits ends as failed; one that ends in time is complete',
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const { alice, agent, chat, ask } = await scene(world);
    const slow = agent.steer();
    const socket = await alice.socket();
    await ask();
    await slow.started;
    await say(world, socket, slow, 'half');
    const quick = agent.steer();
    await ask();
    await quick.started;
    const drained = world.drain(15_000);
    await expect(alice.api.sendMessage({ chat_id: chat.id, text: 'more' })).rejects.toMatchObject({ status: 503 });
    quick.text('whole');
    quick.end();
    await socket.event('messageComplete');
    await clock.advance(15_000);
    await drained;
    expect(await socket.closed).toMatchObject({ code: 1012 });
    expect(socket.all('messageComplete')).toMatchObject([
      { content: 'whole', status: 'complete' },
      { ...restarted, content: 'half' },
    ]);
    expect(socket.all('alert')).toHaveLength(1);
  },
);

test('DRAIN-2: requests of a socket before a SIGTERM are answered before the socket is closed', async () => {
  await using world = await createWorld();
  const { alice, chat } = await scene(world);
  const socket = await alice.socket('nodrafts');
  const sends = Array.from({ length: 20 }, (_, n) =>
    socket.rpc('messages.send', { conversation_id: chat.id, content: `${n}`, service: { kind: 'note' } }),
  );
  await sends[0];
  const drained = world.drain(0);
  const answers = await Promise.allSettled(sends);
  await drained;
  const refused = answers.filter(({ status }) => status === 'rejected');
  for (const answer of refused) expect(answer).toMatchObject({ reason: { status: 503 } });
  expect(socket.all('messageNew')).toHaveLength(answers.length - refused.length);
});

test('STREAM-18: a turn whose end the store refuses at first is ended later, without running twice', async () => {
  const clock = new ManualClock();
  const store = refusingStore(['closeStream'], 3);
  await using world = await createWorld({ clock, startStore: store.start, expectsErrors: true });
  const { alice, agent, chat, ask, requests } = await scene(world);
  world.providers.script(agent.key, { chunks: ['whole'] });
  const socket = await alice.socket();
  await ask();
  for (let asked = 1; asked <= 3; asked += 1) {
    await clock.timerSet(1_000);
    await world.settle();
    expect(store.asked).toBe(asked);
    await clock.advance(1_000);
  }
  await socket.event('messageComplete');
  expect(await repliesIn(alice, chat)).toMatchObject([{ content: 'whole', status: 'complete' }]);
  expect(requests()).toBe(1);
});

test('TURN-15: a firing whose claim the store refuses is retried after a second, not immediately', async () => {
  const clock = new ManualClock();
  const store = refusingStore(['claimTurn'], 2);
  await using world = await createWorld({ clock, startStore: store.start, expectsErrors: true });
  const { alice, agent, chat, ask } = await scene(world);
  world.providers.script(agent.key, { chunks: ['here'] });
  await ask();
  await world.settle();
  expect(store.asked).toBe(1);
  await clock.advance(1_000);
  await world.settle();
  expect(store.asked).toBe(2);
  await clock.advance(1_000);
  await world.turnsEnded();
  expect(await repliesIn(alice, chat)).toMatchObject([{ content: 'here' }]);
});
