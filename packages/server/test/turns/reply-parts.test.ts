import { limits, type Part } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, type FakeBlock, ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import { agentChat, keyedAgent } from '../helpers/agents.ts';

const rain = { url: 'https://rain.example/', title: 'Rain', quoted: 'It rains.' };

/** What the agent answers when its provider sends this. */
async function answerOf(human: Actor, chat_id: string) {
  const socket = await human.socket('ext');
  await human.api.sendMessage({ chat_id, text: '?' });
  return socket.event('messageComplete');
}

test('PART-19, PART-16: what a provider sends beside text becomes parts, in its order and with durations', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice } = await world.people('alice');
  const { agent, chat } = await agentChat(world, alice);
  const socket = await alice.socket('ext');
  const steered = agent.steer();
  await alice.api.sendMessage({ chat_id: chat.id, text: '?' });
  await steered.started;
  steered.block({ reasoning: ['Let me '] });
  await socket.event('messagePart');
  await clock.advance(4_000);
  steered.block({ reasoning: ['see.'] });
  steered.text('I look. ');
  steered.block({ search: 'rain', found: [{ url: 'https://sun.example/', title: 'Sun' }, rain] });
  steered.block({ text: 'It rains.', cites: [rain, { url: 'file:///etc/passwd', title: 'No' }] });
  steered.end();
  const end = await socket.event('messageComplete');
  const found = [
    { url: 'https://sun.example/', title: 'Sun' },
    { url: rain.url, title: 'Rain' },
  ];
  expect(end.content).toBe('I look. It rains.');
  expect(end.parts).toEqual([
    { id: '1', offset: 0, type: 'reasoning', text: 'Let me see.', duration_ms: 4_000 },
    {
      id: '2',
      offset: 8,
      type: 'tool',
      name: 'web_search',
      input: { query: 'rain' },
      output: found,
      status: 'done',
      duration_ms: 0,
    },
    { id: '3', offset: 8, type: 'source', ...found[0] },
    { id: '4', offset: 17, type: 'source', url: rain.url, title: 'Rain', excerpt: 'It rains.' },
  ]);
});

test('PART-19, PART-6: clients that were away end with the same parts, from both kinds of providers', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.group(alice, bob);
  const blocks: FakeBlock[] = [{ reasoning: ['Hm ', '🙂', '.'] }, { text: 'It rains', cites: [rain] }];
  for (const provider of ['provider_a', 'provider_b'] as const) {
    const { username, key } = await keyedAgent(world, alice, provider);
    await alice.api.addGroupAgent({ chat_id, agent_username: username });
    world.providers.script(key, { chunks: [...blocks, '.'] });
    const socket = await bob.socket();
    const { parts } = await checkReplay(world, [alice, bob], async () => {
      await bob.api.sendMessage({ chat_id, text: `@${username} ?` });
      return socket.event('messageComplete');
    });
    expect(parts).toMatchObject([
      { type: 'reasoning', text: 'Hm 🙂.', offset: 0 },
      { type: 'source', url: rain.url, offset: 8 },
    ]);
  }
});

test('PART-19: characters stay whole, and what the stores cannot keep is replaced', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const { agent, chat } = await agentChat(world, alice);
  const reasoning = ['a\ud83d', '\ude42b', '\0', '\ud83d'];
  world.providers.script(agent.key, { chunks: [{ reasoning }, { search: 'x\0\ud83d', found: [] }, 'ok'] });
  const { parts } = await answerOf(alice, chat.id);
  expect(parts).toMatchObject([{ text: 'a🙂b\ufffd\ufffd' }, { input: { query: 'x\ufffd\ufffd' }, status: 'done' }]);
});

test('PART-9, PART-22: of too many or too long parts the rest is left out, and a notice says so', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const { agent, chat } = await agentChat(world, alice);
  const long = Array.from({ length: 40 }, () => '"'.repeat(8 * 1024));
  world.providers.script(agent.key, { chunks: [{ reasoning: long }, 'Well.'] });
  const first = await answerOf(alice, chat.id);
  expect(first.content).toBe('Well.');
  expect(first.parts?.map(({ type }) => type)).toEqual(['reasoning', 'notice']);
  const size = (parts: readonly Part[] = []) => Buffer.byteLength(JSON.stringify(parts));
  expect(size(first.parts)).toBeGreaterThan(limits.partsBytes * 0.9);
  expect(size(first.parts)).toBeLessThanOrEqual(limits.partsBytes + 500);
  const cites = Array.from({ length: 300 }, (_, at) => ({ url: `https://s.example/${at}`, title: `S ${at}` }));
  world.providers.script(agent.key, { chunks: [{ text: 'See', cites }, '.'] });
  const second = await answerOf(alice, chat.id);
  expect(second.parts).toHaveLength(limits.partsPerMessage);
  expect(second.parts?.at(-1)).toMatchObject({
    type: 'notice',
    text: expect.stringContaining('too long'),
    cause: { kind: 'parts_left_out' },
  });
  const output = { search: 'y'.repeat(70_000), found: [] };
  world.providers.script(agent.key, { chunks: [output, 'ok'] });
  const third = await answerOf(alice, chat.id);
  expect(third.parts).toMatchObject([{ type: 'tool', status: 'done' }]);
});

test('PART-19, PROVIDER-16: thoughts of a request that is repeated are taken back', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice } = await world.people('alice');
  const { agent, chat } = await agentChat(world, alice);
  const followers = [await alice.follow('ext'), await alice.follow('ext,patch')];
  world.providers.script(
    agent.key,
    { chunks: [{ reasoning: ['The first attempt'] }], ending: 'error' },
    { chunks: [{ reasoning: ['The second'] }, 'Yes.'] },
  );
  const socket = await alice.socket('ext');
  await alice.api.sendMessage({ chat_id: chat.id, text: '?' });
  await world.providers.waitForRequest(agent.key);
  await socket.event('messagePart');
  await expect
    .poll(async () => {
      await clock.advance(500);
      for (const follower of followers) await follower.idle();
      return world.providers.requestsOf(agent.key).length;
    })
    .toBe(2);
  const { parts } = await socket.event('messageComplete');
  expect(parts).toMatchObject([{ id: '2', text: 'The second' }]);
  await world.settle();
  for (const follower of followers) await follower.compare();
});

test('PART-10, TURN-3: a turn that runs again after a crash begins without parts', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice } = await world.people('alice');
  const { agent, chat } = await agentChat(world, alice);
  const follower = await alice.follow('ext');
  const socket = await alice.socket('ext');
  const steered = agent.steer();
  await alice.api.sendMessage({ chat_id: chat.id, text: '?' });
  await steered.started;
  steered.block({ reasoning: ['Lost'] });
  await socket.event('messagePart');
  await clock.advance(1_100);
  await world.settle();
  world.providers.script(agent.key, { chunks: [{ reasoning: ['Kept'] }, 'Yes.'] });
  await world.crash();
  await follower.connect();
  const after = await alice.socket('ext');
  const end = await after.waitFor(({ method }) => method === 'events.messageComplete').catch(() => undefined);
  const message = end?.params ?? (await alice.api.getChatHistory({ chat_id: chat.id })).items.at(-1);
  expect(message).toMatchObject({ content: 'Yes.', parts: [{ text: 'Kept' }] });
  await world.settle();
  await follower.compare();
});

test('PART-13: a model receives no parts of earlier replies', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const { agent, chat } = await agentChat(world, alice);
  const chunks = [{ reasoning: ['secret'] }, { search: 'hidden', found: [] }, { text: 'Yes', cites: [rain] }];
  world.providers.script(agent.key, { chunks });
  await answerOf(alice, chat.id);
  await answerOf(alice, chat.id);
  const { body } = world.providers.requestsOf(agent.key)[1] ?? {};
  expect(JSON.stringify(body)).toContain('Yes');
  expect(JSON.stringify(body)).not.toMatch(/secret|hidden|rain\.example/);
});

test('PART-11, STOP-1: a reply that is stopped while its model thinks keeps the thoughts', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const { agent, chat } = await agentChat(world, alice);
  const socket = await alice.socket('ext');
  const steered = agent.steer();
  await alice.api.sendMessage({ chat_id: chat.id, text: '?' });
  await steered.started;
  steered.block({ reasoning: ['Long ago'] });
  await socket.event('messagePart');
  await alice.api.stopRun({ chat_id: chat.id });
  const end = await socket.event('messageComplete');
  expect(end).toMatchObject({ status: 'cancelled', content: '', parts: [{ type: 'reasoning', text: 'Long ago' }] });
  expect(end.parts?.[0]).toHaveProperty('duration_ms');
});

test('PART-20, PART-21, PART-22: an agent thinks as its owner has set; if its model does not, the reply says so', async () => {
  await using world = await createWorld({ env: { PROVIDER_A_MODEL: 'claude-opus-4-6' } });
  const { alice } = await world.people('alice');
  const { agent, chat } = await agentChat(world, alice);
  world.providers.script(agent.key, { chunks: [{ reasoning: ['Hm.'] }, 'Yes.'] }, { chunks: ['No.'] });
  await alice.api.updateAgent({ username: agent.username, thinking: 'high' });
  const thought = await answerOf(alice, chat.id);
  expect(thought.parts).toMatchObject([{ type: 'reasoning', text: 'Hm.' }]);
  await alice.api.updateAgent({ username: agent.username, model: 'claude-3-haiku' });
  const { content, parts } = await answerOf(alice, chat.id);
  expect(content).toBe('No.');
  expect(parts).toMatchObject([
    { type: 'notice', text: expect.stringContaining('does not think'), cause: { kind: 'thinking_refused' } },
  ]);
  const efforts = world.providers.requestsOf(agent.key).map(({ body }) => body['output_config']);
  expect(efforts[0]).toEqual({ effort: 'high' });
  expect(efforts.at(-1)).toBeUndefined();
});

test('PROVIDER-36, CUSTOM-2: an agent searches the web if its owner has set it; if its model cannot, the reply says so', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const { agent, chat } = await agentChat(world, alice);
  const { username } = agent;
  world.providers.script(
    agent.key,
    ({ body }) => ({ chunks: [body['tools'] === undefined ? 'No.' : 'Yes.'] }),
    { status: 400, message: 'tools.0: web_search is not available for this model' },
    { chunks: ['No.'] },
  );
  expect(await alice.api.updateAgent({ username, web_search: true })).toMatchObject({ web_search: true });
  expect(await answerOf(alice, chat.id)).toMatchObject({ content: 'Yes.' });
  const { content, parts } = await answerOf(alice, chat.id);
  expect(content).toBe('No.');
  expect(parts).toMatchObject([
    { type: 'notice', text: expect.stringContaining('search the web'), cause: { kind: 'search_refused' } },
  ]);
  for (const web_search of [false, null])
    expect(await alice.api.updateAgent({ username, web_search })).not.toHaveProperty('web_search');
  await answerOf(alice, chat.id);
  expect(world.providers.requestsOf(agent.key).map(({ body }) => body['tools'] !== undefined)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('PART-19: a source stands where it is first cited, also if no citation quotes it', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const { agent, chat } = await agentChat(world, alice);
  const cited = { url: rain.url, title: 'Rain' };
  world.providers.script(agent.key, {
    chunks: [
      { text: 'One.', cites: [cited] },
      { text: ' Two.', cites: [cited] },
      { text: ' Three.', cites: [rain] },
    ],
  });
  const { parts } = await answerOf(alice, chat.id);
  expect(parts).toEqual([{ id: '1', offset: 4, type: 'source', url: rain.url, title: 'Rain', excerpt: 'It rains.' }]);
});
