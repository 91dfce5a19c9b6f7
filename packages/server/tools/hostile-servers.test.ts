import type { IncomingMessage, ServerResponse } from 'node:http';
import { createWorld, ManualClock, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { type FakeToolServer, type Rpc, startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { textIn } from '../rules/json-values.ts';
import { agentWith, given, toolsOf } from '../test/tools/tool-stage.ts';

let server: FakeToolServer;
let other: FakeToolServer;
let world: World;
const clock = new ManualClock();
beforeAll(async () => {
  [server, other] = [await startToolServer(), await startToolServer({ note: {} })];
  world = await createWorld({ clock, env: { TOOL_ENDPOINTS: `${server.origin},${other.origin}` } });
});
afterAll(async () => {
  await world.close();
  await server[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.answer = undefined;
  server.tools = { pay: {} };
});

let people = 0;
const person = async () => {
  const name = `p${(people += 1)}`;
  const found = (await world.people(name))[name];
  if (!found) throw new Error('no such person');
  return found;
};

type Mischief = (response: ServerResponse, rpc: Rpc, request: IncomingMessage) => void;

const as =
  (type: string, body: string, status = 200): Mischief =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);
/** Writes a piece again and again until the client leaves. */
const endless =
  (type: string, piece: string): Mischief =>
  (response) => {
    response.writeHead(200, { 'content-type': type });
    const more = (): void => void (response.writable && response.write(piece, () => setImmediate(more)));
    more();
  };
const events = 'text/event-stream';
const json = 'application/json';
const answered =
  (body: object): Mischief =>
  (response, { id }) =>
    as(json, JSON.stringify({ jsonrpc: '2.0', id, ...body }))(response, { method: '' }, {} as IncomingMessage);

type Spoiled = [what: string, mischief: Mischief, status: 'failed' | 'unknown', words: RegExp];
const spoiled: Spoiled[] = [
  ['an endless line', endless(json, 'x'.repeat(65_536)), 'unknown', /4 MiB/],
  ['an event without an end', endless(events, `data: ${'x'.repeat(65_536)}`), 'unknown', /4 MiB/],
  ['50 MB of JSON', as(json, `{"x":"${'x'.repeat(50_000_000)}"}`), 'unknown', /4 MiB/],
  ['a million lists in each other', as(json, '['.repeat(1_000_000)), 'unknown', /50000 values/],
  [
    '100,000 blocks in a stream of events with stray quotes',
    as(events, `: "\ndata: {"result":{"content":[${'{"type":"text"},'.repeat(100_000)}`),
    'unknown',
    /50000 values/,
  ],
  ['a page of HTML', as('text/html', '<html>hello'), 'unknown', /no answer of the protocol/],
  ['text that is no JSON', as(json, '{"jsonrpc":'), 'unknown', /no answer of the protocol/],
  [
    'an answer to another request',
    (response) => as(json, '{"jsonrpc":"2.0","id":999,"result":{}}')(response, { method: '' }, {} as IncomingMessage),
    'unknown',
    /without a result/,
  ],
  ['a result of another shape', answered({ result: { content: 7 } }), 'unknown', /no answer of the protocol/],
  [
    'events that never end',
    (response) => void response.writeHead(200, { 'content-type': events }).write(': hi\n\n'),
    'unknown',
    /did not answer within/,
  ],
  ['events that end without an answer', as(events, ': bye\n\n'), 'unknown', /without a result/],
  [
    'a slow drip',
    (response) => {
      response.writeHead(200, { 'content-type': json });
      const drip = (): void => void (response.writable && response.write(' ', () => setTimeout(drip, 20)));
      drip();
    },
    'unknown',
    /did not answer within/,
  ],
  ['no answer at all', () => {}, 'unknown', /did not answer within/],
  ['a connection that closes', (response) => void response.destroy(), 'unknown', /cannot be reached/],
  ['status 500', as(json, '{}', 500), 'unknown', /status 500/],
  ['status 502 of a proxy', as('text/html', '<html>', 502), 'unknown', /status 502/],
  [
    'compressed bytes',
    (response) => void response.writeHead(200, { 'content-type': json, 'content-encoding': 'gzip' }).end('x'),
    'unknown',
    /compressed/,
  ],
  ...[408, 425, 429, 499].map((status): Spoiled => [
    `status ${status}, perhaps of a proxy`,
    as(json, '', status),
    'unknown',
    new RegExp(`status ${status}`),
  ]),
  ['status 400', as(json, '{"error":"no"}', 400), 'failed', /status 400.*has not run/],
  ['status 403', as(json, '{}', 403), 'failed', /status 403.*has not run/],
  ['status 401 although nobody signs in', as(json, '', 401), 'failed', /wants a credential.*has not run/],
  ['status 404: a session that it has forgotten', as(json, '', 404), 'failed', /status 404.*has not run/],
  [
    'a redirect to a private address',
    (response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/mcp' }).end(),
    'failed',
    /status 307.*has not run/,
  ],
  [
    'a JSON-RPC error',
    answered({ error: { code: -32603, message: 'out of\norder' } }),
    'failed',
    /refused the call: .*out of order/,
  ],
  [
    'a result that is an error',
    answered({ result: { isError: true, content: [{ type: 'text', text: 'no money' }] } }),
    'failed',
    /^no money$/,
  ],
];

test.each(spoiled)(
  'TOOL-15, TOOL-18, TOOL-20: %s is an outcome for the ledger, and the call is repeated only where the session may be forgotten',
  async (_what, mischief, status, words) => {
    const ann = await person();
    const { call } = await toolsOf(world, await agentWith(ann, given(server)), ann.username);
    server.answer = (request, response, rpc) => {
      if (rpc?.method !== 'tools/call') return false;
      return mischief(response, rpc, request);
    };
    const before = server.count('tools/call');
    const called = call({ tool: 'pay' });
    await server.received('tools/call', before + 1);
    if (String(words).includes('without a result')) await clock.timerSet(1_000);
    if (/within|without a result/.test(String(words))) await clock.advance(60_000);
    const outcome = await called;
    expect(outcome.status).toBe(status);
    expect(outcome.status === 'unknown' ? outcome.why : outcome.status === 'failed' && outcome.text).toMatch(words);
    expect(server.count('tools/call') - before).toBe(/status 40[04]/.test(words.source) ? 2 : 1);
  },
);

const unlisted: [what: string, method: string, mischief: Mischief, words: RegExp][] = [
  ...(['initialize', 'tools/list'] as const).flatMap((method): [string, string, Mischief, RegExp][] => [
    ['hangs', method, () => {}, /did not answer within/],
    ['answers with HTML', method, as('text/html', '<html>'), /no answer of the protocol/],
    ['answers without an end', method, endless(json, 'x'.repeat(65_536)), /4 MiB/],
    ['answers with 100,000 keys', method, as(json, `{${'"a":1,'.repeat(100_000)}`), /50000 values/],
    ['closes the connection', method, (response) => void response.destroy(), /cannot be reached/],
    ['answers with status 500', method, as(json, '', 500), /status 500/],
    [
      'redirects',
      method,
      (response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      /status 302/,
    ],
  ]),
  [
    'lists pages without an end',
    'tools/list',
    (response, { id, params }) =>
      as(
        json,
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          result: { tools: [], nextCursor: `${textIn(params?.['cursor'])}x` },
        }),
      )(response, { method: '' }, {} as IncomingMessage),
    /^$/,
  ],
];
test.each(unlisted)(
  'TOOL-8: a server that %s at %s costs no more than its time, and the others are offered',
  async (_what, method, mischief, words) => {
    const ann = await person();
    const username = await agentWith(ann, given(server), given(other, { name: 'notes' }));
    // Nothing is left of the connections that listed the tools for the answer.
    await clock.advance(60_000);
    server.answer = (request, response, rpc) => (rpc?.method === method ? mischief(response, rpc, request) : false);
    const before = server.count(method);
    const { offered } = await toolsOf(world, username, ann.username);
    const offer = offered();
    await server.received(method, before + 1);
    if (String(words).includes('within')) await clock.advance(10_000);
    const { tools, faults } = await offer;
    expect(tools.map(({ modelName }) => modelName)).toEqual(['notes_note']);
    expect(faults.map(({ why }) => why).join()).toMatch(words);
  },
);

test('TOOL-3: a redirect within the origin is followed, one to another origin is not, whatever is asked for', async () => {
  const ann = await person();
  const { call, offered } = await toolsOf(world, await agentWith(ann, given(server)), ann.username);
  const before = other.requests.length;
  server.answer = (request, response) => {
    if (request.url !== '/mcp') return false;
    return void response.writeHead(307, { location: '/elsewhere' }).end();
  };
  expect(await call({ tool: 'pay' })).toMatchObject({ status: 'done' });
  server.answer = (_request, response) => void response.writeHead(307, { location: other.url }).end();
  expect((await offered()).faults).toEqual([{ server: 'bank', why: 'it answers with status 307' }]);
  expect(await call({ tool: 'pay' })).toMatchObject({ status: 'failed', text: expect.stringContaining('has not run') });
  expect(other.requests.length).toBe(before);
});

const redirecting: FakeToolServer['answer'] = (request, response) => {
  if (request.url !== '/mcp') return false;
  return void response.writeHead(307, { location: '/mcp/' }).end();
};

test('TOOL-15: a call behind a redirect has the time of any call, and is sent once', async () => {
  const ann = await person();
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<string>();
  const run = (): Promise<string> => (started.resolve(), release.promise);
  server.tools = { pay: { run } };
  const { call } = await toolsOf(world, await agentWith(ann, given(server)), ann.username);
  server.answer = redirecting;
  const before = server.calls.length;
  const called = call({ tool: 'pay' });
  await started.promise;
  await clock.advance(30_000);
  release.resolve('paid');
  expect(await called).toMatchObject({ status: 'done', text: 'paid' });
  expect(server.calls.length - before).toBe(1);
});

test('TOOL-15: a call whose connection breaks behind a redirect is unknown', async () => {
  const ann = await person();
  const { call } = await toolsOf(world, await agentWith(ann, given(server)), ann.username);
  server.answer = (request, response, rpc, body) => {
    if (redirecting(request, response, rpc, body) !== false) return true;
    if (rpc?.method !== 'tools/call') return false;
    return void response.destroy();
  };
  expect(await call({ tool: 'pay' })).toEqual({ status: 'unknown', why: 'it cannot be reached' });
});

test('TOOL-20: a session whose server does not answer its end is left after 5 seconds', async () => {
  const time = new ManualClock();
  await using own = await startToolServer({ pay: {} });
  await using apart = await createWorld({ clock: time, env: { TOOL_ENDPOINTS: own.origin } });
  await agentWith(await apart.person('ann'), given(own));
  const asked = Promise.withResolvers<ServerResponse>();
  own.answer = (request, response) => (request.method === 'DELETE' ? asked.resolve(response) : false);
  await time.advance(60_000);
  const response = await asked.promise;
  const left = new Promise((resolve) => response.once('close', resolve));
  await time.advance(5_000);
  await left;
});

test('TOOL-8: a tool of which its server says more than 64 KiB is left out', async () => {
  const ann = await person();
  server.tools = { pay: {}, big: { annotations: { note: 'x'.repeat(70_000) } } };
  const { offered } = await toolsOf(world, await agentWith(ann, given(server)), ann.username);
  expect((await offered()).tools.map(({ tool }) => tool)).toEqual(['pay']);
});

test('TOOL-8: of all servers together at most 128 tools with 512 KiB are offered, and what is left out is said', async () => {
  const ann = await person();
  const many = (count: number, description: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, { description }]));
  server.tools = many(100, 'x');
  const two = [given(server), given(other, { name: 'more' })];
  const kept = other.tools;
  other.tools = many(100, 'x');
  const { offered } = await toolsOf(world, await agentWith(ann, ...two), ann.username);
  const { tools, faults } = await offered();
  expect(tools).toHaveLength(128);
  expect(faults).toEqual([{ server: 'more', why: expect.stringContaining('too many or too long') }]);
  const schema = { type: 'object', description: 'x'.repeat(30_000) };
  server.tools = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`t${n}`, { schema }]));
  const long = await toolsOf(world, await agentWith(ann, given(server)), ann.username);
  expect((await long.offered()).tools).toHaveLength(17);
  other.tools = kept;
});

embeddedTest('the trigger is one of SQLite')(
  'TOOL-8: what the service cannot store of a server costs a turn the tools of that one only',
  async () => {
    await using broken = await createWorld({
      expectsErrors: true,
      env: { TOOL_ENDPOINTS: `${server.origin},${other.origin}` },
    });
    const ann = await broken.person('ann');
    const username = await agentWith(ann, given(server), given(other, { name: 'notes' }));
    await broken.sql(
      `CREATE TRIGGER refuse BEFORE INSERT ON tool_definitions WHEN new.name = 'odd' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    server.tools = { pay: {}, odd: {} };
    const { offered } = await toolsOf(broken, username, ann.username);
    const { tools, faults } = await offered();
    expect(tools.map(({ modelName }) => modelName)).toEqual(['notes_note']);
    expect(faults).toEqual([{ server: 'bank', why: expect.stringContaining('cannot use it') }]);
  },
);
