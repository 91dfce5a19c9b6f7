import type { InboxItem } from '@parley/protocol';
import { describe, expect, test } from 'vitest';
import { newsOf, openRowOf, placeOfRow, rowIdOf, rowsOf } from './list-rows.ts';

const item = (channel_id: string | null, thread_root_id: string | null, message_id: string): InboxItem => ({
  message_id,
  position: 1,
  conversation_id: 'g',
  channel_id,
  thread_root_id,
  reason: 'thread',
  sender: { username: 'bob', kind: 'human', display_name: 'Bob' },
  snippet: 'hello',
  is_unread: true,
  created_at: '2026-01-01T00:00:00.000Z',
});

describe('rows of the list of conversations', () => {
  test('a row’s id and its place are each other’s inverse', () => {
    for (const place of [
      { channelId: null, threadRootId: null },
      { channelId: 'c', threadRootId: null },
      { channelId: null, threadRootId: 't' },
      { channelId: 'c', threadRootId: 't' },
    ])
      expect(placeOfRow(rowIdOf('g', place))).toEqual({ chatId: 'g', ...place });
    expect(rowIdOf('g', { channelId: null, threadRootId: null })).toBe('g');
  });

  test('below a group are its threads with news, and each channel with its own', () => {
    const items = [item('two', 't2', 'm1'), item(null, 't0', 'm2'), item('one', null, 'm3'), item('two', 't2', 'm4')];
    const channels = [
      { id: 'one', title: 'one', unread_count: 0 },
      { id: 'two', title: 'two', unread_count: 0 },
    ];
    const unfoldedOf = (id: string) => (id === 'g' ? { id, channels } : undefined);
    const rows = rowsOf({ ids: ['a', 'g', 'b'], unfoldedOf, items });
    expect(rows).toEqual(['a', 'g', 'g||t0', 'g|one|', 'g|two|', 'g|two|t2', 'b']);
    expect(newsOf(items, 'g|two|t2').map(({ message_id }) => message_id)).toEqual(['m1', 'm4']);
  });

  test('what is open is marked at its own row, otherwise at its channel’s, otherwise at its group’s', () => {
    const place = { channelId: 'c', threadRootId: 't' };
    expect(openRowOf(['g', 'g|c|', 'g|c|t'], 'g', place)).toBe('g|c|t');
    expect(openRowOf(['g', 'g|c|'], 'g', place)).toBe('g|c|');
    expect(openRowOf(['g'], 'g', place)).toBe('g');
  });
});
