import { checkReplay, ManualClock } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { addWaiting, asking, calls, type Hands, results, scene, toolParts, withHands } from './hands-stage.ts';

const pays = () => asking(calls('pay', { to: 'bob' }));

/** A reply that waits for leave to pay. */
async function waiting(hands: Hands, options: Parameters<typeof scene>[1] = {}) {
  const made = await scene(hands, options);
  made.answers(pays(), { chunks: ['Done.'] });
  await made.ask();
  await hands.world.turnsEnded();
  const reply = await made.reply();
  expect(reply).toMatchObject({ status: 'complete', finish_reason: 'waiting' });
  return { ...made, waited: reply };
}

/** What a turn must not leave behind. */
async function expectNothingLeft({ world }: Hands): Promise<void> {
  for (const table of ['turn_steps', 'tool_turns', 'streams'])
    expect(await world.sql(`SELECT count(*) AS count FROM ${table}`)).toEqual([{ count: 0 }]);
  expect(
    await world.sql(`SELECT count(*) AS count FROM tool_calls WHERE state IN ('asked', 'approved', 'sending')`),
  ).toEqual([{ count: 0 }]);
  expect(await world.sql(`SELECT count(*) AS count FROM decisions WHERE state = 'open'`)).toEqual([{ count: 0 }]);
}

test('WAIT-2: clients with any caps follow a reply that waits and goes on, and so does one that was away', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const bob = await world.person('bob');
  const { ann, answers, ask, decide, reply } = await scene(hands, { others: [bob] });
  answers(asking('Wait. ', calls('pay', { to: 'bob' }), calls('peek')), { chunks: ['Done.'] });
  const ext = await bob.socket('ext');
  await checkReplay(world, [ann, bob], async () => {
    await ask();
    await world.turnsEnded();
  });
  await checkReplay(world, [ann, bob], async () => {
    await decide('once');
    await world.turnsEnded();
  });
  const { id } = await reply();
  const ends = ext.all('messageComplete').filter((message) => message.id === id);
  expect(ends).toMatchObject([{ finish_reason: 'waiting' }, { content: 'Wait. Done.' }]);
  await expectNothingLeft(hands);
});

test('WAIT-4: waiting replies keep no place: others of the same person begin', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { answers, ask, decisions, reply } = await scene(hands);
  const most = world.service.settings.turnsAtOnce;
  for (let n = 0; n < most + 2; n += 1) {
    answers(pays());
    await ask();
    await world.turnsEnded();
  }
  expect(await decisions()).toHaveLength(most + 2);
  answers({ chunks: ['Here I am.'] });
  await ask();
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'Here I am.' });
});

test('WAIT-5: a reply is pushed once, at its real end, and fires agents then', async () => {
  await using server = await startToolServer({ pay: {} });
  await withPushes(
    async ({ world, push, pushed }) => {
      const hands = { world, server, [Symbol.asyncDispose]: async () => {} };
      const bob = await world.person('bob');
      await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('bob') });
      const { ann, chat, answers, ask, decide } = await scene(hands, { others: [bob] });
      const bot = await botIn(world, ann, chat);
      const heard = await bot.socket();
      answers(asking(`@${bot.username} watch. `, calls('pay')), { chunks: ['It is done.'] });
      await ask();
      await world.turnsEnded();
      await pushed();
      const shown = () => push.bodies('bob').filter((body) => JSON.stringify(body ?? '').includes('watch'));
      expect(shown()).toEqual([]);
      const fired = () => heard.all('messageComplete').filter(({ dispatch }) => dispatch.length > 0);
      expect(fired()).toEqual([]);
      await decide('once');
      await world.turnsEnded();
      await pushed();
      expect(shown()).toHaveLength(1);
      expect(fired()).toHaveLength(1);
    },
    { env: { TOOL_ENDPOINTS: `public,${server.origin}` } },
  );
});

test.each(['stopRun', 'deleteMessages', 'leaveChat', 'removeGroupAgent', 'deleteAccount'] as const)(
  'WAIT-6: %s ends a waiting reply; its decision is withdrawn, and nothing was sent',
  async (how) => {
    await using hands = await withHands();
    const { world, server } = hands;
    const bob = await world.person('bob');
    const asker = await world.member('ann');
    const { ann, agent, chat, waited, decisions } = await waiting(hands, { others: [bob], asker });
    const chat_id = chat.id;
    await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'owner' });
    const [asked] = await decisions();
    const act = {
      stopRun: () => ann.api.stopRun({ chat_id, message_id: waited.id }),
      deleteMessages: () => ann.api.deleteMessages({ message_ids: [waited.id] }),
      leaveChat: () => ann.api.leaveChat({ chat_id }),
      removeGroupAgent: () => ann.api.removeGroupAgent({ chat_id, agent_username: agent.username }),
      deleteAccount: () => ann.api.deleteAccount({ password: 'correct horse battery staple' }),
    };
    const ended = async () => {
      await act[how]();
      await world.turnsEnded();
    };
    await checkReplay(world, [bob], ended);
    await expectNothingLeft(hands);
    expect(server.calls).toEqual([]);
    const items = (await bob.api.getChatHistory({ chat_id })).items;
    const reply = items.find(({ id }) => id === waited.id);
    if (how === 'deleteMessages') expect(reply).toBeUndefined();
    else if (how !== 'deleteAccount') {
      expect(reply).toMatchObject({
        status: 'cancelled',
        finish_reason: how === 'stopRun' ? 'stopped' : 'removed',
        parts: [{ status: 'denied' }],
      });
      expect(reply).not.toHaveProperty('waiting_for');
    }
    if (how === 'deleteAccount') return;
    expect(items.find(({ id }) => id === asked?.id)?.decision?.state ?? 'withdrawn').toBe('withdrawn');
    await expect(ann.api.decide({ decision_id: asked?.id ?? '', option: 'once' })).rejects.toMatchObject({
      code: how === 'leaveChat' ? 'not_found' : 'conflict',
    });
    expect(server.calls).toEqual([]);
  },
);

embeddedTest('nodes take their dates from the database')(
  'WAIT-7: after seven days nobody has decided: the model is told, and finishes; a restart changes nothing',
  async () => {
    const clock = new ManualClock();
    await using hands = await withHands({ clock });
    const { world, server } = hands;
    const { agent, reply, decisions } = await waiting(hands);
    await world.restart();
    clock.step(7 * 86_400_000 - 60_000);
    await clock.advance(2_000);
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ finish_reason: 'waiting' });
    clock.step(120_000);
    await clock.advance(2_000);
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ status: 'complete', content: 'Done.' });
    expect(toolParts(await reply())).toMatchObject([{ status: 'expired' }]);
    expect(results(world, agent)).toEqual([expect.stringMatching(/^expired: /)]);
    expect(await decisions()).toMatchObject([{ decision: { state: 'expired' } }]);
    expect(server.calls).toEqual([]);
  },
);

test('WAIT-8: a person has at most 100 waiting replies; the next one fails with words, and asks nothing', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { ann, answers, ask, reply, decisions, waited } = await waiting(hands);
  await addWaiting(world, 99);
  const alerts = await ann.socket();
  answers(pays());
  await ask('one more');
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'failed', finish_reason: 'too_many_waiting' });
  expect((await reply()).content).toMatch(/waiting for one already/);
  expect((await decisions()).map(({ id }) => id)).toEqual([waited.waiting_for]);
  expect(alerts.all('alert')).toHaveLength(1);
});

const asksForMore = {
  resultType: 'input_required',
  requestState: 'state-1',
  inputRequests: {
    size: {
      method: 'elicitation/create',
      params: { mode: 'form', message: 'How many?', requestedSchema: { type: 'object', properties: {} } },
    },
  },
};

test.for(['login', 'input'] as const)(
  'WAIT-8: beyond 100 waiting replies no server of tools has a person asked for more, of the kind %s',
  async (kind) => {
    const tools = { peek: { run: () => (kind === 'input' ? asksForMore : 'the balance is 7') } };
    await using hands = await withHands({}, tools);
    const { world, server } = hands;
    const given = { identity: 'asker', auth: 'bearer', approval: 'never' } as const;
    const { ann, agent, answers, ask, reply, decisions } = await scene(hands, { given });
    server.era = 'stateless';
    server.tokens = ['good'];
    await ann.api.setToolCredential({ username: agent.username, server: 'bank', token: 'good' });
    answers({ chunks: ['Hello.'] });
    await ask();
    await world.turnsEnded();
    await addWaiting(world, 100);
    if (kind === 'login')
      server.answer = (_request, response, rpc) =>
        rpc?.method === 'tools/call' ? (response.writeHead(401).end(), true) : false;
    answers(asking('I look. ', calls('peek')), { chunks: ['Not reached.'] });
    await ask();
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ status: 'failed', finish_reason: 'too_many_waiting' });
    expect((await reply()).content).toMatch(/^I look\. \n\n.*waiting for one already/);
    expect(toolParts(await reply())).toMatchObject([{ status: 'denied' }]);
    expect(await decisions()).toEqual([]);
    await world.sql(`DELETE FROM turns WHERE key = (SELECT max(key) FROM turns WHERE state = 'waiting')`);
    answers(asking(calls('peek')));
    await ask();
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ finish_reason: 'waiting' });
    expect((await decisions()).map(({ decision }) => decision?.kind)).toEqual([kind]);
  },
);

test('WAIT-9: a waiting reply can be neither retried nor continued', async () => {
  await using hands = await withHands();
  const { ann, waited } = await waiting(hands);
  await expect(ann.api.retryReply({ message_id: waited.id })).rejects.toMatchObject({ code: 'conflict' });
  await expect(ann.api.continueReply({ message_id: waited.id })).rejects.toMatchObject({ code: 'conflict' });
});

test('TURN-19: a stop of the service leaves a turn with stored steps for its next start', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const { agent, answers, ask, reply } = await scene(hands);
  answers(asking(calls('peek')), { chunks: ['half of'], ending: 'hang' });
  await ask();
  await server.executed('peek');
  await expect.poll(async () => (await reply()).content).toBe('half of');
  answers({ chunks: ['The whole.'] });
  await world.restart();
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'The whole.' });
  expect(results(world, agent)).toEqual(['the balance is 7']);
  expect(server.calls).toHaveLength(1);
  await expectNothingLeft(hands);
});

test('TURN-4: killed before its first step is stored, a turn that had written text ends as any, and nothing was sent', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const { answers, ask, reply } = await scene(hands);
  answers({ chunks: ['I will'], ending: 'hang' });
  await ask();
  await expect.poll(() => world.sql(`SELECT text FROM streams`)).toEqual([{ text: 'I will' }]);
  await world.crash();
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'failed', finish_reason: 'restart', content: 'I will' });
  expect(server.calls).toEqual([]);
});

test('CALL-4, CALL-6: a reply that ends after a crash shows its calls as the ledger has them, whatever it showed then', async () => {
  const tool = Promise.withResolvers<string>();
  const tools = { peek: { run: () => 'the balance is 7' }, pay: { run: () => tool.promise } };
  await using hands = await withHands({ expectsErrors: true }, tools);
  const { world, server } = hands;
  const { answers, ask, reply, decide } = await scene(hands);
  answers(asking(calls('peek'), calls('pay', { to: 'bob' })));
  await ask();
  await world.turnsEnded();
  await decide('once');
  await server.executed('pay');
  // It is to be stopped, and dies before it can.
  await world.sql('UPDATE streams SET cancel_requested = 1');
  await world.crash();
  await world.turnsEnded();
  tool.resolve('paid bob');
  const ended = await reply();
  expect(ended).toMatchObject({ status: 'cancelled', finish_reason: 'stopped' });
  expect(toolParts(ended)).toMatchObject([
    { name: 'peek', status: 'done' },
    { name: 'pay', status: 'unknown' },
  ]);
  await expectNothingLeft(hands);
});

test('CALL-4: a read that a crash has interrupted, and whose reply ends before it is sent again, is unknown', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { answers, ask, ann, chat, reply } = await scene(hands);
  answers(asking(calls('peek'), calls('pay', { to: 'bob' })));
  await ask();
  await world.turnsEnded();
  // As a crash leaves it.
  await world.sql(`UPDATE tool_calls SET state = 'approved', ended_at = NULL WHERE tool = 'peek'`);
  await ann.api.stopRun({ chat_id: chat.id });
  await world.turnsEnded();
  expect(toolParts(await reply()).map(({ status }) => status)).toEqual(['unknown', 'denied']);
  await expectNothingLeft(hands);
});
