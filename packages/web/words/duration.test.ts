import { expect, test } from 'vitest';
import { clockTime, duration } from './duration.ts';

test('a duration is written in its two largest units', () => {
  const expected = [
    [0, '1 s'],
    [1_400, '1 s'],
    [59_499, '59 s'],
    [59_500, '1 min'],
    [65_000, '1 min 5 s'],
    [3_600_000, '1 h'],
    [7_380_000, '2 h 3 min'],
    [86_399_000, '23 h 59 min'],
    [172_800_000, '2 d'],
    [180_000_000, '2 d 2 h'],
  ] as const;
  expect(expected.map(([ms]) => [ms, duration(ms)])).toEqual(expected);
});

test('a place in a sound is written as a clock would', () => {
  expect([0, 7.9, 65, 3_723].map(clockTime)).toEqual(['0:00', '0:07', '1:05', '1:02:03']);
});
