import { gzipSync } from 'node:zlib';
import { Actor, createWorld, ManualClock, unknownId, type World } from '@parley/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALICE, exchange, expectError, HOST, JSON_TYPE, RawConnection, size, withHead } from '../helpers/raw-http.ts';

const MIB = 1024 * 1024;
const body = '{"username":"alice"}';

/** A call of getUser with these headers. */
const call = (headers: string, text: string | Buffer = ''): Buffer =>
  withHead(`POST /api/getUser HTTP/1.1\r\n${ALICE}${headers}\r\n`, text);
const chunked = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`;
/** A JSON text of exactly this many bytes. */
const padded = (bytes: number): string => {
  const start = '{"username":"alice","more":"';
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
};

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.people('alice', 'bob');
});
afterAll(() => world.close());

describe('bodies', () => {
  test.each<[string, Buffer, number]>([
    ['JSON', call(JSON_TYPE + size(body), body), 200],
    ['JSON with a charset', call('content-type: application/json; charset=utf-8\r\n' + size(body), body), 200],
    ['JSON in capitals', call('content-type: APPLICATION/JSON\r\n' + size(body), body), 200],
    ['chunked JSON', call(JSON_TYPE + 'transfer-encoding: chunked\r\n', chunked(body)), 200],
    [
      'the last of a key given twice',
      call(JSON_TYPE + size('{"username":1,"username":"bob"}'), '{"username":1,"username":"bob"}'),
      200,
    ],
    ['a body of 1 MiB', call(JSON_TYPE + size(padded(MIB)), padded(MIB)), 200],
    ['no type', call(size(body), body), 415],
    ['plain text', call('content-type: text/plain\r\n' + size(body), body), 415],
    ['a form', call('content-type: application/x-www-form-urlencoded\r\n' + size('a=b'), 'a=b'), 415],
    ['a type that begins alike', call('content-type: application/jsonx\r\n' + size(body), body), 415],
    ['two types', call('content-type: application/json, text/plain\r\n' + size(body), body), 415],
    ['a type that is none', call('content-type: ;;;\r\n' + size(body), body), 415],
    ['gzip', call(JSON_TYPE + 'content-encoding: gzip\r\n' + size(gzipSync(body)), gzipSync(body)), 400],
    ['UTF-16', call(JSON_TYPE + size(Buffer.from(body, 'utf16le')), Buffer.from(body, 'utf16le')), 400],
    ['no UTF-8', call(JSON_TYPE + size(Buffer.from([0x22, 0xff, 0x22])), Buffer.from([0x22, 0xff, 0x22])), 400],
    ['a byte order mark', call(JSON_TYPE + size(`\ufeff${body}`), `\ufeff${body}`), 400],
    ...['', ' ', 'null', '[]', '7', '"x"', 'NaN', '{', `${body}x`, '[{"username":"alice"}]', "{'a':1}"].map(
      (text): [string, Buffer, number] => [JSON.stringify(text), call(JSON_TYPE + size(text), text), 400],
    ),
    ['a body over 1 MiB', call(JSON_TYPE + size(padded(MIB + 1)), padded(MIB + 1)), 413],
    ['10 MB', call(JSON_TYPE + size(padded(10_000_000)), padded(10_000_000)), 413],
    ['10 MB in a chunk', call(JSON_TYPE + 'transfer-encoding: chunked\r\n', chunked(padded(10_000_000))), 413],
    ['a length of 1 GB', call(`${JSON_TYPE}content-length: 1000000000\r\n`, body), 413],
    [
      '100,000 arrays',
      call(JSON_TYPE + size(`{"a":[${'[],'.repeat(100_000)}[]]}`), `{"a":[${'[],'.repeat(100_000)}[]]}`),
      400,
    ],
    ['a nesting of 40,000', call(JSON_TYPE + size('['.repeat(40_000)), '['.repeat(40_000)), 400],
  ])('TRANS-10, ERR-4: %s', async (_what, bytes, status) => {
    // Send to the node directly: a balancer may lose the reply of a node that stops reading.
    const reply = await exchange(world.nodeUrl, bytes);
    if (status === 200) expect(reply).toMatchObject({ status, headers: { 'cache-control': 'no-store' } });
    else expectError(reply, status);
  });

  test.each<[string, string]>([
    ['absent', ''],
    ['empty', 'content-length: 0\r\n'],
    ['empty JSON', `${JSON_TYPE}content-length: 0\r\n`],
    ['empty text, as fetch says of ""', 'content-type: text/plain;charset=UTF-8\r\ncontent-length: 0\r\n'],
    ['of no chunks', 'transfer-encoding: chunked\r\n'],
    ['{}', `${JSON_TYPE}content-length: 2\r\n`],
  ])('TRANS-4: an operation without fields accepts a body that is %s', async (what, headers) => {
    const rest = what === '{}' ? '{}' : what === 'of no chunks' ? '0\r\n\r\n' : '';
    const reply = await exchange(world.url, withHead(`POST /api/getMe HTTP/1.1\r\n${ALICE}${headers}\r\n`, rest));
    expect(JSON.parse(reply?.body ?? '')).toMatchObject({ ok: true, result: { username: 'alice' } });
  });

  test('TRANS-3, TRANS-5: a success is { ok, result }, or { ok } alone', async () => {
    const me = await exchange(world.url, `POST /api/getMe HTTP/1.1\r\n${ALICE}\r\n`);
    expect(Object.keys(JSON.parse(me?.body ?? ''))).toEqual(['ok', 'result']);
    expect(me?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const key = '{"provider":"provider_a"}';
    const none = await exchange(
      world.url,
      withHead(`POST /api/removeAgentKey HTTP/1.1\r\n${ALICE}${JSON_TYPE}${size(key)}\r\n`, key),
    );
    expect(none?.body).toBe('{"ok":true}');
  });
});

describe('requests', () => {
  test.each<[string, string, number]>([
    ['an unknown operation', `POST /api/nope HTTP/1.1\r\n${ALICE}\r\n`, 404],
    [
      'an unknown operation with a body that is none',
      `POST /api/nope HTTP/1.1\r\n${ALICE}${JSON_TYPE}${size('{')}\r\n{`,
      404,
    ],
    ['a page that is not there', `GET /nope HTTP/1.1\r\n${HOST}\r\n`, 404],
    ...['GET', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'].map((method): [string, string, number] => [
      `an operation called with ${method}`,
      `${method} /api/getMe HTTP/1.1\r\n${ALICE}\r\n`,
      405,
    ]),
    ['a PUT of text', `PUT /api/getMe HTTP/1.1\r\n${ALICE}content-type: text/plain\r\n${size('x')}\r\nx`, 405],
    ['an open operation called with GET', `GET /api/signIn HTTP/1.1\r\n${HOST}\r\n`, 405],
    ['an unknown operation without a token', `POST /api/nope HTTP/1.1\r\n${HOST}\r\n`, 401],
    ['another scheme', `POST /api/getMe HTTP/1.1\r\n${HOST}authorization: Basic ZGV2OmFsaWNl\r\n\r\n`, 401],
    [
      'a token with blanks',
      `POST /api/getMe HTTP/1.1\r\n${HOST}authorization: Bearer${' '.repeat(8_000)}a b\r\n\r\n`,
      401,
    ],
    ['a token of other letters', `POST /api/getMe HTTP/1.1\r\n${HOST}authorization: Bearer dev:\u00e4\r\n\r\n`, 401],
    ['percent signs that encode nothing', `POST /api/getMe% HTTP/1.1\r\n${ALICE}\r\n`, 400],
    ['percent signs that are no UTF-8', `POST /api/%ff HTTP/1.1\r\n${ALICE}\r\n`, 400],
    ['a line end in the path', `POST /api/getMe%0d%0ax:y HTTP/1.1\r\n${ALICE}\r\n`, 404],
    ['a path of 10,000', `POST /api/${'a'.repeat(10_000)} HTTP/1.1\r\n${ALICE}\r\n`, 404],
    ['a path of 100,000', `POST /api/${'a'.repeat(100_000)} HTTP/1.1\r\n${ALICE}\r\n`, 400],
    ['a header of 100,000', `POST /api/getMe HTTP/1.1\r\n${ALICE}x: ${'a'.repeat(100_000)}\r\n\r\n`, 400],
    ['a header without a colon', `POST /api/getMe HTTP/1.1\r\n${ALICE}nothing\r\n\r\n`, 400],
    ['NUL in a header', `POST /api/getMe HTTP/1.1\r\n${ALICE}x: a\0b\r\n\r\n`, 400],
    ['no host', 'POST /api/getMe HTTP/1.1\r\nauthorization: Bearer dev:alice\r\n\r\n', 400],
    ['two hosts', `POST /api/getMe HTTP/1.1\r\n${ALICE}host: elsewhere.example\r\n\r\n`, 400],
    ['one host twice', `POST /api/getMe HTTP/1.1\r\n${ALICE}Host: localhost\r\n\r\n`, 400],
    ['two lengths', `POST /api/getMe HTTP/1.1\r\n${ALICE}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`, 400],
    ['a length below zero', `POST /api/getMe HTTP/1.1\r\n${ALICE}content-length: -1\r\n\r\n`, 400],
    [
      'a length and chunks',
      `POST /api/getMe HTTP/1.1\r\n${ALICE}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'chunks without a size',
      `POST /api/getMe HTTP/1.1\r\n${ALICE}${JSON_TYPE}transfer-encoding: chunked\r\n\r\nzz\r\n`,
      400,
    ],
    ['a method that is none', `FOO /api/getMe HTTP/1.1\r\n${ALICE}\r\n`, 400],
    ['HTTP/9.9', `POST /api/getMe HTTP/9.9\r\n${ALICE}\r\n`, 400],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a TLS handshake', '\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00', 400],
  ])('TRANS-9, TRANS-14, ERR-2: %s', async (_what, bytes, status) => {
    expectError(await exchange(world.url, withHead(bytes)), status);
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'TRACE'])(
    'TRANS-9: the 405 to %s names the allowed method',
    async (method) => {
      const reply = await exchange(world.url, `${method} /api/getMe HTTP/1.1\r\n${ALICE}\r\n`);
      expect(reply).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    },
  );

  test('TRANS-15: pipelined requests of a connection are answered in order', async () => {
    const connection = new RawConnection(world.url);
    const names = Array.from({ length: 90 }, (_, at) => (at % 2 ? 'alice' : 'nobody'));
    connection.write(
      Buffer.concat(
        names.map((username) => {
          const text = JSON.stringify({ username });
          return call(JSON_TYPE + size(text), text);
        }),
      ),
    );
    for (const username of names)
      expect(await connection.reply()).toMatchObject({ status: username === 'alice' ? 200 : 404 });
    connection.end();
  });

  test('TRANS-15: a connection that pipelines too many requests is closed; other connections are not affected', async () => {
    const connection = new RawConnection(world.url);
    connection.write(`POST /api/getMe HTTP/1.1\r\n${ALICE}\r\n`.repeat(500));
    await connection.closed();
    expect(await exchange(world.url, call(JSON_TYPE + size(body), body))).toMatchObject({ status: 200 });
  });
});

test('DRAIN-4: a request that never completes delays the shutdown by a second', async () => {
  const clock = new ManualClock();
  const stopping = await createWorld({ clock });
  const alice = await stopping.person('alice');
  const waiting = [`POST /api/getUser HTTP/1.1\r\n${ALICE}${JSON_TYPE}${size(body)}\r\n{"user`, 'POST /api', ''].map(
    (bytes) => {
      const connection = new RawConnection(stopping.url);
      connection.write(bytes);
      return connection;
    },
  );
  // Connections are accepted in order: after the answer on a later one, the service has accepted these.
  await alice.api.getMe();
  // From here on only the timer of the shutdown is due in exactly a second.
  await clock.advance(1);
  const closing = stopping.close();
  await clock.timerSet(1_000);
  await clock.advance(999);
  expect(waiting[0]?.isClosed).toBe(false);
  await clock.advance(1);
  await closing;
  for (const connection of waiting) await connection.closed();
});

test('API-1, OPS-1, OPS-2: open routes outside /api need no token and reveal no names', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json']) {
    const response = await fetch(`${world.url}${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).not.toContain('alice');
  }
});

test('OPS-2: metrics have names of Prometheus: units in full, and `_total` for counters alone', async () => {
  const text = await (await fetch(`${world.url}/metrics`)).text();
  const types = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type]) => [name, type] as const);
  expect(types.length).toBeGreaterThan(40);
  expect(types.filter(([name, type]) => name.endsWith('_total') && type !== 'counter')).toEqual([]);
  expect(types.filter(([name]) => /_(?:ms|s|kb|mb)(?:_|$)|\d+ms/.test(name))).toEqual([]);
  expect(types.filter(([name]) => /_(?:gauge|counter|histogram|summary)$/.test(name))).toEqual([]);
  for (const [name] of types) expect(text).toMatch(new RegExp(`^# HELP ${name} .`, 'm'));
});

test('OPS-1: a service whose store does not answer is alive and not ready', async () => {
  const { service } = world;
  const { isReady } = service;
  const statuses = () =>
    Promise.all(['healthz', 'readyz'].map(async (page) => (await fetch(`${world.url}/${page}`)).status));
  service.isReady = async () => false;
  expect(await statuses()).toEqual([200, 503]);
  service.isReady = isReady;
  expect(await statuses()).toEqual([200, 200]);
});

test('ERR-1, ERR-2: HTTP and a socket return the same error', async () => {
  const alice = new Actor(world, 'alice', 'dev:alice');
  const socket = await alice.socket();
  for (const [name, params] of [
    ['getUser', { username: 'nobody' }],
    ['getUser', {}],
    ['getChat', { chat_id: 'no uuid' }],
    ['getChat', { chat_id: unknownId }],
    ['setAgentKey', { provider: 'provider_c', api_key: 'x' }],
    ['saveDraft', { chat_id: unknownId, text: 'x'.repeat(40_000) }],
  ] as const) {
    const [one, other] = await Promise.all([
      fetch(`${world.url}/api/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer dev:alice' },
        body: JSON.stringify(params),
      }).then((response) => response.json()),
      socket.rpc(name, params).catch((error: unknown) => error),
    ]);
    const { error_code: code, description, parameters = {} } = one as Record<string, unknown>; // an error's body
    expect(other).toMatchObject({ code, description, parameters });
  }
});
