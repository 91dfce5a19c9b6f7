import { gzipSync } from 'node:zlib';
import { errorStatus } from '@parley/protocol';
import { Actor, createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RawConnection, type RawReply } from './raw-http.ts';
import { RawSocket } from './raw-socket.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = 'content-type: application/json\r\n';
const body = '{"username":"alice"}';
const HOST = 'host: localhost\r\n';
const ALICE = `${HOST}authorization: Bearer dev:alice\r\n`;

const size = (text: string | Buffer): string => `content-length: ${Buffer.byteLength(text)}\r\n`;
const withHead = (head: string, text: string | Buffer = ''): Buffer =>
  Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(text)]);
/** A call of getUser with these headers. */
const call = (headers: string, text: string | Buffer = ''): Buffer =>
  withHead(`POST /api/getUser HTTP/1.1\r\n${ALICE}${headers}\r\n`, text);
const chunked = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`;
/** A JSON text of exactly so many bytes. */
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

async function exchange(bytes: string | Buffer): Promise<RawReply | undefined> {
  const connection = new RawConnection(world.url);
  connection.write(bytes);
  const reply = await connection.reply();
  connection.end();
  return reply;
}

const codes = Object.entries(errorStatus);

/** Holds a reply against the form of all errors. */
function expectError(reply: RawReply | undefined, status: number): void {
  expect(reply?.status).toBe(status);
  expect(reply?.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const { ok, error_code, description, ...rest } = JSON.parse(reply?.body ?? '');
  expect(ok).toBe(false);
  expect(codes).toContainEqual([error_code, status]);
  expect(description).toMatch(/^[^\n]{1,300}$/);
  expect(Object.keys(rest).filter((key) => key !== 'parameters')).toEqual([]);
}

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
    const reply = await exchange(bytes);
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
  ])('TRANS-4: an operation without fields takes a body that is %s', async (what, headers) => {
    const rest = what === '{}' ? '{}' : what === 'of no chunks' ? '0\r\n\r\n' : '';
    const reply = await exchange(withHead(`POST /api/getMe HTTP/1.1\r\n${ALICE}${headers}\r\n`, rest));
    expect(JSON.parse(reply?.body ?? '')).toMatchObject({ ok: true, result: { username: 'alice' } });
  });

  test('TRANS-3, TRANS-5: a success is { ok, result }, or { ok } alone', async () => {
    const me = await exchange(`POST /api/getMe HTTP/1.1\r\n${ALICE}\r\n`);
    expect(Object.keys(JSON.parse(me?.body ?? ''))).toEqual(['ok', 'result']);
    expect(me?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const key = '{"provider":"provider_a"}';
    const none = await exchange(
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
    expectError(await exchange(withHead(bytes)), status);
  });

  test('TRANS-15: what a connection sends ahead is answered in its order', async () => {
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

  test('TRANS-15: a connection that sends too much ahead is ended, and others go on', async () => {
    const connection = new RawConnection(world.url);
    connection.write(`POST /api/getMe HTTP/1.1\r\n${ALICE}\r\n`.repeat(500));
    await connection.closed();
    expect(await exchange(call(JSON_TYPE + size(body), body))).toMatchObject({ status: 200 });
  });
});

describe('origins and hosts', () => {
  const asked = (headers: string) =>
    exchange(`POST /api/getMe HTTP/1.1\r\nauthorization: Bearer dev:alice\r\n${headers}\r\n`);

  test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', 'localhost@evil.example'])(
    'TRANS-8: with development tokens the host %s is refused, before and after the upgrade',
    async (host) => {
      expectError(await asked(`host: ${host}\r\n`), 403);
      expectError(await exchange(upgrade({ host })), 403);
    },
  );

  test.each(['localhost', '127.0.0.1:1', '[::1]:80', 'LOCALHOST'])('TRANS-8: the host %s is served', async (host) => {
    expect(await asked(`host: ${host}\r\n`)).toMatchObject({ status: 200 });
  });

  test.each(['http://evil.example', 'null', 'http://localhost:1', 'nonsense', 'http://localhost.evil.example'])(
    'TRANS-7: a page of %s may not call, nor open a socket',
    async (origin) => {
      const reply = await asked(`host: localhost\r\norigin: ${origin}\r\n`);
      expectError(reply, 403);
      expect(reply?.headers).not.toHaveProperty('access-control-allow-origin');
      expectError(await exchange(upgrade({ origin })), 403);
    },
  );

  test('TRANS-7: a page of the own origin may, and reads the headers that it needs', async () => {
    const reply = await asked('host: localhost:8080\r\norigin: http://localhost:8080\r\n');
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': 'http://localhost:8080',
        'access-control-expose-headers': 'x-request-id, retry-after',
        vary: 'origin',
      },
    });
    const preflight = await exchange(
      'OPTIONS /api/getMe HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost\r\naccess-control-request-method: POST\r\n\r\n',
    );
    expect(preflight).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-headers': 'authorization, content-type' },
    });
  });
});

const upgradeHeaders = {
  host: 'localhost',
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

function upgrade(changes: Record<string, string>, line = 'GET /api/ws?token=dev:alice HTTP/1.1'): string {
  const headers = Object.entries({ ...upgradeHeaders, ...changes }).filter(([, value]) => value !== '');
  return `${line}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

describe('upgrades', () => {
  test.each<[string, string, number]>([
    ['no token', upgrade({}, 'GET /api/ws HTTP/1.1'), 401],
    ['an empty token', upgrade({}, 'GET /api/ws?token= HTTP/1.1'), 401],
    ['an unknown token', upgrade({}, 'GET /api/ws?token=s_nothing HTTP/1.1'), 401],
    ['a development token of the reserved name', upgrade({}, 'GET /api/ws?token=dev:parley HTTP/1.1'), 401],
    ['another path', upgrade({}, 'GET /api/nope?token=dev:alice HTTP/1.1'), 404],
    ['another path with a good token', upgrade({}, 'GET /?token=dev:alice HTTP/1.1'), 404],
    ['a path that is no URL', upgrade({}, 'GET //[ HTTP/1.1'), 404],
    ['POST', upgrade({}, 'POST /api/ws?token=dev:alice HTTP/1.1'), 400],
    ['version 7', upgrade({ 'sec-websocket-version': '7' }), 400],
    ['no key', upgrade({ 'sec-websocket-key': '' }), 400],
    ['a short key', upgrade({ 'sec-websocket-key': 'x' }), 400],
  ])('AUTH-10, TRANS-14: %s', async (_what, bytes, status) => {
    const connection = new RawConnection(world.url);
    connection.write(bytes);
    expectError(await connection.reply(), status);
    // Nobody holds on to a connection that was refused.
    await connection.closed();
  });

  test('AUTH-10: the token may come in the header', async () => {
    const line = 'GET /api/ws HTTP/1.1';
    expect(await exchange(upgrade({ authorization: 'Bearer dev:alice' }, line))).toMatchObject({ status: 101 });
  });

  test('TRANS-14: an offer to go on in another protocol is passed over', async () => {
    const headers = 'upgrade: h2c\r\nconnection: Upgrade, HTTP2-Settings\r\nhttp2-settings: AAMAAABk\r\n';
    const reply = await exchange(call(`${headers}${JSON_TYPE}${size(body)}`, body));
    expect(reply).toMatchObject({ status: 200 });
  });
});

describe('addresses', () => {
  const attempt = async (address: string, proxied: World, way: 'http' | 'socket'): Promise<string> => {
    const params = { username: 'nobody', password: 'a wrong one' };
    if (way === 'http') {
      const response = await fetch(`${proxied.url}/api/signIn`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify(params),
      });
      return ((await response.json()) as { error_code: string }).error_code; // an error, whichever
    }
    const socket = await RawSocket.open(proxied.url, { token: 'dev:alice', headers: { 'x-forwarded-for': address } });
    socket.request(1, 'auth.login', params);
    const { error } = (await socket.reply(1)) as { error: { code: string } }; // an error, whichever
    socket.end();
    return error.code;
  };

  test.each(['http', 'socket'] as const)(
    'CONFIG-10, LIMIT-2: behind a trusted proxy the forwarded address counts, over %s too',
    async (way) => {
      await using proxied = await createWorld({ env: { TRUSTED_PROXIES: 'loopback', RATE_LIMITS: '1' } });
      for (let times = 0; times < 5; times += 1)
        expect(await attempt('203.0.113.7', proxied, way)).toBe('unauthenticated');
      expect(await attempt('203.0.113.7', proxied, way)).toBe('rate_limited');
      expect(await attempt('203.0.113.8', proxied, way)).toBe('unauthenticated');
      // What a client puts before its own address is its own invention.
      expect(await attempt('203.0.113.9, 203.0.113.7', proxied, way)).toBe('rate_limited');
    },
  );

  test.each(['http', 'socket'] as const)('CONFIG-10: from anybody else it does not, over %s', async (way) => {
    await using direct = await createWorld({ env: { RATE_LIMITS: '1' } });
    for (let times = 0; times < 5; times += 1)
      expect(await attempt(`203.0.113.${times}`, direct, way)).toBe('unauthenticated');
    expect(await attempt('203.0.113.99', direct, way)).toBe('rate_limited');
  });
});

test('DRAIN-4: a request that never comes whole does not hold up the end', async () => {
  const stopping = await createWorld();
  const alice = await stopping.person('alice');
  const waiting = [`POST /api/getUser HTTP/1.1\r\n${ALICE}${JSON_TYPE}${size(body)}\r\n{"user`, 'POST /api', ''].map(
    (bytes) => {
      const connection = new RawConnection(stopping.url);
      connection.write(bytes);
      return connection;
    },
  );
  // The service has taken up these connections when it answers a later one.
  await alice.api.getMe();
  await stopping.close();
  for (const connection of waiting) await connection.closed();
});

test('API-1, OPS-1, OPS-2: what is open outside /api needs no token and tells no names', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json']) {
    const response = await fetch(`${world.url}${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).not.toContain('alice');
  }
});

test('ERR-1: the typed client and a raw socket are told the same', async () => {
  const alice = new Actor(world, 'alice', 'dev:alice');
  const socket = await alice.socket();
  for (const [name, params] of [
    ['getUser', { username: 'nobody' }],
    ['getUser', {}],
    ['getChat', { chat_id: 'no uuid' }],
    ['getChat', { chat_id: '00000000-0000-7000-8000-000000000000' }],
    ['setAgentKey', { provider: 'provider_c', api_key: 'x' }],
    ['saveDraft', { chat_id: '00000000-0000-7000-8000-000000000000', text: 'x'.repeat(40_000) }],
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
