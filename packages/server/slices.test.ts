import { expect, test } from 'vitest';
import { nextSlice, Slice, SLICE_MS, sliceOfTurn } from './slices.ts';

const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const spend = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

test('ERR-12: work goes on at once while its slice lasts, and in a later turn when it is spent', async () => {
  const slice = new Slice();
  let turns = 0;
  void turnOfLoop().then(() => (turns += 1));
  await slice.pause();
  expect(turns).toBe(0);
  spend(SLICE_MS + 1);
  expect(slice.isSpent).toBe(true);
  await slice.pause();
  expect(turns).toBe(1);
  expect(slice.isSpent).toBe(false);
});

test('SOCKET-13: those who wait go on in their order, in each turn as many as a slice has time for', async () => {
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

test('SOCKET-13: who begins something in one turn shares its slice, the next turn has another', async () => {
  const slice = sliceOfTurn();
  await Promise.resolve();
  expect(sliceOfTurn()).toBe(slice);
  await turnOfLoop();
  expect(sliceOfTurn()).not.toBe(slice);
});
