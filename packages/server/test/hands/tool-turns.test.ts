import { expect, test } from 'vitest';
import { asking, calls, results, scene, serverInput, toolParts, withHands } from './hands-stage.ts';

test('CALL-1, CALL-6: the model calls a tool, is told what it returned, and finishes the same reply', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const { agent, answers, ask, reply } = await scene(hands);
  answers(asking('Let me look. ', calls('peek', { account: 4 })), { chunks: ['It is 7.'] });
  await ask();
  await world.turnsEnded();
  const message = await reply();
  expect(message).toMatchObject({ status: 'complete', content: 'Let me look. It is 7.' });
  expect(toolParts(message)).toMatchObject([
    { name: 'peek', title: 'Look up', status: 'done', input: { account: 4 }, output: 'the balance is 7' },
  ]);
  expect(server.calls).toMatchObject([{ tool: 'peek', arguments: { account: 4 } }]);
  expect(results(world, agent)).toEqual(['the balance is 7']);
});

test('WAIT-1, WAIT-2: a call that asks ends the stream until it is decided; then the same reply goes on', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const { ann, agent, answers, ask, reply, decisions } = await scene(hands);
  answers(asking('I will pay. ', calls('pay', { to: 'bob' })), { chunks: ['Done.'] });
  await ask();
  await world.turnsEnded();
  const waiting = await reply();
  const [asked] = await decisions();
  expect(waiting).toMatchObject({ status: 'complete', finish_reason: 'waiting', waiting_for: asked?.decision?.id });
  expect(toolParts(waiting)).toMatchObject([{ name: 'pay', status: 'needs_approval' }]);
  expect(asked).toMatchObject({
    decision: {
      kind: 'call',
      state: 'open',
      options: [{ id: 'decline' }, { id: 'once' }, { id: 'chat' }, { id: 'always' }],
      call: { server: 'bank', tool: 'pay', title: 'Pay', arguments: { to: 'bob' }, as: 'none', writes: true },
    },
  });
  expect(server.calls).toEqual([]);
  await ann.api.decide({ decision_id: asked?.decision?.id ?? '', option: 'once' });
  await world.turnsEnded();
  const ended = await reply();
  expect(ended).toMatchObject({ id: waiting.id, status: 'complete', content: 'I will pay. Done.' });
  expect(ended).not.toHaveProperty('waiting_for');
  expect(toolParts(ended)).toMatchObject([{ name: 'pay', status: 'done', output: 'paid bob' }]);
  expect(server.calls).toHaveLength(1);
  expect(results(world, agent)).toEqual(['paid bob']);
});

test('PREVIEW-7: previewDispatch says which tools each agent may use, and how many calls it makes before it asks', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const { ann, agent, chat, answers, ask } = await scene(hands);
  const preview = async () => (await ann.api.previewDispatch({ chat_id: chat.id, text: 'please' })).agents;
  const shown = { server: 'bank', names: ['pay', 'peek'], as: 'none', approval: 'writes' };
  const asked = server.requests.length;
  expect(await preview()).toMatchObject([{ username: agent.username, tools: [shown], budget: { calls: 25 } }]);
  expect(server.requests).toHaveLength(asked);
  // The server has described one more, which the owner does not list.
  server.tools = { ...server.tools, burn: {} };
  answers({ chunks: ['Hello.'] });
  await ask();
  await world.turnsEnded();
  expect(await preview()).toMatchObject([{ tools: [shown] }]);
  await ann.api.setAgentTools({ username: agent.username, servers: [] });
  const [plain] = await preview();
  expect(plain).not.toHaveProperty('tools');
  expect(plain).not.toHaveProperty('budget');
});

test('CALL-2: a call that was allowed is not sent once its server, or the tool, has changed', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const { ann, agent, answers, ask, reply, decide } = await scene(hands);
  const others = [
    () => ann.api.setAgentTools({ username: agent.username, servers: [] }),
    () => ann.api.setAgentTools({ username: agent.username, servers: [serverInput(server, { identity: 'asker' })] }),
  ];
  for (const change of others) {
    await ann.api.setAgentTools({ username: agent.username, servers: [serverInput(server)] });
    answers(asking(calls('pay', { to: 'bob' })), { chunks: ['It was not paid.'] });
    await ask();
    await world.turnsEnded();
    await change();
    await decide('once');
    await world.turnsEnded();
    expect(toolParts(await reply())).toMatchObject([{ status: 'failed' }]);
    expect(results(world, agent).at(-1)).toMatch(/^failed: .*has changed/);
  }
  expect(server.calls).toEqual([]);
});
