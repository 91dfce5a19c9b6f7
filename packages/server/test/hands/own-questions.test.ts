import { createWorld, ManualClock } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { upload } from '../helpers/file-stage.ts';
import { readFiles, sendFile } from '../helpers/searched-files.ts';
import { asking, results, toolParts } from './hands-stage.ts';
import { own, ownScene } from './own-tools-stage.ts';

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

test('OWN-5: remind sets a reminder for the asker alone, without asking, and does not replace one', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { ann, agent, answers, ask, reply } = await ownScene(world, { others: [bob] });
  const at = inAnHour();
  answers(asking(own('remind', { at }), own('remind', { in_minutes: 5 })), { chunks: ['I will.'] });
  const { id } = await ask('remind me', bob);
  expect((await bob.api.getReminders()).items).toMatchObject([{ message_id: id }]);
  expect((await ann.api.getReminders()).items).toEqual([]);
  expect(await reply()).toMatchObject({ status: 'complete', content: 'I will.' });
  // Calls are carried out at once, so either may be the first.
  const [first, second] = results(world, agent).toSorted();
  expect(first).toMatch(/^The reminder is set for /);
  expect(second).toMatch(/^failed: The reminder was not set: there is a reminder of this message already/);
});

test('OWN-5: a reminder of a message that the asker does not see here, in the past, or at no time is not set', async () => {
  await using world = await createWorld();
  const { ann, told } = await ownScene(world);
  const saved = await ann.api.startChat({ username: 'ann' });
  const { id } = await ann.api.sendMessage({ chat_id: saved.id, text: 'elsewhere' });
  const refused = await told(
    own('remind', { in_minutes: 5, message_id: id }),
    own('remind', { at: '2020-01-01T00:00:00Z' }),
    own('remind', {}),
    own('remind', { at: 'tomorrow' }),
  );
  for (const one of refused) expect(one).toMatch(/^failed: /);
  expect((await ann.api.getReminders()).items).toEqual([]);
});

test('CALL-8, OWN-5: after the file of somebody else, remind asks first; after one’s own file it does not', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { ann, agent, chat, answers, ask, reply, decisions } = await ownScene(world, { others: [bob] });
  await ann.api.updateAgent({ username: agent.username, context: { files: false } });
  for (const [by, name] of [
    [bob, 'bob.txt'],
    [ann, 'ann.txt'],
  ] as const) {
    const { id } = await upload(by, `the file of ${name}`, name);
    await by.api.sendMessage({ chat_id: chat.id, text: '', attachments: [{ id }] });
  }
  answers(asking(own('read_file', { name: 'ann.txt' })), asking(own('remind', { in_minutes: 5 })), {
    chunks: ['Set.'],
  });
  await ask();
  expect(await reply()).toMatchObject({ content: 'Set.' });
  expect((await ann.api.getReminders()).items).toHaveLength(1);
  answers(asking(own('read_file', { name: 'bob.txt' })), asking(own('remind', { in_minutes: 5 })), {
    chunks: ['Set.'],
  });
  await ask();
  expect(await reply()).toMatchObject({ finish_reason: 'waiting' });
  const [asked] = await decisions();
  expect(asked?.decision).toMatchObject({ kind: 'call', state: 'open', call: { server: 'Parley', tool: 'remind' } });
  expect(asked?.content).toContain('run “Set a reminder”?');
  expect((await ann.api.getReminders()).items).toHaveLength(1);
  await ann.api.decide({ decision_id: asked?.id ?? '', option: 'once' });
  await world.turnsEnded();
  expect((await ann.api.getReminders()).items).toHaveLength(2);
});

test('CALL-8, OWN-5: after a hit in the file of somebody else, remind asks first; after one in a message it does not', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { ann, agent, chat, answers, ask, reply } = await ownScene(world, { others: [bob] });
  await ann.api.updateAgent({ username: agent.username, context: { files: false } });
  await bob.api.sendMessage({ chat_id: chat.id, text: 'The melon is ripe' });
  await sendFile(bob, chat.id, 'All about the papaya', 'fruit.txt');
  await readFiles(world);
  const search = (query: string) => asking(own('search_messages', { query }));
  const reminds = () => asking(own('remind', { in_minutes: 5 }));
  answers(search('melon'), reminds(), { chunks: ['Set.'] });
  await ask();
  expect(await reply()).toMatchObject({ content: 'Set.' });
  answers(search('papaya'), reminds(), { chunks: ['Set.'] });
  await ask();
  expect(results(world, agent)[0]).toContain('"found_in_file":"All about the papaya"');
  expect(await reply()).toMatchObject({ finish_reason: 'waiting' });
});

test('OWN-7: ask waits for the asker, who chooses; then the same reply goes on with the answer', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { ann, agent, answers, ask, reply, decisions } = await ownScene(world, { others: [bob] });
  answers(asking('Hm. ', own('ask', { question: 'Which colour, @ann?', options: ['Red', 'Blue'] })), {
    chunks: ['Blue it is.'],
  });
  const fired = await ask();
  const waiting = await reply();
  const [asked] = await decisions();
  expect(waiting).toMatchObject({ finish_reason: 'waiting', waiting_for: asked?.id });
  expect(toolParts(waiting)).toMatchObject([{ name: 'ask', status: 'needs_approval' }]);
  const options = [
    { id: 'option_1', label: 'Red' },
    { id: 'option_2', label: 'Blue' },
    { id: 'decline', label: 'Decline' },
  ];
  expect(asked).toMatchObject({
    reply_to_id: fired.id,
    mentions: [],
    decision: { kind: 'question', deciders: ['ann'], options },
  });
  await expect(bob.api.decide({ decision_id: asked?.id ?? '', option: 'option_1' })).rejects.toMatchObject({
    status: 403,
  });
  await ann.api.decide({ decision_id: asked?.id ?? '', option: 'option_2' });
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ id: waiting.id, content: 'Hm. Blue it is.' });
  expect(toolParts(await reply())).toMatchObject([{ name: 'ask', status: 'done' }]);
  expect(results(world, agent).map((text) => JSON.parse(text) as unknown)).toEqual([{ by: 'ann', answer: 'Blue' }]);
  // It is no part of a later context (DECIDE-12).
  answers({ chunks: ['Yes.'] });
  await ask('and now?');
  expect(JSON.stringify(world.providers.requestsOf(agent.key).at(-1)?.body)).not.toContain('Which colour');
});

test('OWN-7: anyone may answer if the model says so, in words if it offers no options, or decline', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { agent, answers, ask, decisions } = await ownScene(world, { others: [bob] });
  const both = [own('ask', { question: 'Where?', who: 'anyone' }), own('ask', { question: 'When?', who: 'anyone' })];
  answers(asking(...both), { chunks: ['Thanks.'] });
  await ask();
  const asked = await decisions();
  const idOf = (text: string) => asked.find(({ content }) => content.startsWith(text))?.id ?? '';
  await bob.api.decide({ decision_id: idOf('Where?'), option: 'submit', fields: { answer: 'At home' } });
  await bob.api.decide({ decision_id: idOf('When?'), option: 'decline' });
  await world.turnsEnded();
  const told = results(world, agent).map((text) => JSON.parse(text) as unknown);
  expect(told).toEqual([
    { by: 'bob', answer: 'At home' },
    { by: 'bob', declined: true },
  ]);
});

test('OWN-7: a turn asks at most five questions', async () => {
  await using world = await createWorld();
  const { ann, agent, answers, ask, decisions } = await ownScene(world);
  const six = Array.from({ length: 6 }, (_, at) => own('ask', { question: `Question ${at}?`, options: ['Yes'] }));
  answers(asking(...six), { chunks: ['Enough.'] });
  await ask();
  expect(await decisions()).toHaveLength(5);
  for (const { id } of await decisions()) await ann.api.decide({ decision_id: id, option: 'option_1' });
  await world.turnsEnded();
  expect(results(world, agent).filter((text) => text.startsWith('failed: You have asked enough'))).toHaveLength(1);
});

embeddedTest('nodes take their dates from the database')(
  'OWN-8: a question that nobody answers expires after seven days, and the model is told',
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const { agent, answers, ask, reply } = await ownScene(world);
    answers(asking(own('ask', { question: 'Really?', options: ['Yes'] })), { chunks: ['Nobody said.'] });
    await ask();
    await world.restart();
    clock.step(7 * 86_400_000 + 60_000);
    await clock.advance(2_000);
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ status: 'complete', content: 'Nobody said.' });
    expect(toolParts(await reply())).toMatchObject([{ status: 'expired' }]);
    expect(results(world, agent)).toEqual([expect.stringMatching(/^expired: /)]);
  },
);

test('OWN-8: deleting the question, or stopping the reply, leaves nothing open', async () => {
  await using world = await createWorld();
  const { ann, agent, chat, answers, ask, reply, decisions } = await ownScene(world);
  const asks = () => answers(asking(own('ask', { question: 'Really?', options: ['Yes'] })), { chunks: ['Well.'] });
  asks();
  await ask();
  await ann.api.deleteMessages({ message_ids: [(await decisions())[0]?.id ?? ''] });
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ content: 'Well.' });
  expect(results(world, agent)).toEqual([expect.stringMatching(/^denied: /)]);
  asks();
  await ask();
  await ann.api.stopRun({ chat_id: chat.id });
  await world.turnsEnded();
  expect(await decisions()).toMatchObject([{ decision: { state: 'withdrawn' } }]);
});

test('OWN-8, DECIDE-11: the owner of the agent takes a question back; its call is denied, and the reply goes on', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { ann, agent, answers, ask, reply, decisions } = await ownScene(world, { others: [bob] });
  answers(asking(own('ask', { question: 'Really?', options: ['Yes'] })), { chunks: ['Well.'] });
  await ask('ask me', bob);
  const decision_id = (await decisions())[0]?.id ?? '';
  await expect(bob.api.withdrawDecision({ decision_id })).rejects.toMatchObject({ status: 403 });
  expect(await ann.api.withdrawDecision({ decision_id })).toMatchObject({ decision: { state: 'withdrawn' } });
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'Well.' });
  expect(toolParts(await reply())).toMatchObject([{ name: 'ask', status: 'denied' }]);
  expect(results(world, agent)).toEqual([expect.stringMatching(/^denied: /)]);
});

test('OWN-8: a question that is deleted after its answer, before the reply goes on, is denied; one with options can be declined', async () => {
  await using world = await createWorld();
  const { ann, agent, answers, ask, reply, decisions } = await ownScene(world);
  const question = (text: string) => own('ask', { question: text, options: ['Yes'] });
  answers(asking(question('First?'), question('Second?')), { chunks: ['Well.'] });
  await ask();
  const asked = await decisions();
  const idOf = (text: string) => asked.find(({ content }) => content.startsWith(text))?.id ?? '';
  await ann.api.decide({ decision_id: idOf('First?'), option: 'option_1' });
  await ann.api.deleteMessages({ message_ids: [idOf('First?')] });
  await ann.api.decide({ decision_id: idOf('Second?'), option: 'decline' });
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'Well.' });
  const [first, second] = results(world, agent);
  expect(first).toMatch(/^denied: The question was deleted\./);
  expect(JSON.parse(second ?? '')).toEqual({ by: 'ann', declined: true });
  expect(world.logs.filter(({ level }) => level >= 50)).toEqual([]);
});

test('OWN-9: who has left a conversation reads there no more what people answered', async () => {
  await using world = await createWorld();
  const bob = await world.person('bob');
  const { chat, answers, ask, decisions } = await ownScene(world, { others: [bob] });
  answers(asking(own('ask', { question: 'Where?', options: ['At home'] })), { chunks: ['Fine.'] });
  await ask('ask me', bob);
  await bob.api.decide({ decision_id: (await decisions())[0]?.id ?? '', option: 'option_1' });
  await world.turnsEnded();
  const called = async () => (await bob.api.getToolCalls({})).items;
  expect(await called()).toMatchObject([{ tool: 'ask', result: expect.stringContaining('At home') as string }]);
  await bob.api.leaveChat({ chat_id: chat.id });
  expect(await called()).toMatchObject([{ tool: 'ask', status: 'done' }]);
  expect((await called())[0]).not.toHaveProperty('result');
});
