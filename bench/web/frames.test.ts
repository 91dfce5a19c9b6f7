import { expect, test } from 'vitest';
import { frameFigures } from './frames.ts';

const FRAME_MS = 1_000 / 60;

test('a gap of two frames counts as over 16.7 ms, a gap of three as over 33.4 ms too', () => {
  const gaps = [...Array.from({ length: 7 }, () => 1), 2, 2, 3];
  let frame = 0;
  // Rounded as a page does it.
  const times = [0, ...gaps.map((gap) => Math.round((frame += gap) * FRAME_MS * 10) / 10)];
  const figures = frameFigures(times);
  expect(figures).toMatchObject({ over16: 0.3, over33: 0.1, frames: 10 });
  expect(figures.p95Ms).toBeCloseTo(50, 0);
});
