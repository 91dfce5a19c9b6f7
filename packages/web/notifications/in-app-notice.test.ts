import type { Chat, StoredMessage } from '@parley/client/store';
import { expect, test } from 'vitest';
import { inAppNotice, SeenEnds } from './in-app-notice.ts';

const category = { enabled: true, preview: true, sound: true };
const account = {
  private_chats: category,
  group_chats: category,
  message_preview: true,
  badge: { enabled: true, include_groups: true, count_messages: true },
};
const device = { enabled: true, in_app: { sounds: true, vibrate: true, preview: true } };
const participant = (username: string) => ({
  username,
  kind: 'human' as const,
  display_name: username.toUpperCase(),
  role: 'member' as const,
});
// Only the fields that a notice depends on.
const chat = {
  id: 'c',
  kind: 'direct',
  title: null,
  is_muted: false,
  channels: [],
  participants: [participant('ann'), participant('bob')],
  participant_count: 2,
  people_count: 2,
} as unknown as Chat;
const group = { ...chat, kind: 'group', title: 'Plans' } as Chat;
const message = {
  id: 'm',
  content: '**hello** there',
  attachments: [],
  status: 'complete',
  sender: participant('bob'),
} as unknown as StoredMessage;
const inChannel = { ...message, channel_id: 'h' };
const arrival = {
  message,
  chat,
  openChatId: null,
  me: 'ann',
  isBlocked: false,
  prefs: { account, device },
  now: 0,
  nameOf: () => undefined,
};
const none = { toast: null, hasSound: false, vibrates: false };

test('WEB-64: a message in another conversation is shown, sounds and vibrates', () => {
  const all = { hasSound: true, vibrates: true };
  expect(inAppNotice(arrival)).toEqual({ ...all, toast: { title: 'BOB', text: 'hello there' } });
  expect(inAppNotice({ ...arrival, chat: group })).toEqual({
    ...all,
    toast: { title: 'Plans', text: 'BOB: hello there' },
  });
});

test.each([
  ['the open conversation', { openChatId: 'c' }],
  ['a muted conversation', { chat: { ...chat, is_muted: true } }],
  [
    'a muted channel',
    {
      chat: { ...chat, channels: [{ id: 'h', title: 'news', unread_count: 1, is_muted: true as const }] },
      message: inChannel,
    },
  ],
  ['a conversation muted for a while', { chat: { ...chat, is_muted: true, muted_until: '1970-01-02T00:00:00.000Z' } }],
  ['a blocked sender', { isBlocked: true }],
  ['oneself', { me: 'bob' }],
  ['a service notice', { message: { ...message, service: { kind: 'x' } } }],
  ['a streaming reply', { message: { ...message, status: 'streaming' as const } }],
  [
    'a category that is turned off',
    { prefs: { device, account: { ...account, private_chats: { ...category, enabled: false } } } },
  ],
])('WEB-64: nothing happens for %s', (_, change) => {
  expect(inAppNotice({ ...arrival, ...change })).toEqual(none);
});

test('WEB-64: an expired mute does not apply', () => {
  const ended = { ...chat, is_muted: true, muted_until: '1970-01-01T00:00:01.000Z' };
  expect(inAppNotice({ ...arrival, chat: ended, now: 2_000 }).hasSound).toBe(true);
});

test('WEB-64: each switch turns off its own part', () => {
  const off = (change: object, categoryChange: object = {}, accountChange: object = {}) =>
    inAppNotice({
      ...arrival,
      prefs: {
        device: { ...device, in_app: { ...device.in_app, ...change } },
        account: { ...account, private_chats: { ...category, ...categoryChange }, ...accountChange },
      },
    });
  expect(off({ sounds: false })).toMatchObject({ hasSound: false, vibrates: true, toast: {} });
  expect(off({}, { sound: false })).toMatchObject({ hasSound: false, vibrates: true, toast: {} });
  expect(off({ vibrate: false })).toMatchObject({ hasSound: true, vibrates: false, toast: {} });
  expect(off({ preview: false })).toEqual({ hasSound: true, vibrates: true, toast: null });
  expect(off({}, { preview: false }).toast).toEqual({ title: 'BOB', text: 'New message' });
  expect(off({}, {}, { message_preview: false }).toast).toEqual({ title: 'BOB', text: 'New message' });
});

test('WEB-64: a reply that is continued ends again without a notice', () => {
  const ends = new SeenEnds();
  expect(['a', 'b', 'a'].map((id) => ends.add(id))).toEqual([true, true, false]);
  for (let other = 0; other < 1_000; other += 1) ends.add(`other ${other}`);
  expect(ends.add('a')).toBe(true);
});
