import { ManualClock } from '@parley/testing';
import pino from 'pino';
import { expect, test } from 'vitest';
import { PushStore } from '../test/notifications/push-store.ts';
import { Settling } from './settling.ts';
import { Shown } from './shown.ts';

const [CHAT, ALICE, PHONE] = [1, 7, 1];
const push = (messageKey: number | null) => ({ tokenKey: PHONE, accountKey: ALICE, chatKey: CHAT, messageKey });

test('PUSH-22: a sent push counts as shown before that is stored, and it is stored together with the deletion of its row', async () => {
  using store = new PushStore();
  const clock = new ManualClock();
  const shown = new Shown(store.sql);
  const stored: unknown[] = [];
  let isRefused = true;
  const settling = new Settling(clock, pino({ level: 'silent' }), shown, async (input) => {
    if (isRefused) throw new Error('not now');
    stored.push([input.done, input.shown.map(({ messageKey }) => messageKey)]);
  });
  const message = { messageKey: 1, chatKey: CHAT, senderKey: 9, isLate: false };
  settling.need([message]);
  shown.note(push(1));
  settling.end([message]);
  expect([await shown.messageOf(PHONE, CHAT), await shown.messageOf(PHONE, 2)]).toEqual([1, null]);
  await clock.advance(1_000);
  // Records that the store refused are kept.
  expect([await shown.messageOf(PHONE, CHAT), stored]).toEqual([1, []]);
  isRefused = false;
  await clock.advance(1_000);
  expect([shown.isStored, stored]).toEqual([true, [[[1], [1]]]]);
  await settling.close();
  expect(clock.pendingTimers).toBe(0);
});

test('PUSH-22: a push recorded during a store operation does not count as stored', async () => {
  using store = new PushStore();
  const shown = new Shown(store.sql);
  shown.note(push(1));
  shown.noteBadge({ tokenKey: PHONE, badge: 1, asked: 0 });
  const first = shown.unstored(10);
  shown.note(push(null));
  shown.noteBadge({ tokenKey: PHONE, badge: 0, asked: 1 });
  shown.stored(first);
  expect([await shown.messageOf(PHONE, CHAT), shown.badgeOf(PHONE)]).toEqual([null, 0]);
  shown.stored(shown.unstored(10));
  expect(shown.isStored).toBe(true);
});

test('PUSH-23: a badge in flight while the account reads something is out of date, on every device', () => {
  using store = new PushStore();
  const shown = new Shown(store.sql);
  for (const token of [1, 2, 3]) shown.begin(token);
  shown.seenTo({ chatKey: CHAT, closed: { upTo: 1 }, tokenKeys: [1], otherKeys: [2] });
  expect([shown.end(1), shown.end(2), shown.end(3)]).toEqual([true, true, false]);
  shown.begin(1);
  expect(shown.end(1)).toBe(false);
});
