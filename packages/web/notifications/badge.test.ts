import { describe, expect, it } from 'vitest';
import { badgeOf } from './badge.ts';

const chat = (kind: 'direct' | 'group', unread_count: number, is_muted = false) => ({
  kind,
  unread_count,
  is_muted,
  channels: [],
});
const chats = [chat('direct', 3), chat('direct', 0), chat('group', 5), chat('group', 2, true)];
const all = { enabled: true, include_groups: true, count_messages: true };

describe("the badge on the app's icon", () => {
  it('counts unread messages or conversations, with or without groups', () => {
    expect(badgeOf(chats, all)).toBe(8);
    expect(badgeOf(chats, { ...all, count_messages: false })).toBe(2);
    expect(badgeOf(chats, { ...all, include_groups: false })).toBe(3);
    expect(badgeOf(chats, { ...all, enabled: false })).toBe(0);
  });
  it('leaves out what is unread in muted channels', () => {
    const channel = { id: 'one', title: 'news', unread_count: 4 };
    const group = (muted: object) => [{ ...chat('group', 5), channels: [{ ...channel, ...muted }] }];
    expect(badgeOf(group({}), all)).toBe(5);
    expect(badgeOf(group({ is_muted: true }), all)).toBe(1);
    expect(badgeOf(group({ is_muted: true, muted_until: '2020-01-01T00:00:00.000Z' }), all)).toBe(5);
  });
});
