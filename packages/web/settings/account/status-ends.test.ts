import { expect, test } from 'vitest';
import { endTime } from './status-ends.ts';

const at = (text: string) => new Date(`2026-11-${text}`);

test('a status ends after a time, with the day, or with the week of the user’s language', () => {
  // A Thursday.
  const now = at('26T12:34:56');
  expect(endTime('never', now)).toBeNull();
  expect(endTime('half_hour', now)).toBe(at('26T13:04:56').getTime());
  expect(endTime('hour', now)).toBe(at('26T13:34:56').getTime());
  expect(endTime('today', now)).toBe(at('27T00:00').getTime());
  expect(endTime('week', now)).toBe(at('30T00:00').getTime());
  expect(endTime('week', now, 7)).toBe(at('29T00:00').getTime());
  expect(endTime('week', now, 6)).toBe(at('28T00:00').getTime());
  // On the first day of a week, a whole week.
  expect(endTime('week', at('23T00:00'))).toBe(at('30T00:00').getTime());
  expect(endTime('week', at('22T23:59'))).toBe(at('23T00:00').getTime());
});
