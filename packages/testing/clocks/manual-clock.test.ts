import { expect, test } from 'vitest';
import { pause } from '@parley/server/core/clock.ts';
import { ManualClock } from './manual-clock.ts';

test('timers fire in the order of their times, at their own time, including timers set on the way', async () => {
  const clock = new ManualClock(0);
  const fired: [string, number][] = [];
  const note = (name: string) => (): void => void fired.push([name, clock.now()]);
  clock.setTimer(note('late'), 30);
  clock.setTimer(() => {
    note('early')();
    clock.setTimer(note('nested'), 5);
  }, 10);
  clock.setTimer(note('cancelled'), 12).cancel();
  clock.setTimer(note('beyond'), 41);
  await clock.advance(40);
  expect(fired).toEqual([
    ['early', 10],
    ['nested', 15],
    ['late', 30],
  ]);
  expect(clock.now()).toBe(40);
  expect(clock.pendingTimers).toBe(1);
});

test('code that awaits a timer continues before the next timer fires', async () => {
  const clock = new ManualClock(0);
  const seen: number[] = [];
  const signal = new AbortController().signal;
  const walking = (async () => {
    for (let step = 0; step < 3; step += 1) {
      await pause(clock, 10, signal);
      seen.push(clock.now());
    }
  })();
  await clock.advance(100);
  await walking;
  expect(seen).toEqual([10, 20, 30]);
});

test('timerSet waits until the code under test has set its timer', async () => {
  const clock = new ManualClock(0);
  const set = clock.timerSet(500);
  setImmediate(() => clock.setTimer(() => {}, 500));
  await set;
  expect(clock.pendingTimers).toBe(1);
});

test('a timer that becomes due while the clock sleeps fires once, at the end', async () => {
  const clock = new ManualClock();
  const begin = clock.now();
  const fired: number[] = [];
  const again = (): void => {
    fired.push(clock.now() - begin);
    clock.setTimer(again, 1_000);
  };
  clock.setTimer(again, 1_000);
  await clock.sleep(60_000);
  expect(fired).toEqual([60_000]);
  await clock.advance(1_000);
  expect(fired).toEqual([60_000, 61_000]);
});
