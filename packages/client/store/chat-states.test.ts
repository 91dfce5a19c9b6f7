import { message, showing } from '@parley/testing/sdk/shown-store.ts';
import { settled } from '@parley/testing/sdk/fake-service.ts';
import { expect, test } from 'vitest';

const changed = (change: object) => ({ conversation_id: 'chat', ...change });

test('CHATSTATE-5: an archived conversation is in the archive until its last message is newer, or longer while it is muted', async () => {
  const { store, frame } = await showing([message('m1', 1)]);
  const isArchived = () => store.chats.get().archived.includes('chat');
  frame('conversationUpdated', changed({ archived_position: 1 }));
  expect(isArchived()).toBe(true);
  frame('conversationUpdated', changed({ is_muted: true }));
  frame('messageNew', message('m2', 2));
  expect(isArchived()).toBe(true);
  frame('conversationUpdated', changed({ is_muted: false }));
  expect(isArchived()).toBe(false);
  frame('conversationUpdated', changed({ archived_position: 2 }));
  expect(isArchived()).toBe(true);
  frame('conversationUpdated', changed({ archived_position: null }));
  expect(isArchived()).toBe(false);
  expect(store.chat('chat').get()).not.toHaveProperty('archived_position');
});

test('CHATSTATE-5: unread messages of a conversation in the archive are not in the total', async () => {
  const { store, frame } = await showing([message('m1', 1)]);
  frame('conversationUpdated', changed({ unread_count: 1, archived_position: 1 }));
  expect(store.unreadTotal.get()).toBe(0);
  frame('conversationUpdated', changed({ archived_position: null }));
  expect(store.unreadTotal.get()).toBe(1);
});

test('CHATSTATE-6: a conversation that is marked as unread is among the unread ones and counts no message', async () => {
  const { store, frame } = await showing([message('m1', 1)]);
  expect(store.chats.get().unread).toEqual([]);
  frame('conversationUpdated', changed({ is_marked_unread: true }));
  expect(store.chats.get().unread).toEqual(['chat']);
  expect([store.unreadTotal.get(), store.chat('chat').get()?.unread_count]).toEqual([0, 0]);
  frame('conversationUpdated', changed({ is_marked_unread: false }));
  expect(store.chats.get().unread).toEqual([]);
});

test('CHATSTATE-7: conversations of a folder that is no longer listed are in no folder', async () => {
  const { store, frame } = await showing([message('m1', 1)]);
  frame('foldersUpdated', { folders: [{ id: 'work', name: 'Work' }] });
  frame('conversationUpdated', changed({ folder_id: 'work' }));
  expect(store.folders.get()).toEqual([{ id: 'work', name: 'Work' }]);
  expect(store.chats.get().byFolder).toEqual({ work: ['chat'] });
  frame('foldersUpdated', { folders: [] });
  expect(store.chats.get().byFolder).toEqual({});
  expect(store.chat('chat').get()).not.toHaveProperty('folder_id');
});

test('CHATSTATE-13: a folder lists the conversations that its rule includes, live, and counts the unread ones', async () => {
  const { store, frame } = await showing([message('m1', 1)]);
  const inHome = () => [store.chats.get().byFolder['home'] ?? [], store.chats.get().unreadByFolder['home'] ?? 0];
  const follow = (rule: object) => frame('foldersUpdated', { folders: [{ id: 'home', name: 'Home', rule }] });
  follow({ kinds: ['groups'] });
  expect(inHome()).toEqual([[], 0]);
  follow({ kinds: ['people'] });
  expect(inHome()).toEqual([['chat'], 0]);
  frame('conversationUpdated', changed({ unread_count: 2 }));
  expect(inHome()).toEqual([['chat'], 1]);
  frame('conversationUpdated', changed({ is_muted: true }));
  expect(inHome()).toEqual([['chat'], 0]);
  follow({ kinds: ['people'], only_unread: true, without_muted: true });
  expect(inHome()).toEqual([[], 0]);
  frame('conversationUpdated', changed({ is_muted: false }));
  expect(inHome()).toEqual([['chat'], 1]);
  frame('conversationUpdated', changed({ unread_count: 0 }));
  expect(inHome()).toEqual([[], 0]);
  follow({ kinds: ['people'], left_out: ['chat'] });
  expect(inHome()).toEqual([[], 0]);
  // Archived conversations are in no folder.
  follow({ kinds: ['people'] });
  frame('conversationUpdated', changed({ archived_position: 9 }));
  expect(inHome()).toEqual([[], 0]);
  // A message that came after it was archived brings it back.
  frame('conversationUpdated', changed({ archived_position: 0 }));
  expect(inHome()).toEqual([['chat'], 0]);
  follow({ kinds: ['people'], left_out: ['chat'] });
  // The answer to setFolders comes before the event.
  store.putFolders([{ id: 'home', name: 'Home', rule: { kinds: ['people'] } }]);
  expect(inHome()).toEqual([['chat'], 0]);
});

test('CHATSTATE-9: a cleared conversation has no messages up to its position, whatever events about them follow', async () => {
  const { store, timeline, frame } = await showing([message('m1', 1)]);
  frame('messageNew', message('m2', 2, { status: 'streaming', content: 'so' }));
  frame('conversationUpdated', changed({ cleared_position: 2, unread_count: 0 }));
  const state = () => [timeline.get().ids, store.chat('chat').get()?.last_message_id, timeline.get().hasOlder];
  expect(state()).toEqual([[], null, false]);
  frame('messageDelta', { id: 'm2', delta: ' far', offset: 6, content_revision: 2 });
  frame('messageComplete', message('m2', 2, { content: 'so far', content_revision: 3 }));
  expect(state()).toEqual([[], null, false]);
  expect(store.message('m2').get()).toBeUndefined();
  frame('messageNew', message('m3', 3));
  expect(state()).toEqual([['m3'], 'm3', false]);
});

test('CHATSTATE-9: a window that begins after the cleared messages still has the older ones between', async () => {
  const { timeline, frame } = await showing([message('m8', 8), message('m9', 9)], {}, { next_cursor: 'older' });
  const state = () => [timeline.get().ids, timeline.get().hasOlder];
  expect(state()).toEqual([['m8', 'm9'], true]);
  frame('conversationUpdated', changed({ cleared_position: 5 }));
  expect(state()).toEqual([['m8', 'm9'], true]);
  frame('conversationUpdated', changed({ cleared_position: 8 }));
  expect(state()).toEqual([['m9'], false]);
});

test('CHATSTATE-3: orderPinned shows the new order immediately, and the old one again if the service refuses it', async () => {
  const { service, socket, store, frame } = await showing([message('m1', 1)]);
  const { last_message_id: _last, ...chat } = store.chat('chat').get() ?? expect.fail('it is shown');
  const answers = [
    { ...chat, pin_order: 1, last_message: message('m1', 1) },
    { ...chat, id: 'other', pin_order: 2, last_message: null },
  ];
  for (const answer of answers) store.putChat(answer as unknown as Parameters<typeof store.putChat>[0]); // has the fields that matter here
  expect(store.chats.get().pinned).toEqual(['other', 'chat']);
  const ordered = store.orderPinned(['chat']);
  expect(store.chats.get().pinned).toEqual(['chat', 'other']);
  socket.refuse('orderPinnedChats', 'invalid_argument');
  await expect(ordered).rejects.toThrow('invalid_argument');
  await service.clock.advance(200);
  for (const answer of answers) {
    socket.answer('getChat', answer);
    await settled();
  }
  expect(store.chats.get().pinned).toEqual(['other', 'chat']);
  frame('conversationUpdated', changed({ pin_order: null }));
  expect(store.chats.get().pinned).toEqual(['other']);
});
