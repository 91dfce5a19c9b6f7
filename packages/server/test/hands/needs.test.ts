import { addSignIn } from '@parley/testing/tools/fake-sign-in.ts';
import type { FakeToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { expect, test } from 'vitest';
import { asking, calls, results, scene, serverInput, toolParts, withHands } from './hands-stage.ts';

const mine = { identity: 'asker', auth: 'bearer', approval: 'never' } as const;

test('CALL-11: a missing credential is asked for, of the asker alone, and then the call is made', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  server.tokens = ['ann-token'];
  const bob = await world.person('bob');
  const { ann, agent, chat, answers, ask, reply, decisions } = await scene(hands, { given: mine, others: [bob] });
  answers(asking(calls('peek')), { chunks: ['It is 7.'] });
  await ask();
  await world.turnsEnded();
  const [asked] = await decisions();
  expect(asked).toMatchObject({
    decision: { kind: 'login', private: true, options: [{ id: 'decline' }], login: { server: 'bank' } },
  });
  expect(await reply()).toMatchObject({ finish_reason: 'waiting', waiting_for: asked?.id });
  const others = JSON.stringify(await bob.api.getChatHistory({ chat_id: chat.id }));
  expect(others).not.toContain(asked?.id);
  await ann.api.setToolCredential({ username: agent.username, server: 'bank', token: 'ann-token' });
  await world.turnsEnded();
  expect((await decisions())[0]?.decision).toMatchObject({ state: 'decided', option: 'done' });
  expect(await reply()).toMatchObject({ status: 'complete', content: 'It is 7.' });
  expect(server.calls).toMatchObject([{ tool: 'peek', token: 'ann-token' }]);
});

test('CALL-11: a credential that the server refuses is asked for, once for all its calls; declined, none of them is made', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  server.tokens = ['good'];
  const { ann, agent, answers, ask, reply, decisions, decide } = await scene(hands, { given: mine });
  await ann.api.setToolCredential({ username: agent.username, server: 'bank', token: 'good' });
  const twice = () => asking(calls('peek'), calls('peek', { again: true }));
  answers(twice(), { chunks: ['Seen.'] });
  // It is good when the tools are listed, and refused when they are called.
  server.answer = (_request, response, rpc) =>
    rpc?.method === 'tools/call' ? (response.writeHead(401).end(), true) : false;
  await ask();
  await world.turnsEnded();
  expect((await decisions()).map(({ decision }) => decision?.kind)).toEqual(['login']);
  expect(toolParts(await reply()).map(({ status }) => status)).toEqual(['needs_approval', 'needs_approval']);
  server.answer = undefined;
  await ann.api.setToolCredential({ username: agent.username, server: 'bank', token: 'good' });
  await world.turnsEnded();
  expect(server.calls).toHaveLength(2);
  expect(await reply()).toMatchObject({ status: 'complete', content: 'Seen.' });

  await ann.api.removeToolCredential({ username: agent.username, server: 'bank' });
  answers(twice(), { chunks: ['I cannot.'] });
  await ask();
  await world.turnsEnded();
  await decide('decline');
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'I cannot.' });
  expect(toolParts(await reply()).map(({ status }) => status)).toEqual(['denied', 'denied']);
  expect(server.calls).toHaveLength(2);
});

const asks = {
  resultType: 'input_required',
  requestState: 'state-1',
  inputRequests: {
    size: {
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: 'How many?',
        requestedSchema: { type: 'object', properties: { count: { type: 'number' } }, required: ['count'] },
      },
    },
  },
};
/** A tool that asks how many before it runs. */
const order: FakeToolServer['tools'] = {
  order: {
    run: (_given, _call, rpc) =>
      rpc.params?.['requestState'] === undefined ? asks : `ordered ${JSON.stringify(rpc.params['inputResponses'])}`,
  },
};

test('CALL-12: ★ a tool’s own question is a message, answered later by the right person, also after a crash', async () => {
  await using hands = await withHands({}, {});
  const { world, server } = hands;
  server.era = 'stateless';
  server.tools = order;
  const bob = await world.person('bob');
  const { chat, answers, ask, reply, decisions, decide } = await scene(hands, {
    given: { approval: 'never', tools: [{ name: 'order', writes: true }] },
    others: [bob],
  });
  answers(asking(calls('order')), { chunks: ['Ordered.'] });
  await ask();
  await world.turnsEnded();
  const [asked] = await decisions();
  expect(asked).toMatchObject({
    content: expect.stringContaining('How many?'),
    decision: { kind: 'input', form: [{ key: 'count', type: 'number', required: true }], deciders: ['ann'] },
  });
  expect(await reply()).toMatchObject({ finish_reason: 'waiting', waiting_for: asked?.id });
  // Neither the tool's question nor what ann fills in is for others.
  const seenByBob = async () =>
    JSON.stringify([await bob.api.getChatHistory({ chat_id: chat.id }), await bob.api.getUpdates({ since: 0 })]);
  expect(await seenByBob()).not.toContain('How many?');
  await expect(
    bob.api.decide({ decision_id: asked?.id ?? '', option: 'submit', fields: { count: 3 } }),
  ).rejects.toMatchObject({ code: 'not_found' });
  await world.crash();
  await decide('submit', 0, { count: 3 });
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'Ordered.' });
  expect(toolParts(await reply())[0]?.output).toContain('"count":3');
  expect(await seenByBob()).not.toContain('"count":3');
  expect(server.calls).toHaveLength(2);
  expect(new Set(server.calls.map(({ callId }) => callId)).size).toBe(1);
});

test('CALL-12: a form that is deleted after it was filled in, before the reply goes on, is no answer: the call is denied', async () => {
  await using hands = await withHands({}, {});
  const { world, server } = hands;
  server.era = 'stateless';
  server.tools = order;
  const { ann, agent, answers, ask, reply, decisions, decide } = await scene(hands, {
    given: { approval: 'never', tools: [{ name: 'order', writes: true }] },
  });
  answers(asking(calls('order'), calls('order')), { chunks: ['Well.'] });
  await ask();
  await world.turnsEnded();
  const [first] = await decisions();
  await decide('submit', 0, { count: 3 });
  await ann.api.deleteMessages({ message_ids: [first?.id ?? ''] });
  await decide('decline');
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'Well.' });
  expect(results(world, agent).filter((text) => text.startsWith('denied: The question was deleted.'))).toHaveLength(1);
  // Both before they asked, and the other one with its answer.
  expect(server.calls).toHaveLength(3);
});

test('CALL-10: ★ after 25 calls the turn asks whether it may go on, and stops when it may not', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const { agent, answers, ask, reply, decisions, decide } = await scene(hands);
  const many = (count: number) => asking(...Array.from({ length: count }, (_, n) => calls('peek', { n })));
  answers(many(20), many(20), many(20), { chunks: ['Enough.'] });
  await ask();
  await world.turnsEnded();
  expect(server.calls).toHaveLength(25);
  expect(await decisions()).toMatchObject([
    { decision: { kind: 'budget', options: [{ id: 'stop' }, { id: 'go_on' }], budget: { calls: 25 } } },
  ]);
  await decide('go_on');
  await world.turnsEnded();
  expect(server.calls).toHaveLength(50);
  await decide('stop');
  await world.turnsEnded();
  expect(server.calls).toHaveLength(50);
  expect(await reply()).toMatchObject({ status: 'complete', content: 'Enough.' });
  const told = results(world, agent).slice(-20);
  expect(told.filter((text) => text.startsWith('denied: '))).toHaveLength(10);
});

test('CALL-10: a model that goes on calling after its calls are used up ends the reply', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const { agent, ask, reply, decide } = await scene(hands);
  world.providers.script(agent.key, () => asking(...Array.from({ length: 13 }, () => calls('peek'))));
  await ask();
  await world.turnsEnded();
  await decide('stop');
  await world.turnsEnded();
  expect(server.calls).toHaveLength(25);
  expect(await reply()).toMatchObject({ status: 'complete', finish_reason: 'tools' });
  world.providers.script(agent.key, () => asking(calls('nothing-like-this')));
  await ask('again');
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', finish_reason: 'tools' });
});

test('CALL-7: ★ a turn that another agent has fired reads by itself, and asks the human of its chain before it writes', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const bob = await world.person('bob');
  const { ann, agent, chat, answers, reply, decisions, decide } = await scene(hands, { others: [bob] });
  const bot = await world.bot(ann, 'clock');
  await ann.api.addGroupAgent({ chat_id: chat.id, agent_username: bot.username });
  answers(asking(calls('peek'), calls('pay', { to: 'bob' })), { chunks: ['Done.'] });
  await bot.api.sendMessage({ chat_id: chat.id, text: `@${agent.username} it is time` });
  await world.turnsEnded();
  expect(server.calls.map(({ tool }) => tool)).toEqual(['peek']);
  expect(await decisions()).toMatchObject([{ decision: { kind: 'call', deciders: ['ann'] } }]);
  await decide('once');
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'Done.' });
  expect(server.calls).toHaveLength(2);
});

test('TOOL-14, CALL-11: a call of sign_in is done once its asker has signed in, and the tools can be used at once', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  server.tokens = ['ann-token'];
  const { ann, agent, answers, ask, reply } = await scene(hands, { given: mine });
  const { tools: _listed, ...unlisted } = serverInput(server, mine);
  await ann.api.setAgentTools({ username: agent.username, servers: [unlisted] });
  answers(asking(calls('sign_in')), asking(calls('peek')), { chunks: ['It is 7.'] });
  await ask();
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ finish_reason: 'waiting' });
  await ann.api.setToolCredential({ username: agent.username, server: 'bank', token: 'ann-token' });
  await world.turnsEnded();
  expect(toolParts(await reply())).toMatchObject([
    { name: 'sign_in', status: 'done' },
    { name: 'peek', status: 'done' },
  ]);
  expect(results(world, agent)[0]).toBe('Signed in. These tools can be used now: peek, pay.');
  expect(server.calls.map(({ tool }) => tool)).toEqual(['peek']);
});

test('CALL-11, TOOL-21: a login by OAuth decides what waits for it', async () => {
  await using hands = await withHands({ env: { PUBLIC_URL: 'https://chat.example', DEV_TOKENS: '1' } });
  const { world, server } = hands;
  const signIn = addSignIn(server);
  const { ann, agent, answers, ask, reply, decisions } = await scene(hands, { given: { ...mine, auth: 'oauth' } });
  answers(asking(calls('peek')), { chunks: ['It is 7.'] });
  await ask();
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ finish_reason: 'waiting' });
  const { url } = await ann.api.startToolLogin({ username: agent.username, server: 'bank' });
  const back = new URL(signIn.approve(url));
  await fetch(`${world.url}${back.pathname}${back.search}&confirm=1`);
  await world.turnsEnded();
  expect((await decisions())[0]?.decision).toMatchObject({ state: 'decided', decided_by: 'ann', option: 'done' });
  expect(await reply()).toMatchObject({ status: 'complete', content: 'It is 7.' });
});

test('TOOL-8: a reply says which server’s tools it lacks, and why', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const { answers, ask, reply } = await scene(hands);
  server.answer = (_request, response) => void response.writeHead(500).end();
  answers({ chunks: ['I have no tools.'] });
  await ask();
  await world.turnsEnded();
  expect((await reply()).parts).toMatchObject([
    { type: 'notice', text: 'Not all tools could be used: bank (it answers with status 500).' },
  ]);
});
