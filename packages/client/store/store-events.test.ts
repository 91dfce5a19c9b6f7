import { account, settled } from '@parley/testing/sdk/fake-service.ts';
import { conversation, message, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';
import type { Store } from './store.ts';

const activity = { ...message('reply', 0), preview: 'so far', status: undefined };

test('SDK-1: a reply out of focus is put where it belongs as soon as its place is known, however that comes', async () => {
  const { service, timeline, frame, socket, store } = await showing([message('m1', 1)]);
  frame('draftActivity', activity);
  frame('messageNew', message('m3', 3));
  expect(timeline.get().ids).toEqual(['m1', 'm3', 'reply']);
  expect(store.message('reply').get()).toMatchObject({ content: 'so far', is_preview: true });
  await service.clock.advance(200);
  const reply = message('reply', 2, { status: 'streaming', content: 'whole' });
  socket.answer('getMessages', { items: [reply] });
  await settled();
  expect(timeline.get().ids).toEqual(['m1', 'reply', 'm3']);
  expect(store.message('reply').get()).toMatchObject({ content: 'so far', is_preview: true, position: 2 });
  frame('messageComplete', message('reply', 2, { content: 'whole' }));
  expect(store.message('reply').get()).toMatchObject({ content: 'whole' });
  expect(store.message('reply').get()?.is_preview).toBeUndefined();
});

test('SDK-1: a reply out of focus is put where it belongs when its conversation tells its place', async () => {
  const { timeline, frame, store } = await showing([message('m1', 1)]);
  frame('draftActivity', activity);
  frame('messageNew', message('m3', 3));
  const reply = message('reply', 2, { status: 'streaming' });
  store.putChat(conversation(reply) as unknown as Parameters<Store['putChat']>[0]); // as far as it matters here
  expect(timeline.get().ids).toEqual(['m1', 'reply', 'm3']);
});

test('SDK-1: a reply out of focus that is known as a last message is shown in its window', async () => {
  const { store, timeline, frame } = await showing([message('m1', 1)]);
  const reply = message('reply', 2, { status: 'streaming' });
  store.putChat(conversation(reply) as unknown as Parameters<Store['putChat']>[0]); // as far as it matters here
  expect(timeline.get().ids).toEqual(['m1']);
  frame('draftActivity', activity);
  expect(timeline.get().ids).toEqual(['m1', 'reply']);
});

test('SDK-1: a reply out of focus that has ended is put where it belongs when its conversation tells it, and so are others', async () => {
  const { service, store, timeline, frame, socket } = await showing([message('m1', 1), message('m9', 9)]);
  for (const id of ['first', 'second']) frame('draftActivity', { ...activity, id });
  expect(timeline.get().ids).toEqual(['m1', 'm9', 'first', 'second']);
  store.putChat(conversation(message('first', 2)) as unknown as Parameters<Store['putChat']>[0]); // as above
  expect(timeline.get().ids).toEqual(['m1', 'first', 'm9', 'second']);
  await service.clock.advance(200);
  socket.answer('getMessages', { items: [message('first', 2), message('second', 3, { status: 'streaming' })] });
  await settled();
  expect(timeline.get().ids).toEqual(['m1', 'first', 'second', 'm9']);
});

test('SDK-1: what a thread has counted does not come back with an event that knows less', async () => {
  const { service, store, frame, socket } = await showing([message('root', 1)]);
  frame('messageNew', message('answer', 2, { thread_root_id: 'root' }));
  expect(store.thread('root').get()).toEqual({ count: 1, last_at: '2026-01-01T00:00:02.000Z' });
  frame('messageDeleted', { conversation_id: 'chat', ids: ['answer'] });
  await service.clock.advance(200);
  socket.answer('getMessages', { items: [message('root', 1)] });
  await settled();
  expect(store.thread('root').get()).toBeNull();
  frame('messageUpdated', message('root', 1, { thread: { count: 1, last_at: '2026-01-01T00:00:02.000Z' } }));
  expect(store.thread('root').get()).toBeNull();
});

test("EXT-3: in between a client counts for itself: what is new, another's and no notice, and less when it is deleted", async () => {
  const { store, frame } = await showing([message('m1', 1)]);
  const unread = () => store.chat('chat').get()?.unread_count;
  frame('messageNew', message('m2', 2));
  frame('messageNew', message('m3', 3, { sender: account('me') }));
  frame('messageNew', message('m4', 4, { service: { kind: 'joined' } }));
  frame('messageNew', message('m5', 5));
  expect([unread(), store.unreadTotal.get()]).toEqual([2, 2]);
  frame('messageDeleted', { conversation_id: 'chat', ids: ['m5'] });
  expect(unread()).toBe(1);
  frame('conversationUpdated', {
    conversation_id: 'chat',
    last_read_position: 2,
    last_read_message_id: 'm2',
    unread_count: 0,
  });
  expect([unread(), store.unreadTotal.get()]).toEqual([0, 0]);
});
