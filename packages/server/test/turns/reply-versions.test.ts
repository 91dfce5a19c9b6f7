import { limits, type Message } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, type SteeredReply, unknownId, type World } from '@parley/testing';
import { compareAll } from '@parley/testing/model/follower.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { historyOf, missing } from '../helpers/message-stage.ts';

const forbidden = { status: 403, code: 'forbidden' };
const retry = (actor: Actor, message_id: string) => actor.api.retryReply({ message_id });
const choose = (actor: Actor, message_id: string) => actor.api.chooseVersion({ message_id });

/** Lets the model say a text, and waits until it is published and saved. */
async function say(world: World, actor: Actor, reply: SteeredReply, text: string): Promise<void> {
  const socket = await actor.socket();
  reply.text(text);
  await socket.event('messageDelta');
  await world.settle();
}

/** Alice, bob and alice's agent in a group, where bob has asked the agent, and a reply for each text. */
async function scene(world: World, ...texts: string[]) {
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const chat_id = chat.id;
  const agent = await keyedAgent(world, alice);
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
  world.providers.script(agent.key, ...texts.map((text) => ({ chunks: [text] })));
  const ask = async (text = '?'): Promise<Message> => {
    const question = await bob.api.sendMessage({ chat_id, text: `@${agent.username} ${text}` });
    await world.turnsEnded();
    return question;
  };
  const question = await ask();
  const replies = async (): Promise<Message[]> =>
    (await historyOf(bob, chat_id)).filter(({ reply_to_id }) => reply_to_id === question.id);
  const [first] = (await replies()) as [Message]; // the agent’s reply
  const ids = [first.id];
  for (const _ of texts.slice(1)) {
    ids.push((await retry(bob, first.id)).id);
    await world.turnsEnded();
  }
  /** What each reply says of its versions; the same on all of them. */
  const versions = async (): Promise<Message['versions']> => {
    const all = (await replies()).map((reply) => reply.versions);
    for (const one of all) expect(one).toEqual(all[0]);
    return all[0];
  };
  const requests = () => world.providers.requestsOf(agent.key);
  return {
    alice,
    bob,
    chat,
    chat_id,
    agent,
    question,
    ask,
    replies,
    ids: ids as [string, string, string],
    versions,
    requests,
  };
}

test('REGEN-1, REGEN-2: a new version is current from its start, and all versions say so', async () => {
  await using world = await createWorld();
  const { alice, bob, agent, ids, versions, replies } = await scene(world, 'one');
  const [one] = ids;
  expect(await versions()).toBeUndefined();
  const second = agent.steer();
  const made = await checkReplay(world, [alice, bob], async () => {
    const placeholder = await retry(bob, one);
    await second.started;
    second.text('tw');
    return placeholder;
  });
  expect(made.versions).toEqual({ ids: [one, made.id], current: made.id });
  expect(await versions()).toEqual(made.versions);
  await checkReplay(world, [alice, bob], async () => {
    second.text('o');
    second.end();
    await world.turnsEnded();
  });
  expect(await versions()).toEqual(made.versions);
  expect((await replies()).map(({ content }) => content)).toEqual(['one', 'two']);
});

test('REGEN-1: replies of another agent to the same message, and to another message, are no versions', async () => {
  await using world = await createWorld();
  const { alice, bob, agent, chat_id, ids, replies } = await scene(world, 'one', 'two');
  const other = await keyedAgent(world, bob);
  await bob.api.addGroupAgent({ chat_id, agent_username: other.username });
  world.providers.script(agent.key, { chunks: ['a'] });
  world.providers.script(other.key, { chunks: ['b'] });
  await alice.api.sendMessage({ chat_id, text: `@${agent.username} @${other.username} both` });
  await world.turnsEnded();
  const [, , ...rest] = (await historyOf(alice, chat_id)).filter(({ sender }) => sender.kind === 'agent');
  expect(new Set(rest.map(({ content }) => content))).toEqual(new Set(['a', 'b']));
  for (const { versions } of rest) expect(versions).toBeUndefined();
  expect((await replies()).map(({ id }) => id)).toEqual(ids);
});

test('REGEN-2: if a new version fails, the one that it replaced is current again', async () => {
  await using world = await createWorld();
  const { alice, bob, agent, ids, versions } = await scene(world, 'one', 'two');
  const [one, two] = ids;
  await choose(bob, one);
  world.providers.script(agent.key, { chunks: ['half'], ending: 'error' });
  const failed = await checkReplay(world, [alice, bob], async () => {
    const { id } = await retry(bob, two);
    await world.turnsEnded();
    return id;
  });
  expect(await versions()).toEqual({ ids: [one, two, failed], current: one });
});

test('REGEN-2: a version that fails stays current if the one that it replaced has failed too', async () => {
  await using world = await createWorld();
  const { bob, agent, ids, versions } = await scene(world, 'one');
  const [one] = ids;
  world.providers.script(agent.key, { status: 400 });
  const two = await retry(bob, one);
  await world.turnsEnded();
  await choose(bob, two.id);
  const three = await retry(bob, two.id);
  await world.turnsEnded();
  expect(await versions()).toEqual({ ids: [one, two.id, three.id], current: three.id });
});

test('REGEN-2: a version that is stopped before it has text gives way; with text it stays', async () => {
  await using world = await createWorld();
  const { alice, bob, agent, chat_id, ids, versions } = await scene(world, 'one', 'two');
  const [one, two] = ids;
  await choose(bob, one);
  world.providers.script(agent.key, { ending: 'hang' });
  await checkReplay(world, [alice, bob], async () => {
    const { id } = await retry(bob, two);
    await world.providers.waitForRequest(agent.key, 3);
    await bob.api.stopRun({ chat_id, message_id: id });
    await world.turnsEnded();
  });
  expect(await versions()).toEqual({ ids: [one, two], current: one });
  const third = agent.steer();
  const { id } = await retry(bob, two);
  await third.started;
  await say(world, bob, third, 'three');
  await bob.api.stopRun({ chat_id, message_id: id });
  await world.turnsEnded();
  expect(await versions()).toEqual({ ids: [one, two, id], current: id });
});

test.each([
  ['is complete without text', { chunks: [{ reasoning: ['Hm.'] }] }],
  ['is empty', {}],
] as const)('REGEN-2: a version that %s gives way, and stays as a version', async (_, script) => {
  await using world = await createWorld();
  const { alice, bob, agent, ids, versions } = await scene(world, 'one');
  const [one] = ids;
  world.providers.script(agent.key, script);
  const id = await checkReplay(world, [alice, bob], async () => {
    const made = await retry(bob, one);
    await world.turnsEnded();
    return made.id;
  });
  expect(await versions()).toEqual({ ids: [one, id], current: one });
});

test('REGEN-2: a version that is stopped while it thinks gives way, and keeps what it has thought', async () => {
  await using world = await createWorld();
  const { alice, bob, agent, chat_id, ids, versions, replies } = await scene(world, 'one');
  const [one] = ids;
  const socket = await bob.socket('ext');
  world.providers.script(agent.key, { chunks: [{ reasoning: ['Hm.'] }], ending: 'hang' });
  const id = await checkReplay(world, [alice, bob], async () => {
    const made = await retry(bob, one);
    await socket.event('messagePart');
    await bob.api.stopRun({ chat_id, message_id: made.id });
    await world.turnsEnded();
    return made.id;
  });
  expect(await versions()).toEqual({ ids: [one, id], current: one });
  expect((await replies()).at(-1)).toMatchObject({ content: '', parts: [{ type: 'reasoning', text: 'Hm.' }] });
});

test('REGEN-2: a version chosen while another one streams stays current when that one fails or ends', async () => {
  await using world = await createWorld();
  const { alice, bob, agent, ids, versions } = await scene(world, 'one', 'two');
  const [one, two] = ids;
  const third = agent.steer();
  const made = await checkReplay(world, [alice, bob], async () => {
    const { id } = await retry(bob, two);
    await third.started;
    await choose(bob, one);
    return id;
  });
  expect(await versions()).toEqual({ ids: [one, two, made], current: one });
  await checkReplay(world, [alice, bob], async () => {
    third.text('half');
    third.error();
    await world.turnsEnded();
  });
  expect(await versions()).toEqual({ ids: [one, two, made], current: one });
});

test('REGEN-2: if the process dies while a version with text is written, the one that it replaced is current again', async () => {
  await using world = await createWorld();
  const { alice, bob, agent, ids, versions, replies } = await scene(world, 'one');
  const [one] = ids;
  const second = agent.steer();
  const late = await alice.follower('ext').load();
  const { id } = await retry(bob, one);
  await second.started;
  await say(world, bob, second, 'half');
  await world.crash();
  await world.turnsEnded();
  expect((await replies()).at(-1)).toMatchObject({ id, status: 'failed', content: 'half' });
  expect(await versions()).toEqual({ ids: [one, id], current: one });
  await late.connect();
  await late.idle();
  await compareAll([late]);
  await late.drop();
});

test('REGEN-3, REGEN-5: chooseVersion makes a version current for everyone, once, and sends one short event', async () => {
  await using world = await createWorld();
  const { alice, bob, ids, versions } = await scene(world, 'one', 'two', 'three');
  const [one, two, three] = ids;
  const socket = await alice.socket('ext');
  const plain = await alice.socket();
  const expected = { ids: [one, two, three], current: one };
  const answers = await checkReplay(world, [alice, bob], async () => [
    await choose(bob, one),
    await choose(bob, one),
    ...(await Promise.all([choose(bob, one), choose(bob, one)])),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ id: one, content: 'one', versions: expected });
  expect(await versions()).toEqual(expected);
  expect(socket.all('versionsChanged')).toEqual([{ conversation_id: answers[0]?.conversation_id, ...expected }]);
  expect(plain.methods).toEqual([]);
});

test('REGEN-3: only the human who asked may choose, while taking part; a missing message is 404, one of a person 400', async () => {
  await using world = await createWorld();
  const { alice, bob, chat, chat_id, question, ids, versions } = await scene(world, 'one', 'two');
  const stranger = await world.person('stranger');
  const bot = await botIn(world, alice, chat);
  const [one, two] = ids;
  for (const actor of [alice, stranger, bot]) await expect(choose(actor, one)).rejects.toMatchObject(forbidden);
  await expect(choose(bob, unknownId)).rejects.toMatchObject(missing);
  await expect(choose(stranger, unknownId)).rejects.toMatchObject(missing);
  await expect(choose(bob, question.id)).rejects.toMatchObject({ status: 400, parameters: { field: 'message_id' } });
  await bob.api.leaveChat({ chat_id });
  await expect(choose(bob, one)).rejects.toMatchObject(forbidden);
  await alice.api.addMembers({ chat_id, usernames: ['bob'] });
  await alice.api.deleteMessages({ message_ids: [one] });
  await expect(choose(bob, one)).rejects.toMatchObject(missing);
  expect(await versions()).toBeUndefined();
  expect(await choose(bob, two)).not.toHaveProperty('versions');
});

test('REGEN-4: if the current version is deleted, the one before it is current, otherwise the one after it', async () => {
  await using world = await createWorld();
  const { alice, bob, ids, versions } = await scene(world, 'one', 'two', 'three');
  const [one, two, three] = ids;
  const remove = (...message_ids: string[]) =>
    checkReplay(world, [alice, bob], () => alice.api.deleteMessages({ message_ids }));
  await choose(bob, two);
  await remove(two);
  expect(await versions()).toEqual({ ids: [one, three], current: one });
  await remove(one);
  expect(await versions()).toBeUndefined();
  await remove(three);
});

test('REGEN-4: several versions that are deleted at once, and one that streams', async () => {
  await using world = await createWorld();
  const { alice, bob, agent, ids, versions, replies } = await scene(world, 'one', 'two', 'three');
  const [one, two, three] = ids;
  await choose(bob, one);
  const fourth = agent.steer();
  const { id } = await retry(bob, three);
  await fourth.started;
  await checkReplay(world, [alice, bob], () => alice.api.deleteMessages({ message_ids: [two, id] }));
  await world.turnsEnded();
  expect(await versions()).toEqual({ ids: [one, three], current: one });
  await checkReplay(world, [alice, bob], () => alice.api.deleteMessages({ message_ids: [one, three] }));
  expect(await replies()).toEqual([]);
  expect(await world.sql('SELECT message_key FROM reply_versions')).toEqual([]);
});

test('REGEN-4: while a version streams, the others can be deleted', async () => {
  await using world = await createWorld();
  const { alice, bob, agent, ids, versions } = await scene(world, 'one', 'two');
  const [one, two] = ids;
  const third = agent.steer();
  const { id } = await retry(bob, two);
  await third.started;
  third.text('three');
  await checkReplay(world, [alice, bob], () => alice.api.deleteMessages({ message_ids: [one] }));
  expect(await versions()).toEqual({ ids: [two, id], current: id });
  await checkReplay(world, [alice, bob], () => alice.api.deleteMessages({ message_ids: [two] }));
  expect(await versions()).toBeUndefined();
  await checkReplay(world, [alice, bob], async () => {
    third.error();
    await world.turnsEnded();
  });
  expect(await versions()).toBeUndefined();
});

test('REGEN-6: a model receives only the current version', async () => {
  await using world = await createWorld();
  const { bob, agent, ids, ask, requests } = await scene(world, 'one', 'two', 'three');
  const [one] = ids;
  const told = async (text: string): Promise<string> => {
    world.providers.script(agent.key, { chunks: ['ok'] });
    await ask(text);
    return JSON.stringify(requests().at(-1)?.body['messages']);
  };
  const newest = await told('a');
  expect(newest).toContain('three');
  expect(newest).not.toMatch(/one|two/);
  await choose(bob, one);
  const first = await told('b');
  expect(first).toContain('one');
  expect(first).not.toMatch(/two|three/);
});

test('REGEN-6: a version that is not current is the root of its thread, and what fired an agent', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, agent, ids, requests } = await scene(world, 'one', 'two');
  const [one] = ids;
  world.providers.script(agent.key, { chunks: ['ok'] });
  await bob.api.sendMessage({ chat_id, thread_root_id: one, text: `@${agent.username} in the thread` });
  await world.turnsEnded();
  expect(JSON.stringify(requests().at(-1)?.body['messages'])).toContain('one');
  // An agent that the older version has fired gets that version as its question.
  const other = await keyedAgent(world, bob);
  await bob.api.addGroupAgent({ chat_id, agent_username: other.username });
  world.providers.script(agent.key, { chunks: [`@${other.username} first`] });
  const asked = other.steer();
  await bob.api.sendMessage({ chat_id, text: `@${agent.username} ask the other one` });
  await asked.started;
  const relayed = (await historyOf(alice, chat_id)).find(({ content }) => content.endsWith('first')) as Message; // above
  asked.text('answered');
  asked.end();
  await world.turnsEnded();
  world.providers.script(agent.key, { chunks: ['without a mention'] });
  await retry(bob, relayed.id);
  await world.turnsEnded();
  const answer = (await historyOf(alice, chat_id)).find(({ content }) => content === 'answered') as Message; // above
  world.providers.script(other.key, { chunks: ['again'] });
  await retry(bob, answer.id);
  await world.turnsEnded();
  const told = JSON.stringify(world.providers.requestsOf(other.key).at(-1)?.body['messages']);
  expect(told).toContain('first');
  expect(told).not.toContain('without a mention');
});

test('REGEN-6: a question that was edited is regenerated with its new text', async () => {
  await using world = await createWorld();
  const { bob, agent, question, ids, requests } = await scene(world, 'one');
  await bob.api.editMessage({ message_id: question.id, text: `@${agent.username} what about tomorrow?` });
  world.providers.script(agent.key, { chunks: ['two'] });
  await retry(bob, ids[0]);
  await world.turnsEnded();
  expect(JSON.stringify(requests().at(-1)?.body['messages'])).toContain('what about tomorrow?');
});

test('REGEN-7: versions are found, edited, forwarded and reacted to like any message', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, agent, ids, versions } = await scene(world, 'needle one', 'needle two');
  const [one, two] = ids;
  await world.settle();
  const { items } = await bob.api.searchMessages({ query: 'needle', chat_id });
  expect(items.map(({ message }) => message.id)).toEqual([two, one]);
  const { id: to_chat_id } = await bob.api.startChat({ username: 'alice' });
  const copies = await bob.api.forwardMessages({ message_ids: [one, two], to_chat_id });
  for (const copy of copies.items) expect(copy).not.toHaveProperty('versions');
  await checkReplay(world, [alice, bob], async () => {
    await alice.api.setMessageReaction({ message_id: one, emoji: '👍' });
    await alice.api.pinMessage({ chat_id, message_id: one });
  });
  world.providers.script(agent.key, { chunks: ['cut'], finish: 'max_tokens' });
  const third = await retry(bob, two);
  await world.turnsEnded();
  world.providers.script(agent.key, { chunks: [' off'] });
  await checkReplay(world, [alice, bob], async () => {
    await bob.api.continueReply({ message_id: third.id });
    await world.turnsEnded();
  });
  expect(await versions()).toEqual({ ids: [one, two, third.id], current: third.id });
});

embeddedTest('the limit is that of one process')('REGEN-1: a reply has at most 32 versions', async () => {
  await using world = await createWorld({ settings: { firingsPerHumanMessage: 100 } });
  const { bob, agent, ids, versions } = await scene(world, 'one');
  for (let made = 1; made < limits.versionsPerReply; made += 1) {
    world.providers.script(agent.key, { chunks: ['more'] });
    await retry(bob, ids[0]);
    await world.turnsEnded();
  }
  expect((await versions())?.ids).toHaveLength(limits.versionsPerReply);
  await expect(retry(bob, ids[0])).rejects.toMatchObject({ status: 409, code: 'conflict' });
});
