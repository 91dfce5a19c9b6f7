import { expect, test } from 'vitest';
import { fileSize } from './file-size.ts';

test.each([
  [1, '1 byte'],
  [5, '5 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [12_345, '12 kB'],
  [3_400_000, '3.4 MB'],
  [25_000_000, '25 MB'],
])('a file of %j bytes is shown as %j', (bytes, size) => {
  expect(fileSize(bytes)).toBe(size);
});
