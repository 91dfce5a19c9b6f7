import { expect, test } from 'vitest';
import { stepLines, stepPoints, type Points, stepsOf } from './steps.ts';

test('a unit’s steps are the times between its points, up to the last write; units that lack a point do not count', () => {
  const points: Points = Object.fromEntries(stepPoints.map((point, at) => [point, [7, 100 + at * at]]));
  const steps = stepsOf({ ...points, sent: [7, 190, 7, 205, 7, 201], read: [7, 100, 8, 50] });
  expect(steps.map(({ p50 }) => p50)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 24, 105]);
  expect(steps.at(-1)?.name).toBe('in all (1 units)');
  expect(stepLines(steps).at(-1)).toMatch(/in all \(1 units\) +105.000 +105.000/);
});

test('without units the table says so', () => {
  expect(stepLines(stepsOf({})).at(-1)).toMatch(/in all \(0 units\) +n\/a +n\/a/);
});
