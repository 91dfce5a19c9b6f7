import { expect, test } from 'vitest';
import { fileVector } from './postgres-words.ts';

test('SEARCH-22: other work runs while the words of a long file are taken, each of them once', async () => {
  const text = Array.from({ length: 100_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7) % 20_000))).join('');
  let ticks = 0;
  let isDone = false;
  const tick = (): void => {
    ticks += 1;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  const words = (await fileVector(0, { chatKey: 1, senderKey: 2, marks: [] }, text)).split(' ');
  isDone = true;
  expect(ticks).toBeGreaterThan(1);
  expect(words.slice(0, 5)).toEqual(["'0/1'", "'0@2'", "'0:一'", "'0:万'", "'0:一万'"]);
  expect(words).toHaveLength(2 + 2 * 20_000);
});
