import { settled } from '@parley/testing/sdk/fake-service.ts';
import { message, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';

/** Maximum of the first and of the longest retry delay. */
const [FIRST_MS, LONGEST_MS] = [1_000, 30_000];
const history = [message('m1', 1), message('m2', 2), message('m3', 3)];
const markOf = (id: string) =>
  expect.objectContaining({ method: 'markRead', params: { chat_id: 'chat', message_id: id } });

test('SDK-26: a read marker lost with the connection is sent again after a reconnect', async () => {
  const { service, store } = await showing(history);
  const marked = store.markRead('chat', 'm2');
  service.socket.end(1006);
  await settled();
  await service.clock.advance(LONGEST_MS);
  const { socket } = service;
  expect(socket.sent).not.toContainEqual(markOf('m2'));
  // A later mark replaces the waiting one, an earlier one does not.
  const later = store.markRead('chat', 'm3');
  const earlier = store.markRead('chat', 'm1');
  await settled();
  socket.hello(0);
  await settled();
  expect(socket.sent.filter(({ method }) => method === 'markRead')).toEqual([markOf('m3')]);
  socket.answer('markRead', {});
  await Promise.all([marked, later, earlier]);
  await service.clock.advance(LONGEST_MS);
  expect(service.socket.sent).not.toContainEqual(expect.objectContaining({ method: 'markRead' }));
});

test('SDK-26: a read marker that the service cannot store is sent again after a delay', async () => {
  const { service, socket, store } = await showing(history);
  const marked = store.markRead('chat', 'm3');
  await settled();
  socket.refuse('markRead', 'unavailable');
  await settled();
  expect(socket.sent).not.toContainEqual(markOf('m3'));
  await service.clock.advance(FIRST_MS);
  socket.refuse('markRead', 'rate_limited', { retry_after: 40 });
  await settled();
  await service.clock.advance(39_999);
  expect(socket.sent).not.toContainEqual(markOf('m3'));
  await service.clock.advance(1);
  socket.answer('markRead', {});
  await marked;
});

test('SDK-26: a refused read marker is not sent again, but a later one is', async () => {
  const { socket, store } = await showing(history);
  const refused = store.markRead('chat', 'm2');
  await settled();
  socket.refuse('markRead', 'not_found');
  await expect(refused).rejects.toMatchObject({ code: 'not_found' });
  const first = store.markRead('chat', 'm2');
  await settled();
  const second = store.markRead('chat', 'm3');
  socket.refuse('markRead', 'not_found');
  await expect(first).rejects.toMatchObject({ code: 'not_found' });
  await settled();
  socket.answer('markRead', {});
  await second;
  expect(socket.sent).not.toContainEqual(expect.objectContaining({ method: 'markRead' }));
});
