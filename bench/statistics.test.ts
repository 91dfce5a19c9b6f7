import { expect, test } from 'vitest';
import { difference, largest, median, percentile, ratio } from './statistics.ts';

test('the median of rounds is the middle one, or the mean of the middle two', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(median([])).toBeUndefined();
});

test('a percentile is one of the measured values', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile(hundred, 1)).toBe(100);
  expect(percentile([7], 0.5)).toBe(7);
  expect(percentile([], 0.99)).toBeUndefined();
});

test('values that were not measured stay undefined', () => {
  expect(ratio(6, 2)).toBe(3);
  expect(ratio(undefined, 2)).toBeUndefined();
  expect(ratio(1, 0)).toBeUndefined();
  expect(difference(5, 2)).toBe(3);
  expect(largest([1, undefined, 3])).toBe(3);
  expect(largest([])).toBeUndefined();
});
