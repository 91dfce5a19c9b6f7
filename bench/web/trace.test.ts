import { expect, test } from 'vitest';
import { mainThreadPerFrame } from './trace.ts';

const page = { pid: 1, tid: 2 };
const task = (ts: number, dur: number, on = page) => ({ name: 'RunTask', ph: 'X', ts, dur, ...on });
const frame = (ts: number) => ({ name: 'WebSocketReceive', ph: 'I', ts, ...page });

test('main-thread tasks are attributed to the frame before them', () => {
  const traceEvents = [
    task(0, 1_000),
    // Received within one task, rendered in two later ones.
    task(10_000, 2_000),
    frame(10_500),
    { ...task(13_000, 4_000), tdur: 1_000 },
    task(20_000, 500),
    task(15_000, 9_000, { pid: 1, tid: 3 }),
    task(50_000, 4_000),
    frame(51_000),
    task(90_000, 1_000),
    frame(90_100),
    task(95_000, 1_000),
  ];
  expect(mainThreadPerFrame(JSON.stringify({ traceEvents }))).toEqual([3.5, 4]);
});
