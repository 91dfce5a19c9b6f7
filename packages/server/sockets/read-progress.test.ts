import { expect, test } from 'vitest';
import { ReadProgress } from './read-progress.ts';

const KiB = 1024;
const pong = (bytes: number | string): Buffer => Buffer.from(String(bytes));

test('SOCKET-9: bytes are unread until the reader answers a ping sent after them', () => {
  const progress = new ReadProgress();
  progress.sent(100);
  const first = progress.pinged(1_000);
  progress.sent(50);
  expect([first, progress.unreadBytes]).toEqual(['100', 150]);
  progress.answered(pong(first), 1_010);
  expect(progress.unreadBytes).toBe(50);
});

test('SOCKET-9: bytes are counted since the newest ping, whether it is answered or not', () => {
  const progress = new ReadProgress();
  progress.sent(128 * KiB);
  expect(progress.bytesSincePing).toBe(128 * KiB);
  progress.pinged(1);
  progress.sent(1);
  expect([progress.bytesSincePing, progress.unreadBytes]).toEqual([1, 128 * KiB + 1]);
});

test('SOCKET-9: a reader is silent 100 ms after the oldest unanswered ping; each answer that confirms more resets it', () => {
  const progress = new ReadProgress();
  progress.sent(10);
  const first = progress.pinged(1_000);
  progress.sent(10);
  const second = progress.pinged(1_050);
  expect([progress.isSilent(1_100), progress.isSilent(1_101)]).toEqual([false, true]);
  progress.answered(pong(first), 1_200);
  expect([progress.isSilent(1_300), progress.isSilent(1_301)]).toEqual([false, true]);
  progress.answered(pong(second), 1_400);
  expect([progress.isSilent(9_999), progress.unreadBytes]).toEqual([false, 0]);
});

test('SOCKET-9: a pong that repeats, that names more than was sent, or that is no number confirms nothing', () => {
  const progress = new ReadProgress();
  progress.sent(10);
  progress.pinged(1_000);
  for (const payload of [0, 11, 'ten', '']) progress.answered(pong(payload), 1_050);
  expect([progress.unreadBytes, progress.isSilent(1_101)]).toEqual([10, true]);
});
