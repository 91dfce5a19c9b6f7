import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { ServiceError } from '../core/errors.ts';
import { Share } from '../core/slices.ts';
import { type RequestNeeds, Requests } from './requests.ts';

/** Waits 100 ticks, in which every admitted request begins, even if a slow machine needs many slices. */
const quiet = async (): Promise<void> => {
  for (let turns = 0; turns < 100; turns += 1) await turnOfLoop();
};
const bytes = (request: unknown): Buffer => Buffer.from(JSON.stringify(request));

/** Requests whose calls the test answers itself. */
function start(needs: Partial<RequestNeeds> = {}) {
  const posted: unknown[] = [];
  const begun: { method: string; answer: (result?: string) => void; refuse: (error: Error) => void }[] = [];
  const refused: number[] = [];
  const requests = new Requests({
    call: (method) => new Promise((resolve, reject) => void begun.push({ method, answer: resolve, refuse: reject })),
    isRead: () => false,
    isPage: () => false,
    mayReply: () => true,
    post: (text) => void posted.push(JSON.parse(text)),
    regulate: () => {},
    share: new Share(),
    admitJson: () => {},
    countRefusal: () => {},
    close: (code) => void refused.push(code),
    ...needs,
  });
  return { requests, posted, begun, refused };
}

test('SOCKET-3: a reply with an id is sent when it is ready; one without an id waits for earlier ones without', async () => {
  const { requests, posted, begun } = start();
  for (const id of [undefined, 'a', undefined, 7]) requests.add(bytes({ id, method: 'getMe' }));
  await quiet();
  for (const at of [3, 2, 1, 0]) begun[at]?.answer(`${at}`);
  await quiet();
  expect(posted).toEqual([
    { id: 7, ok: true, result: 3 },
    { id: 'a', ok: true, result: 1 },
    { ok: true, result: 0 },
    { ok: true, result: 2 },
  ]);
});

test('SOCKET-5: at most 256 requests are in flight; when one ends, another begins', async () => {
  const { requests, begun } = start();
  for (let id = 0; id < 300; id += 1) requests.add(bytes({ id, method: 'getMe' }));
  await quiet();
  expect([begun.length, requests.isBusy]).toEqual([256, true]);
  begun[100]?.answer();
  begun[200]?.refuse(new ServiceError('not_found', 'not found: account'));
  await quiet();
  expect(begun).toHaveLength(258);
});

test('SOCKET-10: at most four pages are read at once, however slow the store is; further requests wait', async () => {
  const { requests, begun } = start({ isRead: () => true, isPage: (method) => method === 'getChats' });
  for (let id = 0; id < 20; id += 1) requests.add(bytes({ id, method: id % 2 === 0 ? 'wsFocus' : 'getChats' }));
  await quiet();
  expect([begun.length, requests.isBusy]).toEqual([8, true]);
  begun[1]?.answer();
  begun[3]?.refuse(new ServiceError('not_found', 'not found: chat'));
  await quiet();
  expect(begun).toHaveLength(12);
});

test('SOCKET-5: at most 256 replies without an id wait for an earlier one', async () => {
  const { requests, posted, begun } = start();
  requests.add(bytes({ method: 'slow' }));
  for (let count = 0; count < 1_000; count += 1) requests.add(bytes({}));
  requests.add(bytes({ id: 'behind', method: 'getMe' }));
  await quiet();
  expect([begun.length, posted.length, requests.isBusy]).toEqual([1, 0, true]);
  begun[0]?.answer();
  while (begun.length < 2) await turnOfLoop();
  expect(posted).toHaveLength(1_001);
});

test('SOCKET-10: no request begins while too many replies are unsent', async () => {
  let mayReply = false;
  const { requests, begun } = start({ mayReply: () => mayReply });
  requests.add(bytes({ id: 1, method: 'getMe' }));
  await quiet();
  expect([begun.length, requests.isBusy]).toEqual([0, true]);
  mayReply = true;
  requests.resume();
  await quiet();
  expect([begun.length, requests.isBusy]).toEqual([1, false]);
});

test('SOCKET-10: the next request begins after a quick read has replied; a slow read delays no other request', async () => {
  const { requests, begun } = start({ isRead: () => true });
  for (const id of [1, 2, 3]) requests.add(bytes({ id, method: 'getMe' }));
  expect(begun).toHaveLength(1);
  begun[0]?.answer();
  await Promise.resolve();
  while (begun.length < 3) await turnOfLoop();
  expect(begun).toHaveLength(3);
});

test('SOCKET-13: expensive requests are handled in slices, between which the event loop continues', async () => {
  let begun = 0;
  const spend = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end;);
  };
  const call = async () => {
    begun += 1;
    spend(2);
    return undefined;
  };
  const { requests, posted } = start({ call });
  for (let id = 0; id < 40; id += 1) requests.add(bytes({ id, method: 'getMe' }));
  const atOnce = begun;
  await turnOfLoop();
  expect(atOnce).toBeLessThan(10);
  expect(posted.length).toBeLessThan(40);
  while (posted.length < 40) await turnOfLoop();
});

test('SOCKET-12: a frame that is not JSON closes the socket with 1007; one with too many values gets an error reply', async () => {
  const { requests, posted, refused } = start();
  requests.add(Buffer.from(`{"id":1,"params":[${'[],'.repeat(60_000)}[]]}`));
  requests.add(Buffer.from('{"id":1'));
  await quiet();
  expect(posted).toMatchObject([{ ok: false, error: { code: 'invalid_argument' } }]);
  expect(refused).toEqual([1007]);
});

test('AUTH-15: after `end` no request begins, and requests in flight are still answered', async () => {
  const { requests, posted, begun } = start();
  requests.add(bytes({ id: 1, method: 'signOut' }));
  await quiet();
  requests.end();
  requests.add(bytes({ id: 2, method: 'sendMessage' }));
  begun[0]?.answer();
  await turnOfLoop();
  expect(begun).toHaveLength(1);
  expect(posted).toEqual([{ id: 1, ok: true }]);
});
