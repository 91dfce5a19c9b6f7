import { createWorld, type World } from '@parley/testing';
import { type FakeToolServer, startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { agentWith, given, toolsOf } from './tool-stage.ts';

let server: FakeToolServer;
let world: World;
beforeAll(async () => {
  server = await startToolServer();
  world = await createWorld({ env: { TOOL_ENDPOINTS: server.origin } });
});
afterAll(async () => {
  await world.close();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => Object.assign(server, { answer: undefined, tokens: null, era: 'sessions', streams: false, tools: {} }));

test.each([
  ['sessions', false],
  ['sessions', true],
  ['stateless', false],
  ['stateless', true],
] as const)('TOOL-15: a call is executed once, with our id, and its text comes back (%s, events: %s)', async (era, streams) => {
  const { ann } = await world.people('ann');
  Object.assign(server, { era, streams });
  server.tools = { peek: { run: ({ of }) => `balance of ${String(of)}: 42` } };
  const { offered, call } = await toolsOf(world, await agentWith(ann, given(server)), ann.username);
  const { tools, faults } = await offered();
  expect(faults).toEqual([]);
  expect(tools).toMatchObject([{ tool: 'peek', modelName: 'bank_peek', writes: true, needsLogin: false }]);
  const before = server.calls.length;
  const outcome = await call({ tool: 'peek', arguments: { of: 'Ann' }, callId: 'a-call' });
  expect(outcome).toEqual({ status: 'done', text: 'balance of Ann: 42' });
  expect(server.calls.slice(before)).toMatchObject([{ tool: 'peek', arguments: { of: 'Ann' }, callId: 'a-call', token: null }]);
});
