import { expect, test } from 'vitest';
import { fullTime, shortTime, timeOf } from './times.ts';

test('messages, the conversation list and tooltips format the time of day alike', () => {
  const at = new Date(2026, 3, 5, 14, 5);
  const time = timeOf(at.toISOString());
  expect(shortTime(at.toISOString(), at)).toBe(time);
  expect(fullTime(at.toISOString())).toContain(time);
});
