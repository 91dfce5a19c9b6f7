import { ApiError } from '@parley/client';
import { settled } from '@parley/testing/sdk/fake-service.ts';
import { message, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';

const item = (id: string, position: number, more: object = {}) => ({
  message_id: id,
  position,
  conversation_id: 'chat',
  channel_id: null,
  thread_root_id: null,
  reason: 'mention',
  sender: { username: 'bob', kind: 'human', display_name: 'Bob' },
  snippet: id,
  is_unread: true,
  created_at: '2026-01-01T00:00:00.000Z',
  ...more,
});

/** A store whose inbox is shown. */
async function shownInbox(items: object[], more: object = {}) {
  const shown = await showing([message('m1', 1)]);
  const { service, store, socket } = shown;
  const answer = (now: object[], rest: object = {}) =>
    socket.answer('getInbox', { items: now, unread_count: now.length, ...rest });
  store.inbox.subscribe(() => {});
  await service.clock.advance(0);
  answer(items, more);
  await settled();
  const ids = () => store.inbox.get().items.map(({ message_id }) => message_id);
  return { ...shown, answer, ids };
}

test('INBOX-10: the inbox loads when it is shown, and again after events, at most once a second', async () => {
  const { service, frame, answer, ids, socket, store } = await shownInbox([item('m2', 2)]);
  expect(store.inbox.get()).toMatchObject({ unreadCount: 1, isLoaded: true, hasMore: false });
  for (let at = 0; at < 5; at += 1) frame('inboxUpdated', {});
  await service.clock.advance(900);
  const waiting = () => socket.sent.filter(({ method }) => method === 'getInbox').length;
  expect(waiting()).toBe(0);
  await service.clock.advance(200);
  expect(waiting()).toBe(1);
  answer([item('m3', 3), item('m2', 2)]);
  await settled();
  expect(ids()).toEqual(['m3', 'm2']);
});

test('INBOX-10: deletions, read markers and leaving change the inbox at once', async () => {
  const { frame, ids, store } = await shownInbox([item('m4', 4), item('m3', 3), item('m2', 2)]);
  frame('messageDeleted', { conversation_id: 'chat', ids: ['m3'] });
  expect(ids()).toEqual(['m4', 'm2']);
  frame('conversationUpdated', { conversation_id: 'chat', last_read_position: 2, unread_count: 1 });
  expect(store.inbox.get()).toMatchObject({ unreadCount: 1, items: [{ is_unread: true }, { is_unread: false }] });
  frame('conversationRemoved', { conversation_id: 'chat' });
  expect(store.inbox.get()).toMatchObject({ unreadCount: 0, items: [] });
});

test('INBOX-10: a done item disappears at once, and returns if the service refuses', async () => {
  const { service, ids, answer, store, socket } = await shownInbox([item('m3', 3), item('m2', 2)]);
  const done = store.setInboxDone(['m3']);
  expect(ids()).toEqual(['m2']);
  expect(store.inbox.get().unreadCount).toBe(1);
  socket.refuse('setInboxDone', 'unavailable');
  await expect(done).rejects.toBeInstanceOf(ApiError);
  await service.clock.advance(1_100);
  answer([item('m3', 3), item('m2', 2)]);
  await settled();
  expect(ids()).toEqual(['m3', 'm2']);
});

test('INBOX-10: all items are done up to the newest one that was shown', async () => {
  const { ids, store, socket } = await shownInbox([item('m3', 3), item('m2', 2)], { next_cursor: 'older' });
  const done = store.setAllInboxDone();
  expect(ids()).toEqual([]);
  expect(socket.sent.at(-1)).toMatchObject({ method: 'setInboxDone', params: { through_position: 3 } });
  socket.answer('setInboxDone', null);
  await done;
});

test('INBOX-10: pages that are shown are loaded again together', async () => {
  const { service, frame, answer, ids, store } = await shownInbox([item('m3', 3)], { next_cursor: 'two' });
  const more = store.loadMoreInbox();
  answer([item('m2', 2)]);
  await more;
  expect(ids()).toEqual(['m3', 'm2']);
  frame('inboxUpdated', {});
  await service.clock.advance(1_100);
  answer([item('m4', 4)], { next_cursor: 'two' });
  await settled();
  answer([item('m3', 3)]);
  await settled();
  expect(ids()).toEqual(['m4', 'm3']);
  expect(store.inbox.get().hasMore).toBe(false);
});
