import { expect, test } from 'vitest';
import { asking, calls, results, scene, toolParts, withHands } from './hands-stage.ts';

const states = (messages: { decision?: { state: string } | undefined }[]) =>
  messages.map(({ decision }) => decision?.state);

test('CALL-11: a declined login takes back what is still asked about calls of its server', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  server.tokens = ['good'];
  const given = { identity: 'asker', auth: 'bearer' } as const;
  const { ann, agent, answers, ask, reply, decisions, decide } = await scene(hands, { given });
  await ann.api.setToolCredential({ username: agent.username, server: 'bank', token: 'good' });
  // It is good when the tools are listed, and refused when they are called.
  server.answer = (_request, response, rpc) =>
    rpc?.method === 'tools/call' ? (response.writeHead(401).end(), true) : false;
  answers(asking(calls('pay', { to: 'bob' }), calls('peek')), { chunks: ['I cannot.'] });
  await ask();
  await world.turnsEnded();
  expect((await decisions()).map(({ decision }) => decision?.kind)).toEqual(['call', 'login']);
  await decide('decline', 1);
  await world.turnsEnded();
  expect(states(await decisions())).toEqual(['withdrawn', 'decided']);
  expect(await reply()).toMatchObject({ status: 'complete', content: 'I cannot.' });
  expect(toolParts(await reply()).map(({ status }) => status)).toEqual(['denied', 'denied']);
});

test('CALL-10: a stop at the budget leaves calls alone about which people are asked; allowed, they are carried out', async () => {
  await using hands = await withHands();
  const { world, server } = hands;
  const { answers, ask, reply, decisions, decide } = await scene(hands);
  const peeks = Array.from({ length: 25 }, (_, n) => calls('peek', { n }));
  answers(asking(calls('pay', { to: 'bob' }), ...peeks), { chunks: ['Paid.'] });
  await ask();
  await world.turnsEnded();
  expect((await decisions()).map(({ decision }) => decision?.kind)).toEqual(['call', 'budget']);
  await decide('stop', 1);
  await world.turnsEnded();
  expect(states(await decisions())).toEqual(['open', 'decided']);
  await decide('once', 0);
  await world.turnsEnded();
  expect(await reply()).toMatchObject({ status: 'complete', content: 'Paid.' });
  expect(server.calls.filter(({ tool }) => tool === 'pay')).toHaveLength(1);
  expect(toolParts(await reply()).map(({ status }) => status).at(-1)).toBe('denied');
});
