import { expect, test } from 'vitest';
import { moved, whole, zoomedAt } from './zoom.ts';

const stage = { width: 800, height: 600 };

test('zooming keeps what is under the pointer in its place', () => {
  const point = { x: 200, y: -100 };
  const zoom = zoomedAt(whole, 2, point, stage);
  expect(zoom).toEqual({ scale: 2, x: -200, y: 100 });
  // The place of the photo that was under the pointer still is.
  const placeUnder = ({ scale, x, y }: typeof zoom) => ({ x: (point.x - x) / scale, y: (point.y - y) / scale });
  expect(placeUnder(zoom)).toEqual(placeUnder(whole));
  expect(placeUnder(zoomedAt(zoom, 1.5, point, stage))).toEqual(placeUnder(whole));
});

test('the scale is between 1 and 8, and a photo is not moved off the stage', () => {
  expect(zoomedAt(whole, 100, { x: 0, y: 0 }, stage).scale).toBe(8);
  expect(zoomedAt({ scale: 2, x: 50, y: 50 }, 0.1, { x: 0, y: 0 }, stage)).toEqual(whole);
  expect(moved({ scale: 2, x: 0, y: 0 }, { x: 10_000, y: -10_000 }, stage)).toEqual({ scale: 2, x: 400, y: -300 });
  expect(moved(whole, { x: 10, y: 10 }, stage)).toEqual(whole);
});
