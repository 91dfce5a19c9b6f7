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

test('CALL-1: what a model writes after a call is a paragraph of its own, if nothing else is between', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { answers, ask, reply, decide } = await scene(hands);
  answers(asking('Let me look.', calls('peek')), asking(calls('pay', { to: 'bob' })), { chunks: ['It is', ' 7.'] });
  await ask();
  await world.turnsEnded();
  await decide('once');
  await world.turnsEnded();
  const { content, parts } = await reply();
  expect(content).toBe('Let me look.\n\nIt is 7.');
  expect(parts?.map(({ offset }) => offset)).toEqual([12, 12]);
  answers(asking(calls('peek')), asking('It is 7.', calls('peek')), { chunks: ['\nStill 7.'] });
  await ask();
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ content: 'It is 7.\nStill 7.' });
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

test('CALL-1: a call that only reads adds three units to a turn, another one of the same step one, and a call that is asked about seven', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { answers, ask, decide } = await scene(hands);
  const commits: string[] = [];
  for (const { units } of world.services) {
    const run = units.run.bind(units);
    units.run = (name, ...rest) => {
      if (ofTurns.has(name)) commits.push(name);
      return run(name, ...rest);
    };
  }
  const commitsOf = async (act: () => Promise<unknown>): Promise<string[]> => {
    await act();
    await world.turnsEnded();
    return commits.splice(0);
  };
  const turn = (...asked: ReturnType<typeof calls>[]) => {
    answers(...(asked.length === 0 ? [] : [asking(...asked)]), { chunks: ['Done.'] });
    return commitsOf(() => ask());
  };
  const plain = await turn();
  expect(plain).toEqual(['claimTurn', 'closeStream']);
  expect(await turn(calls('peek'))).toEqual(['claimTurn', 'storeStep', 'endCall', 'admitStep', 'closeStream']);
  const two = await turn(calls('peek'), calls('peek', { again: true }));
  expect(two.toSorted()).toEqual([...plain, 'storeStep', 'endCall', 'endCall', 'admitStep'].toSorted());
  const five = await turn(...['a', 'b', 'c', 'd', 'e'].map((at) => calls('peek', { at })));
  // Four are sent at once.
  expect(five.filter((name) => name === 'beginCall')).toHaveLength(1);
  expect(await turn(calls('pay', { to: 'bob' }))).toEqual(['claimTurn', 'storeStep', 'closeStream']);
  const afterwards = ['decide', 'claimTurn', 'beginCall', 'endCall', 'admitStep', 'closeStream'];
  expect(await commitsOf(() => decide('once'))).toEqual(afterwards);
});

test('CALL-1: the end of the last call of a step and the admission of the next request are stored together', async () => {
  await using hands = await withHands();
  const { world } = hands;
  const { answers, ask, reply } = await scene(hands);
  const admitted = Promise.withResolvers<void>();
  for (const { units } of world.services) {
    const run = units.run.bind(units);
    units.run = async (name, ...rest) => {
      if (name === 'admitStep') admitted.resolve();
      const result = await run(name, ...rest);
      // A turn that waited for the end alone would wait for ever.
      if (name === 'endCall') await admitted.promise;
      return result;
    };
  }
  answers(asking(calls('peek')), { chunks: ['Done.'] });
  await ask();
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'Done.' });
});

test('CALL-1: a turn that another node has taken over while a call ran sends its model no further request', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const { agent, answers, ask } = await scene(hands);
  const { promise: over, resolve: isOver } = Promise.withResolvers<void>();
  for (const { units } of world.services) {
    const run = units.run.bind(units);
    units.run = async (name, ...rest) => {
      if (name === 'endCall') await world.sql('UPDATE streams SET node_key = node_key + 1');
      const result = await run(name, ...rest);
      if (name === 'admitStep') isOver();
      return result;
    };
  }
  answers(asking(calls('peek')), { chunks: ['Done.'] });
  await ask();
  await over;
  await world.turnsEnded();
  expect(server.calls).toHaveLength(1);
  expect(world.providers.requestsOf(agent.key)).toHaveLength(1);
});

/** The units that turns cannot do without: a checkpoint of the text depends on the time that a reply takes. */
const ofTurns = new Set(
  'claimTurn admitStep storeStep askCalls beginCall endCall pauseCall closeStream decide'.split(' '),
);
