import { ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import { Lease } from './lease.ts';

function stage() {
  const clock = new ManualClock();
  return { clock, lease: new Lease({ clock, goneMs: 10_000, monotonic: () => clock.monotonic() }) };
}

test('CLUSTER-39: a node is sure of its membership for half of the time until other nodes give it up', async () => {
  const { clock, lease } = stage();
  await clock.advance(4_999);
  expect([lease.isSure, await lease.sure()]).toEqual([true, true]);
  await clock.advance(1);
  expect([lease.isSure, lease.isOver]).toEqual([false, false]);
  await clock.advance(5_000);
  expect(lease.isOver).toBe(true);
  // The time when a sign of life was sent counts, not the time when it was confirmed.
  lease.renew(clock.monotonic() - 4_000);
  expect([lease.isSure, lease.ageMs]).toEqual([true, 4_000]);
});

test('CLUSTER-39: a node that is not sure waits for its next sign of life, with a timeout', async () => {
  const { clock, lease } = stage();
  await clock.advance(6_000);
  const [first, second] = [lease.sure(), lease.sure()];
  await clock.advance(1_000);
  lease.renew(clock.monotonic());
  expect(await Promise.all([first, second])).toEqual([true, true]);
  await clock.advance(6_000);
  const inVain = lease.sure();
  await clock.advance(2_500);
  expect(await inVain).toBe(false);
  expect(clock.pendingTimers).toBe(0);
});
