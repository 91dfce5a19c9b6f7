import { type Chat, type ChatList, isInFolder } from '@parley/client/store';
import type { Folder, FolderRule } from '@parley/protocol';
import { expect, test } from 'vitest';
import { type ListFilter, pinsAfterMove, shownIds } from './shown-chats.ts';

const person = (username: string, kind: 'human' | 'agent') => ({
  username,
  kind,
  display_name: username,
  role: 'member',
});
const chats: Record<string, object> = {
  direct: { id: 'direct', kind: 'direct', participants: [person('me', 'human'), person('bob', 'human')] },
  agent: {
    id: 'agent',
    kind: 'direct',
    participants: [person('me', 'human'), person('bot', 'agent')],
    folder_id: 'work',
  },
  group: { id: 'group', kind: 'group', participants: [], folder_id: 'work' },
  old: { id: 'old', kind: 'group', participants: [], is_muted: true },
  gone: { kind: 'group', participants: [], folder_id: 'work' },
};
const list: ChatList = {
  ids: ['direct', 'gone', 'agent', 'group', 'old'],
  pinned: ['old', 'agent'],
  archived: ['gone'],
  unread: ['gone', 'group'],
  byFolder: { work: ['gone', 'agent', 'group'] },
  unreadByFolder: {},
  isLoaded: true,
  hasMore: false,
};
const chatOf = (id: string) => chats[id] as Chat | undefined; // has the fields that matter here
const shown = (filter: ListFilter, openId: string | null = null) =>
  shownIds(list, { filter, me: 'me', openId, chatOf });

test('pinned conversations are first in their order, archived ones only in the archive; each filter shows its own', () => {
  expect(shown('all')).toEqual(['old', 'agent', 'direct', 'group']);
  expect(shown('archived')).toEqual(['gone']);
  expect(shown('groups')).toEqual(['old', 'group']);
  expect(shown('agents')).toEqual(['agent']);
  expect(shown({ folderId: 'work' })).toEqual(['agent', 'group']);
  expect(shown({ folderId: 'home' })).toEqual([]);
});

test('CHATSTATE-13: a folder shows its chosen conversations, and those that its rule includes', () => {
  const ids = ['direct', 'agent', 'group', 'old'];
  const inFolder = (folder: Pick<Folder, 'id' | 'rule'>) =>
    ids.filter((id) => {
      const chat = chatOf(id);
      return chat && isInFolder({ ...chat, unread_count: id === 'group' ? 1 : 0 }, folder, 'me');
    });
  const byRule = (rule: FolderRule) => inFolder({ id: 'home', rule });
  expect(byRule({ kinds: ['people'] })).toEqual(['direct']);
  expect(byRule({ kinds: ['agents', 'groups'] })).toEqual(['agent', 'group', 'old']);
  expect(byRule({ kinds: ['groups'], left_out: ['old'] })).toEqual(['group']);
  expect(byRule({ kinds: ['groups'], without_muted: true })).toEqual(['group']);
  expect(byRule({ kinds: ['people', 'groups'], only_unread: true })).toEqual(['group']);
  expect(inFolder({ id: 'home' })).toEqual([]);
  // The chosen ones are shown whatever the rule says.
  const rule: FolderRule = { kinds: ['people'], only_unread: true, without_muted: true, left_out: ['agent'] };
  expect(inFolder({ id: 'work', rule })).toEqual(['agent', 'group']);
});

test('a folder of unread conversations keeps the open one while it is read, if it belongs there', () => {
  const folder: Folder = { id: 'new', name: 'New', rule: { kinds: ['people', 'groups'], only_unread: true } };
  const ids = (openId: string | null) =>
    shownIds(
      { ...list, byFolder: { new: ['gone', 'group'] } },
      { filter: { folderId: 'new' }, folder, me: 'me', openId, chatOf },
    );
  expect(ids(null)).toEqual(['group']);
  expect(ids('direct')).toEqual(['direct', 'group']);
  expect(ids('agent')).toEqual(['group']);
});

test('the unread filter keeps the open conversation, and leaves out archived ones', () => {
  expect(shown('unread')).toEqual(['group']);
  expect(shown('unread', 'direct')).toEqual(['direct', 'group']);
});

test('a pin moves to the place of another, but not beyond the ends, and nothing that is not pinned moves', () => {
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
