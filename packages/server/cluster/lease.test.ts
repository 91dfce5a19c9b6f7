import { ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import { Lease } from './lease.ts';

function stage() {
  const clock = new ManualClock();
  return { clock, lease: new Lease({ clock, goneMs: 10_000, monotonic: () => clock.now() }) };
}

test('CLUSTER-39: a node is sure of itself for half the time after which it is given up', async () => {
  const { clock, lease } = stage();
  await clock.advance(4_999);
  expect([lease.isSure, await lease.sure()]).toEqual([true, true]);
  await clock.advance(1);
  expect([lease.isSure, lease.isOver]).toEqual([false, false]);
  await clock.advance(5_000);
  expect(lease.isOver).toBe(true);
  // What counts is when a sign of life went off, not when it is known that it came.
  lease.renew(clock.now() - 4_000);
  expect([lease.isSure, lease.ageMs]).toEqual([true, 4_000]);
});

test('CLUSTER-39: who is not sure waits for the next sign of life, not for ever', async () => {
  const { clock, lease } = stage();
  await clock.advance(6_000);
  const [first, second] = [lease.sure(), lease.sure()];
  await clock.advance(1_000);
  lease.renew(clock.now());
  expect(await Promise.all([first, second])).toEqual([true, true]);
  await clock.advance(6_000);
  const inVain = lease.sure();
  await clock.advance(2_500);
  expect(await inVain).toBe(false);
  expect(clock.pendingTimers).toBe(0);
});
