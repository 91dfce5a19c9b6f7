import { settled } from '@parley/testing/sdk/fake-service.ts';
import { conversation, message, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';
import type { Store } from './store.ts';

test('SDK-29: messages that arrive in an attended timeline are not counted as unread, all others are', async () => {
  const { store, frame } = await showing([message('m1', 1)]);
  const counts: number[] = [];
  store.unreadTotal.subscribe(() => counts.push(store.unreadTotal.get()));
  const unread = () => [store.chat('chat').get()?.unread_count, store.unreadTotal.get()];
  // Two components of one page attend the timeline.
  const ends = [store.attend({ chat_id: 'chat' }), store.attend({ chat_id: 'chat' })];
  frame('messageNew', message('m2', 2));
  ends[0]?.();
  ends[0]?.();
  frame('messageNew', message('m3', 3));
  expect([unread(), counts]).toEqual([[0, 0], []]);
  frame('messageNew', message('m4', 4, { thread_root_id: 'm1' }));
  expect(unread()).toEqual([1, 1]);
  ends[1]?.();
  frame('messageNew', message('m5', 5));
  expect(unread()).toEqual([2, 2]);
});

test('SDK-29: counts from the service that include messages just read are corrected', async () => {
  const { service, store, frame, socket } = await showing([message('m1', 1)]);
  const unread = () => store.chat('chat').get()?.unread_count;
  const end = store.attend({ chat_id: 'chat' });
  frame('messageNew', message('m2', 2));
  frame('messageNew', message('m3', 3));
  frame('messageNew', message('m4', 4, { thread_root_id: 'm1' }));
  // The service counted with the marker at m2: m3 and m4 are above it.
  const marker = { last_read_position: 2, last_read_message_id: 'm2', unread_count: 2 };
  frame('conversationUpdated', { conversation_id: 'chat', ...marker });
  expect(unread()).toBe(1);
  const counted = { ...conversation(message('m4', 4, { thread_root_id: 'm1' })), ...marker };
  store.putChat(counted as unknown as Parameters<Store['putChat']>[0]); // has the fields that matter here
  expect(unread()).toBe(1);
  // Messages not marked as read when attention ends count as unread again.
  end();
  await service.clock.advance(200);
  socket.answer('getChat', counted);
  await settled();
  expect(unread()).toBe(2);
});
