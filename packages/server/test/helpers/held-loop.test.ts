import { expect, test } from 'vitest';
import { LoopWatch } from './held-loop.ts';

/** Keeps the thread busy for `ms` of its processor time. */
function work(ms: number): void {
  const spent = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const from = spent();
  while (spent() - from < ms);
}

test('ERR-12: the watch of the event loop finds work that blocks it, each of three times', async () => {
  const loop = new LoopWatch();
  await expect(loop.over('work', async () => work(80))).rejects.toThrow('work blocked the event loop for');
  await loop.over('little work', async () => work(10));
  expect(loop.slowest).toMatchObject({ what: 'little work' });
});
