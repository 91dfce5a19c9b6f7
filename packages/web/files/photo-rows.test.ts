import { expect, test } from 'vitest';
import { photoRows } from './photo-rows.ts';

test.each([
  [2, [2]],
  [3, [3]],
  [4, [2, 2]],
  [5, [2, 3]],
  [6, [3, 3]],
  [7, [2, 2, 3]],
  [8, [2, 3, 3]],
  [9, [3, 3, 3]],
  [10, [2, 2, 3, 3]],
])('%i photos fill rows of %j', (count, rows) => {
  expect(photoRows(count)).toEqual(rows);
});
