import { createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALICE, exchange, HOST, JSON_TYPE, upgrade } from '../helpers/raw-http.ts';

let plain: World;
let secure: World;
beforeAll(async () => {
  plain = await createWorld();
  secure = await createWorld({ env: { PUBLIC_URL: 'https://chat.example', DEV_TOKENS: '1' } });
  for (const world of [plain, secure]) await world.person('alice');
});
afterAll(async () => {
  await plain.close();
  await secure.close();
});

const requests: [string, string, number][] = [
  ['a success', `POST /api/getMe HTTP/1.1\r\n${ALICE}\r\n`, 200],
  ['a missing token', `POST /api/getMe HTTP/1.1\r\n${HOST}\r\n`, 401],
  ['a wrong method', `GET /api/getMe HTTP/1.1\r\n${ALICE}\r\n`, 405],
  ['a body that is not JSON', `POST /api/getMe HTTP/1.1\r\n${ALICE}${JSON_TYPE}content-length: 1\r\n\r\n{`, 400],
  ['a preflight', `OPTIONS /api/getMe HTTP/1.1\r\n${HOST}\r\n`, 204],
  ['a page', `GET /docs HTTP/1.1\r\n${HOST}\r\n`, 200],
  ['a missing page', `GET /nothing HTTP/1.1\r\n${HOST}\r\n`, 404],
  ['a health check', `GET /healthz HTTP/1.1\r\n${HOST}\r\n`, 200],
  ['metrics', `GET /metrics HTTP/1.1\r\n${HOST}\r\n`, 200],
  ['a path that cannot be decoded', `GET /%ff HTTP/1.1\r\n${HOST}\r\n`, 400],
  ['bytes that are no HTTP', 'nonsense\r\n\r\n', 400],
  ['an expectation that nobody knows', `POST /api/getMe HTTP/1.1\r\n${ALICE}expect: miracles\r\n\r\n`, 200],
  ['an upgrade without a token', upgrade({}, 'GET /api/ws HTTP/1.1'), 401],
  ['an upgrade of another version', upgrade({ 'sec-websocket-version': '7' }), 400],
  ['an upgrade', upgrade({}), 101],
];

test.each(requests)(
  'TRANS-16: %s is answered with nosniff, and with HSTS where PUBLIC_URL is https',
  async (_what, bytes, status) => {
    const [reply, secured] = [await exchange(plain.nodeUrl, bytes), await exchange(secure.nodeUrl, bytes)];
    expect([reply?.status, secured?.status]).toEqual([status, status]);
    expect(reply?.headers['x-content-type-options']).toBe('nosniff');
    expect(reply?.headers).not.toHaveProperty('strict-transport-security');
    expect(secured?.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
    });
  },
);
