import { createWorld, ManualClock, type World } from '@parley/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ALICE,
  exchange,
  expectError,
  JSON_TYPE,
  RawConnection,
  size,
  upgrade,
  withHead,
} from '../helpers/raw-http.ts';
import { RawSocket } from '../helpers/raw-socket.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.person('alice');
});
afterAll(() => world.close());

describe('origins and hosts', () => {
  const asked = (headers: string) =>
    exchange(world.url, `POST /api/getMe HTTP/1.1\r\nauthorization: Bearer dev:alice\r\n${headers}\r\n`);

  test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', 'localhost@evil.example'])(
    'TRANS-8: with development tokens the host %s is refused, before and after the upgrade',
    async (host) => {
      expectError(await asked(`host: ${host}\r\n`), 403);
      expectError(await exchange(world.url, upgrade({ host })), 403);
    },
  );

  test.each(['localhost', '127.0.0.1:1', '[::1]:80', 'LOCALHOST'])('TRANS-8: the host %s is served', async (host) => {
    expect(await asked(`host: ${host}\r\n`)).toMatchObject({ status: 200 });
  });

  test.each(['http://evil.example', 'null', 'http://localhost:1', 'nonsense', 'http://localhost.evil.example'])(
    'TRANS-7: a page of %s can neither call nor open a socket',
    async (origin) => {
      const reply = await asked(`host: localhost\r\norigin: ${origin}\r\n`);
      expectError(reply, 403);
      expect(reply?.headers).not.toHaveProperty('access-control-allow-origin');
      expectError(await exchange(world.url, upgrade({ origin })), 403);
    },
  );

  test('TRANS-7: a refused origin is logged once in 10 s, with the variable that allows it', async () => {
    const clock = new ManualClock();
    await using watched = await createWorld({ clock });
    const refused = () => watched.logs.filter(({ msg }) => msg.includes('ALLOWED_ORIGINS'));
    const preflight = (origin: string) =>
      exchange(watched.nodeUrl, `OPTIONS /api/getMe HTTP/1.1\r\nhost: localhost\r\norigin: ${origin}\r\n\r\n`);
    // The browser sends a preflight first; when that is refused, it does not send the call.
    const reply = await preflight('https://app.example');
    expect(reply?.headers).not.toHaveProperty('access-control-allow-origin');
    expect(refused()).toMatchObject([{ level: 40, origin: 'https://app.example' }]);
    for (let times = 0; times < 5; times += 1) await preflight('https://other.example');
    expect(refused()).toHaveLength(1);
    await clock.advance(10_000);
    await preflight('https://other.example');
    expect(refused()).toMatchObject([{}, { origin: 'https://other.example', unsaid: 5 }]);
    // Sockets and calls share the log's rate limit.
    await exchange(watched.nodeUrl, upgrade({ origin: 'https://socket.example' }));
    expect(refused()).toHaveLength(2);
    await clock.advance(10_000);
    await exchange(watched.nodeUrl, upgrade({ origin: 'https://socket.example' }));
    expect(refused()).toMatchObject([{}, {}, { origin: 'https://socket.example', unsaid: 1 }]);
  });

  test('TRANS-7: a page of the service’s own origin can call, and reads the headers it needs', async () => {
    const reply = await asked('host: localhost:8080\r\norigin: http://localhost:8080\r\n');
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': 'http://localhost:8080',
        'access-control-expose-headers': expect.stringMatching(/x-request-id, retry-after, .*upload-offset/),
        vary: 'origin',
      },
    });
    const preflight = await exchange(
      world.url,
      'OPTIONS /api/getMe HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost\r\naccess-control-request-method: POST\r\n\r\n',
    );
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-headers': expect.stringContaining('authorization, content-type, tus-resumable'),
      },
    });
  });
});

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
    ['two hosts', upgrade({}).replace('\r\n', '\r\nhost: elsewhere.example\r\n'), 400],
    ['version 7', upgrade({ 'sec-websocket-version': '7' }), 400],
    ['no key', upgrade({ 'sec-websocket-key': '' }), 400],
    ['a short key', upgrade({ 'sec-websocket-key': 'x' }), 400],
  ])('AUTH-10, TRANS-14: %s', async (_what, bytes, status) => {
    const connection = new RawConnection(world.url);
    connection.write(bytes);
    expectError(await connection.reply(), status);
    // The service closes a refused connection.
    await connection.closed();
  });

  test('AUTH-10: the token can be sent in the header', async () => {
    const line = 'GET /api/ws HTTP/1.1';
    expect(await exchange(world.url, upgrade({ authorization: 'Bearer dev:alice' }, line))).toMatchObject({
      status: 101,
    });
  });

  test(
    'TRANS-14: a connection on which nothing arrives is closed without an answer, one with half a head with 400',
    { tags: ['long'] },
    async () => {
      const [silent, half] = [new RawConnection(world.url), new RawConnection(world.url)];
      half.write('GET / HTTP/1.1\r\n');
      const replies = await Promise.all([silent.reply(), half.reply()]);
      expect(replies).toEqual([undefined, expect.objectContaining({ status: 400 })]);
    },
  );

  test('TRANS-14: an offer to upgrade to another protocol is ignored', async () => {
    const headers = 'upgrade: h2c\r\nconnection: Upgrade, HTTP2-Settings\r\nhttp2-settings: AAMAAABk\r\n';
    const body = '{"username":"alice"}';
    const head = `POST /api/getUser HTTP/1.1\r\n${ALICE}${headers}${JSON_TYPE}${size(body)}\r\n`;
    const reply = await exchange(world.url, withHead(head, body));
    expect(reply).toMatchObject({ status: 200 });
  });
});

describe('addresses', () => {
  interface Visited {
    url: string;
    token: string;
  }

  /** A service that accepts forwarded requests must not accept development tokens. */
  const env = { DEV_TOKENS: '0', RATE_LIMITS: '1', RATE_PASSWORDS_PER_MINUTE: '4' };
  let names = 0;
  const attempt = async (address: string, { url, token }: Visited, way: 'http' | 'socket'): Promise<string> => {
    // Each try names another account: the pause of a username applies to all addresses (AUTH-19).
    const params = { username: `nobody${(names += 1)}`, password: 'a wrong one' };
    if (way === 'http') {
      const response = await fetch(`${url}/api/signIn`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify(params),
      });
      return ((await response.json()) as { error_code: string }).error_code; // every attempt fails
    }
    const socket = await RawSocket.open(url, { token, headers: { 'x-forwarded-for': address } });
    socket.request(1, 'auth.login', params);
    const { error } = (await socket.reply(1)) as { error: { code: string } }; // every attempt fails
    socket.end();
    return error.code;
  };

  test.each(['http', 'socket'] as const)(
    'CONFIG-10, LIMIT-2: behind a trusted proxy the forwarded address counts, over %s too',
    async (way) => {
      await using proxied = await createWorld({ env: { ...env, TRUSTED_PROXIES: 'loopback' } });
      const visited = { url: proxied.url, token: (await proxied.member()).token };
      for (let times = 0; times < 4; times += 1)
        expect(await attempt('203.0.113.7', visited, way)).toBe('unauthenticated');
      expect(await attempt('203.0.113.7', visited, way)).toBe('rate_limited');
      expect(await attempt('203.0.113.8', visited, way)).toBe('unauthenticated');
      // Addresses that a client itself adds to the header are ignored.
      expect(await attempt('203.0.113.9, 203.0.113.7', visited, way)).toBe('rate_limited');
    },
  );

  test.each(['http', 'socket'] as const)(
    'CONFIG-10: a forwarded address from any other sender is ignored, over %s',
    async (way) => {
      await using direct = await createWorld({ env });
      const visited = { url: direct.url, token: (await direct.member()).token };
      // The sign-up counts to the same address.
      for (let times = 1; times < 4; times += 1)
        expect(await attempt(`203.0.113.${times}`, visited, way)).toBe('unauthenticated');
      expect(await attempt('203.0.113.99', visited, way)).toBe('rate_limited');
    },
  );
});
