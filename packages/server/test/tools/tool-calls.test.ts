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
beforeEach(() =>
  Object.assign(server, { answer: undefined, tokens: null, era: 'sessions', streams: false, tools: {} }),
);

test.each([
  ['sessions', false],
  ['sessions', true],
  ['stateless', false],
  ['stateless', true],
] as const)(
  'TOOL-15: a call is executed once, with our id, and its text comes back (%s, events: %s)',
  async (era, streams) => {
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
    expect(server.calls.slice(before)).toMatchObject([
      { tool: 'peek', arguments: { of: 'Ann' }, callId: 'a-call', token: null },
    ]);
  },
);

test('TOOL-15: a call that cannot reach its server has not run', async () => {
  const away = await startToolServer({ peek: {} });
  await using own = await createWorld({ env: { TOOL_ENDPOINTS: away.origin } });
  const { cleo } = await own.people('cleo');
  const { call } = await toolsOf(own, await agentWith(cleo, given(away)), 'cleo');
  expect(await call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  await away[Symbol.asyncDispose]();
  const outcome = await call({ tool: 'peek' });
  expect(outcome).toEqual({
    status: 'failed',
    text: 'The server could not be called: it cannot be reached. The tool has not run.',
  });
});

test('TOOL-16: a call that is stopped ends at once: the server is told, and the connection closes', async () => {
  const { ann } = await world.people('ann');
  const { promise, resolve } = Promise.withResolvers<void>();
  server.tools = {
    wait: { run: (_given, { stopped }) => new Promise(() => stopped.addEventListener('abort', () => resolve())) },
  };
  const { call } = await toolsOf(world, await agentWith(ann, given(server)), 'ann');
  for (const era of ['sessions', 'stateless'] as const) {
    server.era = era;
    const before = server.calls.length;
    const stop = new AbortController();
    const outcome = call({ tool: 'wait' }, stop.signal);
    await server.executed('wait', server.calls.filter(({ tool }) => tool === 'wait').length - before + before + 1);
    const cancelled = server.count('notifications/cancelled');
    stop.abort();
    expect(await outcome).toEqual({ status: 'unknown', why: 'it was stopped' });
    await promise;
    if (era === 'sessions') await server.received('notifications/cancelled', cancelled + 1);
  }
  const stopped = await call({ tool: 'wait' }, AbortSignal.abort());
  expect(stopped).toMatchObject({ status: 'failed', text: expect.stringContaining('has not run') });
});

test('TOOL-20: calls of an asker share a session; one that the server has forgotten begins again before the call', async () => {
  const { dan } = await world.people('dan');
  server.tools = { peek: {} };
  const { call } = await toolsOf(world, await agentWith(dan, given(server)), 'dan');
  const before = server.count('initialize');
  for (let n = 0; n < 3; n += 1) expect(await call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  expect(server.count('initialize')).toBe(before);
  server.forgetSessions();
  const executed = server.calls.length;
  expect(await call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  expect([server.count('initialize'), server.calls.length]).toEqual([before + 1, executed + 1]);
});

test('TOOL-15: a call that only reads goes over a kept connection, one that writes never does', async () => {
  const { fay } = await world.people('fay');
  const ports: (number | undefined)[] = [];
  server.tools = { peek: {} };
  server.answer = ({ socket }, _response, rpc) => {
    if (rpc?.method === 'tools/call') ports.push(socket.remotePort);
    return false;
  };
  const { call } = await toolsOf(world, await agentWith(fay, given(server)), 'fay');
  for (const writes of [false, false, true, true])
    expect(await call({ tool: 'peek', writes })).toMatchObject({ status: 'done' });
  expect(ports[1]).toBe(ports[0]);
  expect(new Set(ports).size).toBe(3);
});

test('TOOL-17: the model is told texts, notes for what it cannot read, and at most 64 KiB', async () => {
  const { eve } = await world.people('eve');
  const results: Record<string, unknown> = {
    mixed: {
      content: [
        { type: 'text', text: 'Two pictures:' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'audio', data: 'AAAAAAAA', mimeType: 'audio/wav' },
        { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' },
        { type: 'resource', resource: { uri: 'file:///b.txt', text: 'the text of b' } },
        { type: 'resource', resource: { uri: 'file:///c.bin', blob: 'AAAA', mimeType: 'application/zip' } },
      ],
    },
    data: { content: [], structuredContent: { sum: 42 } },
    long: 'ü'.repeat(100_000),
    nothing: { content: [] },
  };
  server.tools = Object.fromEntries(Object.entries(results).map(([name, result]) => [name, { run: () => result }]));
  const { call } = await toolsOf(world, await agentWith(eve, given(server)), 'eve');
  const textOf = async (tool: string) => {
    const outcome = await call({ tool });
    return outcome.status === 'done' ? outcome.text : outcome.status;
  };
  expect(await textOf('mixed')).toBe(
    [
      'Two pictures:',
      '[image (image/png), 3 bytes: not shown]',
      '[audio (audio/wav), 6 bytes: not shown]',
      '[link to a.txt: file:///a.txt]',
      'the text of b',
      '[file file:///c.bin (application/zip), 3 bytes: not shown]',
    ].join('\n\n'),
  );
  expect(await call({ tool: 'data' })).toEqual({ status: 'done', text: '{"sum":42}', structured: { sum: 42 } });
  const long = await textOf('long');
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(64 * 1024);
  expect(long).toMatch(/^ü+\n\[The rest was left out: the result is too long\.\]$/);
  expect(await textOf('nothing')).toBe('');
});

test('TOOL-19: what a tool asks its asker becomes a form, and the answer goes with the same call', async () => {
  const { fay } = await world.people('fay');
  server.era = 'stateless';
  const question = {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: 'Which seat?',
      requestedSchema: {
        type: 'object',
        properties: {
          seatRow: { type: 'integer', title: 'Row' },
          side: { type: 'string', enum: ['window', 'aisle'] },
          withMeal: { type: 'boolean', description: 'a warm one', default: true },
        },
        required: ['seatRow'],
      },
    },
  };
  server.tools = {
    book: {
      run: (_given, _call, { params }) =>
        params?.['inputResponses']
          ? JSON.stringify([params['inputResponses'], params['requestState']])
          : { resultType: 'input_required', inputRequests: { seat: question }, requestState: 'opaque' },
    },
  };
  const { call } = await toolsOf(world, await agentWith(fay, given(server)), 'fay');
  const asked = await call({ tool: 'book', callId: 'a-booking' });
  if (asked.status !== 'input') throw new Error(`it is ${JSON.stringify(asked)}`);
  expect(asked).toMatchObject({
    text: 'Which seat?',
    form: [
      { key: 'seat_row', label: 'Row', type: 'number', required: true },
      { key: 'side', label: 'side', type: 'select', required: false, options: ['window', 'aisle'] },
      { key: 'with_meal', label: 'withMeal', type: 'boolean', description: 'a warm one', default: 'true' },
    ],
  });
  const { requestState } = asked;
  const again = (answer: { action: 'accept' | 'decline'; fields?: object }) =>
    call({ tool: 'book', callId: 'a-booking', answer: { requestState, ...answer } as never });
  const content = { seatRow: 12, side: 'aisle', withMeal: false };
  expect(await again({ action: 'accept', fields: { seat_row: 12, side: 'aisle', with_meal: false } })).toEqual({
    status: 'done',
    text: JSON.stringify([{ seat: { action: 'accept', content } }, 'opaque']),
  });
  expect(await again({ action: 'decline' })).toMatchObject({ text: expect.stringContaining('{"action":"decline"}') });
  expect(server.calls.filter(({ callId }) => callId === 'a-booking')).toHaveLength(3);
});

test('TOOL-19: a server of the era of sessions is not told that people answer questions, one of the newer era is', async () => {
  const { gus } = await world.people('gus');
  server.tools = { peek: {} };
  const offersAnswers = (method: string): unknown => {
    const params = server.requests.findLast(({ rpc }) => rpc?.method === method)?.rpc?.params;
    const meta = params?.['_meta'] as Record<string, unknown> | undefined;
    const capabilities = params?.['capabilities'] ?? meta?.['io.modelcontextprotocol/clientCapabilities'];
    return (capabilities as Record<string, unknown> | undefined)?.['elicitation'];
  };
  const { call } = await toolsOf(world, await agentWith(gus, given(server)), 'gus');
  expect(await call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  expect(offersAnswers('initialize')).toBeUndefined();
  server.era = 'stateless';
  server.forgetSessions();
  const newer = await world.person('gil');
  const own = await toolsOf(world, await agentWith(newer, given({ url: `${server.url}?newer` })), 'gil');
  expect(await own.call({ tool: 'peek' })).toMatchObject({ status: 'done' });
  expect(offersAnswers('tools/call')).toEqual({ form: {} });
});
