import { type Actor, createWorld, type SteeredReply, unknownId, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { agentChat, botIn, keyedAgent } from '../helpers/agents.ts';
import { refusingStore } from '../helpers/refusing-store.ts';

/** A group in which carol's agent replies to dave, with a person in every role. */
async function scene(world: World) {
  const people = await world.people('owner', 'admin', 'carol', 'dave', 'member', 'stranger');
  const { owner, admin, carol, dave, member } = people;
  const chat = await world.group(owner, admin, carol, dave, member);
  const chat_id = chat.id;
  await owner.api.setMemberRole({ chat_id, username: 'admin', role: 'admin' });
  const agent = await keyedAgent(world, carol);
  await carol.api.addGroupAgent({ chat_id, agent_username: agent.username });
  // A cap that several replies together cannot use up, so that they run concurrently.
  await carol.api.setBotConfig({ username: agent.username, asker_daily_tokens: 1_000_000 });
  const reader = await member.socket();
  /** A reply that has some text. */
  const fire = async (): Promise<{ id: string; steered: SteeredReply }> => {
    const steered = agent.steer();
    const asked = await dave.api.sendMessage({ chat_id, text: `@${agent.username} ?` });
    const { id } = await reader.event('messageNew', ({ reply_to_id }) => reply_to_id === asked.id);
    await steered.started;
    steered.text('some text');
    await reader.event('messageDelta', (delta) => delta.id === id);
    return { id, steered };
  };
  const endOf = (messageId: string) => reader.event('messageComplete', ({ id }) => id === messageId);
  return { ...people, chat, chat_id, agent, reader, fire, endOf };
}

test.each(['owner', 'admin', 'carol', 'dave'] as const)(
  'STOP-2, STOP-4: %s may stop the reply, and the provider notices',
  async (who) => {
    await using world = await createWorld();
    const { chat_id, fire, endOf, ...people } = await scene(world);
    const { id, steered } = await fire();
    await people[who].api.stopRun({ chat_id, message_id: id });
    await steered.aborted;
    expect(await endOf(id)).toMatchObject({ status: 'cancelled', finish_reason: 'stopped', content: 'some text' });
  },
);

test('STOP-2, ALERT-8: another member gets one alert per call, and the replies continue', async () => {
  await using world = await createWorld();
  const { chat_id, fire, endOf, member, agent, ...people } = await scene(world);
  const replies = [await fire(), await fire()] as const;
  const [socket, others] = [await member.socket(), [await people.dave.socket(), await people.carol.socket()]];
  await member.api.stopRun({ chat_id });
  await member.api.stopRun({ chat_id, message_id: replies[1].id });
  await world.settle();
  const alert = { level: 'error', from: { username: agent.username, kind: 'agent' }, cause: { kind: 'stop_refused' } };
  expect(socket.all('alert')).toMatchObject([alert, alert]);
  expect(others.flatMap((other) => other.all('alert'))).toEqual([]);
  for (const { id, steered } of replies) {
    steered.end();
    expect(await endOf(id)).toMatchObject({ status: 'complete', content: 'some text' });
  }
});

test('STOP-3: one of several replies can be stopped, then all the others', async () => {
  await using world = await createWorld();
  const { chat_id, dave, fire, endOf } = await scene(world);
  const [first, second, third] = [await fire(), await fire(), await fire()];
  await dave.api.stopRun({ chat_id, message_id: second.id });
  await second.steered.aborted;
  expect(await endOf(second.id)).toMatchObject({ status: 'cancelled' });
  first.steered.end();
  expect(await endOf(first.id)).toMatchObject({ status: 'complete' });
  await dave.api.stopRun({ chat_id });
  await third.steered.aborted;
  expect(await endOf(third.id)).toMatchObject({ status: 'cancelled' });
});

test('STOP-3, STREAM-9: stopping a reply without text deletes it, and a second stop is not an error', async () => {
  await using world = await createWorld();
  const { chat_id, dave, agent, reader } = await scene(world);
  const steered = agent.steer();
  await dave.api.sendMessage({ chat_id, text: `@${agent.username} ?` });
  const { id } = await reader.event('messageNew', ({ status }) => status === 'streaming');
  await steered.started;
  await dave.api.stopRun({ chat_id, message_id: id });
  expect(await reader.event('messageDeleted')).toEqual({ conversation_id: chat_id, ids: [id] });
  expect(await reader.event('typing', ({ is_typing }) => !is_typing)).toMatchObject({
    actor: { username: agent.username },
  });
  await dave.api.stopRun({ chat_id, message_id: id });
  await world.turnsEnded();
  expect(reader.all('messageComplete')).toEqual([]);
});

test('STOP-5: stopRun: 403 for a non-participant, 404 for an unknown message, no-op for a finished reply', async () => {
  await using world = await createWorld();
  const { chat_id, owner, dave, member, stranger, reader, fire, endOf } = await scene(world);
  const other = await world.group(owner, dave);
  const elsewhere = await owner.api.sendMessage({ chat_id: other.id, text: 'elsewhere' });
  const stop = (who: Actor, message_id?: string, chat = chat_id) => who.api.stopRun({ chat_id: chat, message_id });
  await expect(stop(stranger)).rejects.toMatchObject({ status: 403 });
  await expect(stop(owner, undefined, unknownId)).rejects.toMatchObject({ status: 404 });
  for (const id of [unknownId, elsewhere.id]) await expect(stop(owner, id)).rejects.toMatchObject({ status: 404 });
  const { id, steered } = await fire();
  steered.end();
  await endOf(id);
  const { length } = reader.frames;
  for (const who of [dave, member]) {
    expect(await stop(who, id)).toBeUndefined();
    expect(await stop(who)).toBeUndefined();
  }
  await world.settle();
  // After the end of the turn only the end of typing is sent.
  expect(reader.frames.slice(length).map(({ method }) => method)).not.toContain('events.alert');
});

test('STOP-1: every bot of the conversation gets events.cancelRun, whoever wrote the message', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const chat_id = chat.id;
  const bots = [await botIn(world, alice, chat, 'one'), await botIn(world, alice, chat, 'two')] as const;
  const outsider = await world.bot(alice, 'outsider');
  const sockets = [
    await bots[0].socket(),
    await bots[0].socket('nodrafts'),
    await bots[1].socket(),
    await outsider.socket(),
  ];
  const asker = await bob.socket();
  const streams = [
    await bots[0].api.startMessageStream({ chat_id }),
    await bots[1].api.startMessageStream({ chat_id }),
  ] as const;
  const append = async (at: 0 | 1, offset: number) =>
    (await bots[at].api.appendMessageStream({ message_id: streams[at].id, delta: 'x', offset })).cancel_requested;
  const from = { username: 'bob', kind: 'human', display_name: 'bob' };
  const one = { conversation_id: chat_id, message_id: streams[0].id, from };
  const all = { conversation_id: chat_id, from };

  await bob.api.stopRun({ chat_id, message_id: streams[0].id });
  await world.settle();
  expect(sockets.map((socket) => socket.all('cancelRun'))).toEqual([[one], [one], [one], []]);
  expect([await append(0, 1), await append(1, 1)]).toEqual([true, false]);

  await bob.api.stopRun({ chat_id });
  await world.settle();
  expect(sockets.map((socket) => socket.all('cancelRun'))).toEqual([[one, all], [one, all], [one, all], []]);

  // The event also names a person's message, and a finished reply.
  await bots[0].api.finishMessageStream({ message_id: streams[0].id, text: 'done' });
  const { id: ended } = streams[0];
  const { id: asked } = await bob.api.sendMessage({ chat_id, text: 'a question' });
  for (const message_id of [ended, asked]) await bob.api.stopRun({ chat_id, message_id });
  await world.settle();
  for (const socket of sockets.slice(0, 3))
    expect(socket.all('cancelRun').slice(2)).toEqual([ended, asked].map((message_id) => ({ ...one, message_id })));
  await world.crash();
  expect(await append(1, 2).catch(() => append(1, 1))).toBe(true);
  expect(asker.all('alert')).toEqual([]);
});

test('STOP-6: an acknowledged stop survives a crash: the turn is not repeated', async () => {
  // The process never stores the reply's end before it crashes.
  const store = refusingStore(['closeStream'], Infinity);
  await using world = await createWorld({ startStore: store.start, expectsErrors: true });
  const alice = await world.person('alice');
  const { agent, chat } = await agentChat(world, alice);
  const steered = agent.steer();
  await alice.api.sendMessage({ chat_id: chat.id, text: '?' });
  await steered.started;
  const { id } = (await alice.api.getChatHistory({ chat_id: chat.id })).items.at(-1) ?? expect.fail('a placeholder');
  await alice.api.stopRun({ chat_id: chat.id, message_id: id });
  await steered.aborted;
  expect((await alice.api.getMessages({ message_ids: [id] })).items).toMatchObject([{ status: 'streaming' }]);
  await world.crash();
  await world.turnsEnded();
  expect(world.providers.requestsOf(agent.key)).toHaveLength(1);
  expect((await alice.api.getMessages({ message_ids: [id] })).items).toEqual([]);
});
