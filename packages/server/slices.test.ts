import { expect, test } from 'vitest';
import { currentTurn, nextSlice, Slice, SLICE_MS } from './slices.ts';

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

test('SOCKET-13: of those who wait one goes on in each turn, in their order', async () => {
  const order: string[] = [];
  const work = async (name: string) => {
    for (let times = 0; times < 2; times += 1) {
      await nextSlice();
      order.push(name);
    }
  };
  const all = Promise.all(['a', 'b', 'c'].map(work));
  for (let turns = 1; order.length < 6; turns += 1) {
    await turnOfLoop();
    expect(order.length).toBeLessThanOrEqual(turns);
  }
  await all;
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

test('SOCKET-13: a turn of the loop has one number, the next one another', async () => {
  const first = currentTurn();
  await Promise.resolve();
  expect(currentTurn()).toBe(first);
  await turnOfLoop();
  expect(currentTurn()).not.toBe(first);
});
