import type { Chat, ChatList } from '@parley/client/store';
import { expect, test } from 'vitest';
import { type ListFilter, pinsAfterMove, shownIds } from './shown-chats.ts';

const person = (username: string, kind: 'human' | 'agent') => ({
  username,
  kind,
  display_name: username,
  role: 'member',
});
const chats: Record<string, object> = {
  direct: { kind: 'direct', participants: [person('me', 'human'), person('bob', 'human')] },
  agent: { kind: 'direct', participants: [person('me', 'human'), person('bot', 'agent')], folder_id: 'work' },
  group: { kind: 'group', participants: [], folder_id: 'work' },
  old: { kind: 'group', participants: [] },
  gone: { kind: 'group', participants: [], folder_id: 'work' },
};
const list: ChatList = {
  ids: ['direct', 'gone', 'agent', 'group', 'old'],
  pinned: ['old', 'agent'],
  archived: ['gone'],
  unread: ['gone', 'group'],
  byFolder: {},
  isLoaded: true,
  hasMore: false,
};
const shown = (filter: ListFilter, openId: string | null = null) =>
  shownIds(list, { filter, me: 'me', openId, chatOf: (id) => chats[id] as Chat | undefined }); // has the fields that matter here

test('WEB-180: pinned conversations are first in their order, archived ones only in the archive; each filter shows its own', () => {
  expect(shown('all')).toEqual(['old', 'agent', 'direct', 'group']);
  expect(shown('archived')).toEqual(['gone']);
  expect(shown('groups')).toEqual(['old', 'group']);
  expect(shown('agents')).toEqual(['agent']);
  expect(shown({ folderId: 'work' })).toEqual(['agent', 'group']);
  expect(shown({ folderId: 'home' })).toEqual([]);
});

test('WEB-182: the unread filter keeps the open conversation, and leaves out archived ones', () => {
  expect(shown('unread')).toEqual(['group']);
  expect(shown('unread', 'direct')).toEqual(['direct', 'group']);
});

test('WEB-185: a pin moves to the place of another, but not beyond the ends, and nothing that is not pinned moves', () => {
  const pins = ['a', 'b', 'c'];
  expect(pinsAfterMove(pins, 'a', 2)).toEqual(['b', 'c', 'a']);
  expect(pinsAfterMove(pins, 'c', 0)).toEqual(['c', 'a', 'b']);
  for (const [id, to] of [
    ['a', -1],
    ['c', 3],
    ['b', 1],
    ['x', 0],
  ] as const)
    expect(pinsAfterMove(pins, id, to)).toBeNull();
});
