import { expect, test } from 'vitest';
import { fullTime, shortTime, timeOf } from './times.ts';

test('WEB-80: a time of day is the same in a message, in the list and in a tooltip', () => {
  const at = new Date(2026, 3, 5, 14, 5);
  const time = timeOf(at.toISOString());
  expect(shortTime(at.toISOString(), at)).toBe(time);
  expect(fullTime(at.toISOString())).toContain(time);
});
