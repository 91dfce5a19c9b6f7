import { expect, test } from 'vitest';
import { lastSeen } from './last-seen.ts';

const now = Date.parse('2026-03-10T12:00:00.000Z');
const MINUTE = 60_000;

test.each([
  [0, 'last seen just now'],
  [-5, 'last seen just now'],
  [1, 'last seen 1 minute ago'],
  [59, 'last seen 59 minutes ago'],
  [60, 'last seen 1 hour ago'],
  [24 * 60 - 1, 'last seen 23 hours ago'],
  [24 * 60, 'last seen yesterday'],
  [6 * 24 * 60, 'last seen 6 days ago'],
  [8 * 24 * 60, 'last seen on Mar 2, 2026'],
])('%i minutes ago is "%s"', (minutes, words) => {
  expect(lastSeen(new Date(now - minutes * MINUTE).toISOString(), now)).toBe(words);
});
