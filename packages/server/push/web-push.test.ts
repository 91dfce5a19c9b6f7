import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '@parley/testing';
import { FakePush } from '@parley/testing/push/fake-push.ts';
import { makePushKeys } from '@parley/testing/push/push-keys.ts';
import { expect, test } from 'vitest';
import { EndpointGuard } from '../outbound/endpoint-guard.ts';
import { readVapid } from './push-config.ts';
import { createWebPush } from './web-push.ts';

const { env } = makePushKeys();
const vapid = readVapid((name) => env[name]);
if (!vapid) throw new Error('VAPID keys are incomplete');
const alert = { title: 'Alice', body: 'hello', sound: true };
const place = { chatId: randomUUID(), messageId: randomUUID(), position: Number.MAX_SAFE_INTEGER };
const at = { chat_id: place.chatId, message_id: place.messageId, position: place.position };
const push = { topic: 'a-topic', badge: 9_999, alert, place };

test('PUSH-17: every send checks the endpoint, whether it has an IP address or a name', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const guard = new EndpointGuard({ allowPrivate: false, resolve: async () => ['127.0.0.1'] });
  const transport = createWebPush({ vapid, guard, clock: new ManualClock() });
  await using fake = await FakePush.start();
  const { keys } = JSON.parse(fake.subscribe('a'));
  for (const origin of [`https://push.example:${port}`, `https://127.0.0.1:${port}`, `http://93.184.216.34:${port}`])
    expect(await transport.send(JSON.stringify({ endpoint: `${origin}/x`, keys }), push), origin).toEqual({
      type: 'failed',
      reason: 'the endpoint is refused',
    });
  expect(connections).toBe(0);
  transport.close();
  await new Promise((resolve) => server.close(resolve));
});

test('PUSH-15: a VAPID token is used for six hours and valid for twelve', async () => {
  const clock = new ManualClock();
  const transport = createWebPush({ vapid, guard: new EndpointGuard({ allowPrivate: true }), clock });
  await using fake = await FakePush.start();
  const token = fake.subscribe('a');
  const start = clock.now() / 1_000;
  const expiries: unknown[] = [];
  for (const waitMs of [0, 5 * 3_600_000, 3_600_000]) {
    await clock.advance(waitMs);
    expect(await transport.send(token, push)).toEqual({ type: 'sent' });
    expiries.push(fake.of('a').at(-1)?.claims['exp']);
  }
  expect(expiries).toEqual([start + 12 * 3_600, start + 12 * 3_600, start + 18 * 3_600]);
  expect(fake.received.flatMap(({ problems }) => problems)).toEqual([]);
  transport.close();
});

test('PUSH-15, PUSH-20: the payload fits for any text, and is as long as that of a take-back', async () => {
  const transport = createWebPush({
    vapid,
    guard: new EndpointGuard({ allowPrivate: true }),
    clock: new ManualClock(),
  });
  await using fake = await FakePush.start();
  const token = fake.subscribe('a');
  for (const text of ['', '"\\\n', '\u0001'.repeat(240), '漢'.repeat(240), '😀'.repeat(120)]) {
    await transport.send(token, { ...push, alert: { ...alert, title: text, body: text } });
    expect(fake.of('a').at(-1)?.payload).toEqual({ title: text, body: text, ...at, badge: 9_999 });
  }
  await transport.send(token, { ...push, alert: null, badge: null });
  expect(fake.of('a').at(-1)?.payload).toEqual({ close: at });
  await transport.send(token, { ...push, alert: null, place: null, badge: 0 });
  expect(fake.of('a').at(-1)?.payload).toEqual({ badge: 0 });
  expect(new Set(fake.received.map(({ headers }) => headers['content-length'])).size).toBe(1);
  expect(fake.received.flatMap(({ problems }) => problems)).toEqual([]);
  transport.close();
  expect(await transport.send(token, push)).toMatchObject({ type: 'retry' });
});
