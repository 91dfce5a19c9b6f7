import { settled } from '@parley/testing/sdk/fake-service.ts';
import { message, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';

/** The bounds of the first wait between two tries, and of the longest. */
const [FIRST_MS, LONGEST_MS] = [1_000, 30_000];
const history = [message('m1', 1), message('m2', 2), message('m3', 3)];
const markOf = (id: string) =>
  expect.objectContaining({ method: 'markRead', params: { chat_id: 'chat', message_id: id } });

test('SDK-26: a read marker that the connection took along is told again when there is one', async () => {
  const { service, store } = await showing(history);
  const told = store.markRead('chat', 'm2');
  service.socket.end(1006);
  await settled();
  await service.clock.advance(LONGEST_MS);
  const { socket } = service;
  expect(socket.sent).not.toContainEqual(markOf('m2'));
  // What is read meanwhile takes its place; what was read before it does not.
  const later = store.markRead('chat', 'm3');
  const earlier = store.markRead('chat', 'm1');
  await settled();
  socket.hello(0);
  await settled();
  expect(socket.sent.filter(({ method }) => method === 'markRead')).toEqual([markOf('m3')]);
  socket.answer('markRead', {});
  await Promise.all([told, later, earlier]);
  await service.clock.advance(LONGEST_MS);
  expect(service.socket.sent).not.toContainEqual(expect.objectContaining({ method: 'markRead' }));
});

test('SDK-26: a read marker that the service cannot take now is told again after a wait', async () => {
  const { service, socket, store } = await showing(history);
  const told = store.markRead('chat', 'm3');
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
  await told;
});

test('SDK-26: a read marker that is refused is not told again, but what was read since is', async () => {
  const { socket, store } = await showing(history);
  const refused = store.markRead('chat', 'm2');
  socket.refuse('markRead', 'not_found');
  await expect(refused).rejects.toMatchObject({ code: 'not_found' });
  const first = store.markRead('chat', 'm2');
  const second = store.markRead('chat', 'm3');
  socket.refuse('markRead', 'not_found');
  await settled();
  socket.answer('markRead', {});
  await Promise.all([first, second]);
  expect(socket.sent).not.toContainEqual(expect.objectContaining({ method: 'markRead' }));
});
