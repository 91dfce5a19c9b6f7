import { createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange, expectError, upgrade } from '../helpers/raw-http.ts';

const NO_PROXY = 'development tokens are not served through a proxy';

let world: World;
beforeAll(async () => {
  world = await createWorld({ env: { TRUSTED_PROXIES: 'loopback', DEV_TOKEN_HOSTS: 'parley, Chat.Internal:8080' } });
});
afterAll(() => world.close());

const getMe = (headers: string, token = 'dev:alice') =>
  exchange(world.url, `POST /api/getMe HTTP/1.1\r\nauthorization: Bearer ${token}\r\n${headers}\r\n`);

describe('a proxy in front of development tokens', () => {
  test.each([
    ['forwarded', 'for=203.0.113.7'],
    ['Forwarded', ''],
    ['x-forwarded-for', '203.0.113.7'],
    ['X-Forwarded-Host', 'chat.example'],
    ['X-FORWARDED-PROTO', 'https'],
    ['x-forwarded-port', '443'],
    ['x-forwarded-anything', '1'],
  ])(
    'TRANS-8: a request with the header %s is 403 on HTTP and at the upgrade, also from a trusted proxy',
    async (name, value) => {
      const header = `${name}: ${value}\r\n`;
      const reply = await getMe(`host: localhost\r\n${header}`);
      expectError(reply, 403);
      expect(reply?.body).toContain(NO_PROXY);
      // The header alone decides, whatever the token.
      expectError(await getMe(`host: localhost\r\n${header}`, 's_nothing'), 403);
      expectError(
        await exchange(world.url, `POST /api/getServerInfo HTTP/1.1\r\nhost: localhost\r\n${header}\r\n`),
        403,
      );
      // The upgrade needs a non-empty value.
      expectError(await exchange(world.url, upgrade({ [name]: value || 'x' })), 403);
      // Routes of files accept tokens too.
      const file = `GET /files/00000000-0000-7000-8000-000000000000 HTTP/1.1\r\nhost: localhost\r\n`;
      expectError(await exchange(world.url, `${file}authorization: Bearer dev:alice\r\n${header}\r\n`), 403);
    },
  );

  test('TRANS-8: pages that need no token are served through a proxy', async () => {
    const reply = await exchange(
      world.url,
      'GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 203.0.113.7\r\n\r\n',
    );
    expect(reply).toMatchObject({ status: 200 });
  });

  test('TRANS-8: without development tokens a forwarded request is served', async () => {
    await using closed = await createWorld({ env: { DEV_TOKENS: '0', TRUSTED_PROXIES: 'loopback' } });
    const reply = await exchange(
      closed.url,
      'POST /api/getServerInfo HTTP/1.1\r\nhost: chat.example\r\nx-forwarded-for: 203.0.113.7\r\n\r\n',
    );
    expect(reply).toMatchObject({ status: 200 });
  });
});

describe('DEV_TOKEN_HOSTS', () => {
  test.each(['parley', 'PARLEY:1234', 'chat.internal:8080', 'localhost', '127.0.0.1:1'])(
    'CONFIG-16, TRANS-8: the host %s is served',
    async (host) => {
      expect(await getMe(`host: ${host}\r\n`)).toMatchObject({ status: 200 });
      expect(await exchange(world.url, upgrade({ host }))).toMatchObject({ status: 101 });
    },
  );

  test.each(['parley.evil.example', 'chat.internal', 'chat.internal:80', 'other'])(
    'TRANS-8: the host %s is 403',
    async (host) => {
      expectError(await getMe(`host: ${host}\r\n`), 403);
      expectError(await exchange(world.url, upgrade({ host })), 403);
    },
  );
});

describe('the name in a development token', () => {
  test.each([
    ['alice', 'alice'],
    ['Alice', 'alice'],
    ['Ann.Marie-Jane_3', 'ann_marie_jane_3'],
    ['a'.repeat(64), 'a'.repeat(32)],
    [`${'B'.repeat(31)}.-`, `${'b'.repeat(31)}_`],
  ])('AUTH-8: dev:%s is the account %s', async (name, username) => {
    const reply = await getMe('host: localhost\r\n', `dev:${name}`);
    expect(JSON.parse(reply?.body ?? '')).toMatchObject({ ok: true, result: { username, kind: 'human' } });
  });

  test.each(['', 'a'.repeat(65), 'ann:provider_a', 'ann@home', 'ann%20', 'parley', 'PARLEY', '\u00e4'])(
    'AUTH-8: dev:%s is 401',
    async (name) => {
      expectError(await getMe('host: localhost\r\n', `dev:${name}`), 401);
    },
  );
});
