import { expect, test } from 'vitest';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { createSystemClock, pause } from './clock.ts';

test('a timer of the system clock runs, and a cancelled one does not', async () => {
  const clock = createSystemClock({ unref: false });
  const ran: string[] = [];
  const cancelled = clock.setTimer(() => ran.push('cancelled'), 0);
  cancelled.cancel();
  await new Promise<void>((resolve) => {
    clock.setTimer(() => {
      ran.push('run');
      resolve();
    }, 1);
  });
  cancelled.cancel();
  expect(ran).toEqual(['run']);
});

test('a timer beyond the platform’s longest timeout does not fire immediately', async () => {
  const clock = createSystemClock({ unref: true });
  let hasFired = false;
  const timer = clock.setTimer(() => (hasFired = true), 2 ** 31);
  await pause(clock, 5, new AbortController().signal);
  expect(hasFired).toBe(false);
  timer.cancel();
});

test('a pause ends after its time, or immediately when aborted', async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const over = pause(clock, 100, abort.signal);
  await clock.advance(100);
  await over;
  const broken = pause(clock, 100, abort.signal);
  const reason = new Error('enough');
  abort.abort(reason);
  await expect(broken).rejects.toBe(reason);
  await expect(pause(clock, 100, abort.signal)).rejects.toBe(reason);
  expect(clock.pendingTimers).toBe(0);
});
