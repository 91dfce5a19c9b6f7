import type { NotifPrefs } from '@parley/protocol';
import { describe, expect, test } from 'vitest';
import { badgeCounts, pushFor, type PushSituation } from './push-delivery.ts';
import { english } from './push-words.ts';

const category = (enabled = true, preview = true, sound = true) => ({ enabled, preview, sound });
const prefs: NotifPrefs = {
  private_chats: category(),
  group_chats: category(),
  message_preview: true,
  badge: { enabled: true, include_groups: true, count_messages: true },
};
const device = (enabled: boolean) => ({ enabled, in_app: { sounds: false, vibrate: false, preview: false } });

/** A direct chat in which everything is enabled, except for the given changes. */
function situation(
  recipient: Partial<PushSituation['recipient']> = {},
  chat: Partial<PushSituation['chat']> = {},
  message: Partial<PushSituation['message']> = {},
): PushSituation {
  return {
    recipient: {
      isLive: false,
      isSender: false,
      isMuted: false,
      prefs,
      device: device(true),
      ...recipient,
    },
    chat: { kind: 'direct', title: null, ...chat },
    words: english,
    message: { senderName: 'Alice', text: 'hello', ...message },
  };
}
const group = { kind: 'group', title: 'the group' } as const;

const booleans = [true, false];
const table = booleans.flatMap((isLive) =>
  booleans.flatMap((isSender) =>
    booleans.flatMap((enabled) =>
      booleans.flatMap((isMuted) =>
        [true, false, null].flatMap((deviceOn) =>
          (['direct', 'group'] as const).map((kind) => ({ isLive, isSender, enabled, isMuted, deviceOn, kind })),
        ),
      ),
    ),
  ),
);

test('PUSH-1: the table has every combination, and four of them lead to a push', () => {
  expect(table).toHaveLength(96);
  expect(table.filter(isPushed)).toHaveLength(4);
});

/** A device without settings counts as enabled. */
function isPushed({ isLive, isSender, enabled, isMuted, deviceOn }: (typeof table)[number]): boolean {
  return !isLive && !isSender && enabled && !isMuted && deviceOn !== false;
}

test.each(table)(
  'PUSH-1: $kind, live $isLive, sender $isSender, category enabled $enabled, muted $isMuted, device $deviceOn',
  (row) => {
    const { isLive, isSender, enabled, isMuted, deviceOn, kind } = row;
    const own = kind === 'direct' ? 'private_chats' : 'group_chats';
    const other = kind === 'direct' ? 'group_chats' : 'private_chats';
    const chat = kind === 'direct' ? {} : group;
    const recipient = { isLive, isSender, isMuted, device: deviceOn === null ? null : device(deviceOn) };
    // The setting of the other category has no effect.
    for (const otherOn of booleans) {
      const given = { ...prefs, [own]: category(enabled), [other]: category(otherOn) };
      expect(pushFor(situation({ ...recipient, prefs: given }, chat)) !== null).toBe(isPushed(row));
    }
  },
);

describe.each(['direct', 'group'] as const)('in a %s conversation', (kind) => {
  const chat = kind === 'direct' ? {} : group;
  const shown = kind === 'direct' ? 'hello' : 'Alice: hello';
  test.each([
    [true, true, shown],
    [true, false, english.message],
    [false, true, english.message],
    [false, false, english.message],
  ])('PUSH-2: message_preview %s and preview %s: %s', (messagePreview, preview, body) => {
    const own = kind === 'direct' ? 'private_chats' : 'group_chats';
    const given = { ...prefs, message_preview: messagePreview, [own]: category(true, preview) };
    expect(pushFor(situation({ prefs: given }, chat))?.body).toBe(body);
  });

  test('PUSH-6: the push has a sound if the category has one', () => {
    const own = kind === 'direct' ? 'private_chats' : 'group_chats';
    for (const sound of booleans) {
      const given = { ...prefs, [own]: category(true, true, sound) };
      expect(pushFor(situation({ prefs: given }, chat))?.sound).toBe(sound);
    }
  });
});

test.each<[PushSituation['chat'], title: string, body: string]>([
  [{ kind: 'direct', title: null }, 'Alice', 'hello'],
  [{ kind: 'group', title: 'the group' }, 'the group', 'Alice: hello'],
  [{ kind: 'group', title: null }, 'Alice', 'Alice: hello'],
])('PUSH-3: the push of %j has the title %s and the body %s', (chat, title, body) => {
  expect(pushFor(situation({}, chat))).toMatchObject({ title, body });
});

test('PUSH-3: a message without text is pushed with the generic body', () => {
  expect(pushFor(situation({}, {}, { text: '' }))?.body).toBe('New message');
  expect(pushFor(situation({}, group, { text: '' }))?.body).toBe('Alice: New message');
});

test.each([
  ['a body of 240 characters is whole', 'x'.repeat(240), 'x'.repeat(240)],
  ['a body of 241 characters is cut', 'x'.repeat(241), 'x'.repeat(240)],
  ['a character of two code units that fits is kept', `${'x'.repeat(238)}😀`, `${'x'.repeat(238)}😀`],
  ['a character of two code units that does not fit is left out', `${'x'.repeat(239)}😀`, 'x'.repeat(239)],
  ['a body of such characters is cut between two of them', '😀'.repeat(200), '😀'.repeat(120)],
])('PUSH-5: %s', (_title, text, body) => {
  expect(pushFor(situation({}, {}, { text }))?.body).toBe(body);
});

test('PUSH-5: the maximum length of a group’s body includes the sender’s name', () => {
  const body = pushFor(situation({}, group, { text: 'y'.repeat(300) }))?.body;
  expect(body).toBe(`Alice: ${'y'.repeat(233)}`);
});

test.each([
  [true, true, true, { what: 'messages', withGroups: true }],
  [true, true, false, { what: 'chats', withGroups: true }],
  [true, false, true, { what: 'messages', withGroups: false }],
  [true, false, false, { what: 'chats', withGroups: false }],
  [false, true, true, null],
  [false, false, false, null],
])(
  'PUSH-6: badge enabled %s, include_groups %s, count_messages %s',
  (enabled, include_groups, count_messages, counts) => {
    expect(badgeCounts({ enabled, include_groups, count_messages })).toEqual(counts);
  },
);
