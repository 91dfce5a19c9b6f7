import { settled } from '@parley/testing/sdk/fake-service.ts';
import { message, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';

const history = [message('m3', 3), message('m4', 4), message('m6', 6)];

test('SDK-28: a jump to a missing message leaves the window unchanged, and paging still works', async () => {
  const { socket, store } = await showing(history);
  const timeline = store.timeline({ chat_id: 'chat' });
  const before = timeline.get();
  const jump = timeline.jumpTo('gone');
  await settled();
  socket.refuse('getChatHistory', 'not_found');
  expect(await jump).toBe(false);
  expect(timeline.get()).toEqual(before);
});

test('SDK-28: a jump to a deleted message lands after its position', async () => {
  const { socket, store } = await showing(history);
  const timeline = store.timeline({ chat_id: 'chat' });
  const jump = timeline.jumpTo('m5');
  await settled();
  socket.answer('getChatHistory', { items: history });
  expect(await jump).toBe(false);
  expect(timeline.get()).toMatchObject({ target: 'm6', error: null, loading: null });
  expect(await timeline.jumpTo('m4')).toBe(true);
  expect(timeline.get().target).toBe('m4');
});

test('SDK-28: in an empty window, a jump to a missing message opens the newest page', async () => {
  const { socket, store } = await showing(history);
  const thread = store.timeline({ chat_id: 'chat', thread_root_id: 'm3' });
  const jump = thread.jumpTo('gone');
  await settled();
  socket.refuse('getChatHistory', 'not_found');
  await settled();
  socket.answer('getChatHistory', { items: [message('a', 7, { thread_root_id: 'm3' })] });
  expect(await jump).toBe(false);
  expect(thread.get()).toMatchObject({ ids: ['a'], isLoaded: true, error: null });
});

test('SDK-28: a page whose load failed with the connection can be loaded after a reconnect', async () => {
  const { service, store, timeline } = await showing(history);
  const jump = store.timeline({ chat_id: 'chat' }).jumpTo('m1');
  await settled();
  service.socket.end(1006);
  expect(await jump).toBe(false);
  expect(timeline.get()).toMatchObject({ isLoaded: true, loading: null });
  expect(timeline.get().error).not.toBeNull();
  await service.clock.advance(30_000);
  service.socket.hello(0);
  await settled();
  expect(timeline.get().error).toBeNull();
});
