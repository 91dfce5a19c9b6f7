import { expect, test } from 'vitest';
import { drawingScale } from './drawing-scale.ts';

test.each([
  ['as many pixels as it has on the screen', { width: 600, height: 800 }, 1_200, 2],
  ['64 MiB', { width: 1_000, height: 1_000 }, 8_000, 4.096],
  ['8,192 pixels in height', { width: 10, height: 16_384 }, 1_000, 0.5],
  ['8,192 pixels in width', { width: 16_384, height: 10 }, 100_000, 0.5],
])('WEB-398: a page is drawn with at most %s', (_limit, size, pixels, scale) => {
  expect(drawingScale(size, pixels)).toBe(scale);
});
