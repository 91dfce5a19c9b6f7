import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ManualClock } from '@parley/testing';
import { FakeApns } from '@parley/testing/push/fake-apns.ts';
import { FakePush } from '@parley/testing/push/fake-push.ts';
import { makePushKeys } from '@parley/testing/push/push-keys.ts';
import { expect, test } from 'vitest';
import { createApns } from '../push/apns.ts';
import { readApns, readVapid } from '../push/push-config.ts';
import { createWebPush } from '../push/web-push.ts';
import { EndpointGuard } from './endpoint-guard.ts';
import { GuardedFetch } from './guarded-fetch.ts';
import { operatorFetch } from './operator-fetch.ts';
import { USER_AGENT } from './user-agent.ts';

/** All that opens connections over HTTP; every other file of the service gets its `Fetch` from these. */
const senders = ['outbound/guarded-fetch.ts', 'outbound/operator-fetch.ts', 'push/apns.ts', 'push/web-push.ts'];

test('OPS-8: nothing else in the service sends requests than the senders that are tested here', () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const files = globSync('**/*.ts', { cwd, exclude: ['**/node_modules/**', 'test/**', '**/*.test.ts'] });
  const sends = (source: string): boolean =>
    /import \{[^}]*\b(?:request|get|connect)\b[^}]*\} from 'node:http[s2]?'/.test(source) ||
    // The global one; a parameter or method of this name is one of the senders.
    (/(?<![\w.#])fetch\(/.test(source) && !/\bfetch\b[^(]*[=:,}]/.test(source.replaceAll(/^import .*$/gm, '')));
  const found = files.filter((file) => sends(readFileSync(`${cwd}/${file}`, 'utf8')));
  expect(found.map((file) => file.replaceAll('\\', '/')).toSorted()).toEqual(senders);
});

test('OPS-8: every sender says who it is, whatever its caller says', async () => {
  expect(USER_AGENT).toMatch(/^Parley\/\d+\.\d+\.\d+$/);
  const agents: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    agents.push(headers['user-agent']);
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const url = `http://127.0.0.1:${port}`;
  const guarded = new GuardedFetch({ isPublicAllowed: false, origins: new Set([url]) });
  const { signal } = new AbortController();
  for (const fetch of [guarded.fetch, operatorFetch])
    await fetch(url, { method: 'GET', headers: { 'user-agent': 'another' }, redirect: 'manual', signal });
  guarded.close();
  server.close();
  server.closeAllConnections();
  expect(agents).toEqual([USER_AGENT, USER_AGENT]);
});

const { env } = makePushKeys();
const push = { topic: 'a-topic', badge: 1, alert: { title: 'Ann', body: 'hello', sound: true }, place: null };

test('OPS-8: pushes to browsers say who sends them', async () => {
  const vapid = readVapid((name) => env[name]);
  if (!vapid) throw new Error('VAPID keys are incomplete');
  const transport = createWebPush({
    vapid,
    guard: new EndpointGuard({ allowPrivate: true }),
    clock: new ManualClock(),
  });
  await using fake = await FakePush.start();
  expect(await transport.send(fake.subscribe('a'), push)).toMatchObject({ type: 'sent' });
  expect(fake.received[0]?.headers['user-agent']).toBe(USER_AGENT);
  transport.close();
});

test('OPS-8: pushes to phones say who sends them', async () => {
  await using fake = await FakeApns.start();
  const keys = makePushKeys({ apnsUrl: fake.url });
  fake.key = keys.apnsPublicKey;
  const apns = readApns((name) => keys.env[name]);
  if (!apns) throw new Error('the settings for APNs are incomplete');
  const transport = createApns({ apns, clock: new ManualClock() });
  expect(await transport.send('a'.repeat(64), push)).toMatchObject({ type: 'sent' });
  expect(fake.received[0]?.headers['user-agent']).toBe(USER_AGENT);
  transport.close();
});
