import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { nextSlice, Share, Shares, Slice, SLICE_MS } from './slices.ts';

const spend = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

test('ERR-12: work continues immediately while its slice lasts, and in a later tick when it is spent', async () => {
  let time = 0;
  const slice = new Slice(() => time);
  let turns = 0;
  void turnOfLoop().then(() => (turns += 1));
  await slice.pause();
  expect(turns).toBe(0);
  time += SLICE_MS + 1;
  expect(slice.isSpent).toBe(true);
  await slice.pause();
  expect(turns).toBe(1);
  expect(slice.isSpent).toBe(false);
});

test('SOCKET-13: waiting callers continue in order, in each tick as many as its slice has time for', async () => {
  const order: string[] = [];
  const work = async (name: string) => {
    for (let times = 0; times < 2; times += 1) {
      await nextSlice();
      order.push(name);
      spend(SLICE_MS / 2);
    }
  };
  const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map(work));
  for (let turns = 1; order.length < 10; turns += 1) {
    await turnOfLoop();
    expect(order.length).toBeLessThanOrEqual(3 * turns);
  }
  await all;
  expect(order.join('')).toBe('abcdeabcde');
});

test('SOCKET-13: a client above its fair share waits when the tick’s slice is spent, others continue', async () => {
  await turnOfLoop();
  let time = 0;
  const now = () => time;
  const [greedy, modest] = [new Share(now), new Share(now)];
  greedy.charge(10 * SLICE_MS);
  modest.charge(SLICE_MS / 10);
  expect([greedy.mustWait, modest.mustWait]).toEqual([false, false]);
  time += SLICE_MS + 1;
  expect([greedy.mustWait, modest.mustWait]).toEqual([true, false]);
  time += 4 * SLICE_MS;
  expect([greedy.mustWait, modest.mustWait]).toEqual([true, true]);
  // The next tick has a new slice.
  await turnOfLoop();
  expect([greedy.mustWait, modest.mustWait]).toEqual([false, false]);
});

test('SOCKET-13: all connections of one owner have one share; the number of shares kept is limited', async () => {
  let time = 0;
  const shares = new Shares(() => time);
  expect(shares.of('alice')).toBe(shares.of('alice'));
  expect(shares.of('alice')).not.toBe(shares.of('bob'));
  const greedy = shares.of('alice');
  for (let seconds = 0; seconds < 300; seconds += 10) {
    time += 10_000;
    expect(shares.of('alice')).toBe(greedy);
  }
  for (let at = 0; at < 50_000; at += 1) shares.of(`passer-by ${at}`);
  expect(shares.size).toBeLessThanOrEqual(20_000);
  time += 200_000;
  shares.of('bob');
  time += 200_000;
  shares.of('bob');
  expect(shares.size).toBeLessThanOrEqual(2);
});
