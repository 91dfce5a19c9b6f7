import { Actor, createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { asking, results } from './hands-stage.ts';
import { own, ownScene } from './own-tools-stage.ts';

const tools = { tools: ['search_my_conversations' as const] };
const search = (query = 'melon', more: object = {}) => own('search_my_conversations', { query, ...more });
const textsOf = (result = ''): string[] =>
  (JSON.parse(result) as { messages: { text: string }[] }).messages.map(({ text }) => text);

test('OWN-12: in a direct chat the asker’s own conversations are searched, and no others', async () => {
  await using world = await createWorld();
  const { bob, cleo } = await world.people('bob', 'cleo');
  const { ann, told, decisions } = await ownScene(world, tools);
  const shared = await world.group(ann, bob);
  const { id } = await bob.api.sendMessage({ chat_id: shared.id, text: 'The melon is ripe' });
  const foreign = await world.group(bob, cleo);
  const theirs = await bob.api.sendMessage({ chat_id: foreign.id, text: 'The melon of others' });
  const left = await world.group(bob, ann);
  await bob.api.sendMessage({ chat_id: left.id, text: 'The melon of the past' });
  await ann.api.leaveChat({ chat_id: left.id });
  const deleted = await bob.api.sendMessage({ chat_id: shared.id, text: 'The melon is gone' });
  await bob.api.deleteMessages({ message_ids: [deleted.id] });
  const [found] = await told(search());
  expect(textsOf(found)).toEqual(['The melon is ripe']);
  expect(JSON.parse(found ?? '')).toMatchObject({
    messages: [{ id, from: 'bob', conversation: { conversation_id: shared.id } }],
  });
  expect(textsOf((await told(search('melon', { before: id })))[0])).toEqual([]);
  expect(await decisions()).toEqual([]);
  const wrong = await told(search('!'), search('melon', { before: theirs.id }), search('melon', { before: 'x' }));
  for (const one of wrong) expect(one).toMatch(/^failed: /);
  const stored = await world.sql<{ result: string | null }>('SELECT result FROM tool_calls WHERE state = $1', 'done');
  expect(stored.every(({ result }) => result === null)).toBe(true);
  await ann.api.deleteMessagesForMe({ message_ids: [id] });
  expect(textsOf((await told(search()))[0])).toEqual([]);
});

test('OWN-12, CALL-7: in a group the asker is asked each time, and only the asker may agree', async () => {
  await using world = await createWorld();
  const { bob, cleo } = await world.people('bob', 'cleo');
  const { ann, agent, answers, ask, reply, decisions } = await ownScene(world, { ...tools, others: [bob] });
  const elsewhere = await world.group(bob, cleo);
  await cleo.api.sendMessage({ chat_id: elsewhere.id, text: 'The melon is ripe' });
  for (const turn of [1, 2]) {
    answers(asking(search()), { chunks: ['Done.'] });
    await ask('look', bob);
    expect(await reply()).toMatchObject({ finish_reason: 'waiting' });
    const open = (await decisions()).at(-1);
    expect(open?.decision).toMatchObject({ kind: 'call', call: { tool: 'search_my_conversations', writes: false } });
    const answer = { decision_id: open?.id ?? '', option: 'chat' };
    await expect(ann.api.decide(answer)).rejects.toMatchObject({ status: 403 });
    if (turn === 1) expect(JSON.stringify(world.providers.requestsOf(agent.key))).not.toContain('is ripe');
    await bob.api.decide(answer);
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ content: 'Done.' });
    expect(textsOf(results(world, agent)[0])).toEqual(['The melon is ripe']);
  }
  const [part] = (await reply()).parts ?? [];
  await expect(
    bob.api.shareToolCall({ message_id: (await reply()).id, part_id: part?.id ?? '' }),
  ).rejects.toMatchObject({ status: 403 });
  answers(asking(search()), { chunks: ['Done.'] });
  await ask('look', bob);
  await bob.api.decide({ decision_id: (await decisions()).at(-1)?.id ?? '', option: 'decline' });
  await world.turnsEnded();
  expect(results(world, agent)[0]).toMatch(/^denied: /);
});

test('OWN-12: a turn that a schedule fired does not search', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { ann, agent, chat, answers } = await ownScene(world, tools);
  const shared = await world.group(ann, bob);
  await bob.api.sendMessage({ chat_id: shared.id, text: 'The melon is ripe' });
  answers(asking(search()), { chunks: ['Done.'] });
  const when = { every: 'day', zone: 'Europe/Berlin' } as const;
  const { id: schedule_id } = await ann.api.createSchedule({ chat_id: chat.id, text: 'look', when });
  await ann.api.runSchedule({ schedule_id });
  await world.turnsEnded();
  expect(results(world, agent)).toEqual([expect.stringMatching(/^failed: Only a reply that a person/)]);
});

test('OWN-12: another person’s agent asks in a direct chat too, each time: what is found goes to a server that this person chose', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { ann, agent, answers } = await ownScene(world, tools);
  await ann.api.setBotConfig({ username: agent.username, is_public: true, pays_for: 'everyone' });
  const saved = await bob.api.startChat({ username: 'bob' });
  await bob.api.sendMessage({ chat_id: saved.id, text: 'My melon is secret' });
  const { id: chat_id } = await bob.api.startChat({ username: agent.username });
  for (const [option, found] of [
    ['always', '"text":"My melon is secret"'],
    ['decline', 'denied: '],
  ] as const) {
    answers(asking(search()), { chunks: ['Done.'] });
    await bob.api.sendMessage({ chat_id, text: 'hello' });
    await world.turnsEnded();
    expect(JSON.stringify(world.providers.requestsOf(agent.key).at(-1))).not.toContain('secret');
    const { items } = await bob.api.getDecisions({ state: 'open' });
    expect(items.map(({ decision }) => decision?.call?.tool)).toEqual(['search_my_conversations']);
    await bob.api.decide({ decision_id: items[0]?.id ?? '', option });
    await world.turnsEnded();
    expect(results(world, agent)[0]).toContain(found);
  }
});

test('OWN-12, ACCESS-8: a program reads no other conversation through an agent: a message with an access token does not search', async () => {
  await using world = await createWorld();
  const { ann, agent, chat, answers } = await ownScene(world, tools);
  const saved = await ann.api.startChat({ username: 'ann' });
  await ann.api.sendMessage({ chat_id: saved.id, text: 'My melon is secret' });
  const { token } = await ann.api.createAccessToken({ name: 'script', scopes: ['read', 'send'], chat_ids: [chat.id] });
  const script = new Actor(world, 'ann', token);
  const send_at = new Date(Date.now() + 60_000).toISOString();
  const ways = [
    () => script.api.sendMessage({ chat_id: chat.id, text: 'look' }),
    async () => {
      const { id } = await script.api.scheduleMessage({ chat_id: chat.id, text: 'look', send_at });
      await ann.api.sendScheduledMessage({ chat_id: chat.id, scheduled_id: id });
    },
  ];
  for (const way of ways) {
    answers(asking(search()), { chunks: ['Done.'] });
    await way();
    await world.turnsEnded();
    expect(results(world, agent)).toEqual([expect.stringMatching(/^failed: Only a reply that a person/)]);
  }
});
