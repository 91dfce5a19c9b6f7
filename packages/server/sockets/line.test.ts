import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { Line } from './line.ts';

test('CAPS-9: tasks run one after another, each when the socket has no unsent data; a failing one does not stop the next', async () => {
  let isClear = true;
  const done: string[] = [];
  const line = new Line(() => isClear);
  const say = (what: string) =>
    line.run(async () => {
      isClear = false;
      await turnOfLoop();
      done.push(what);
      if (what === 'two') throw new Error('the task failed');
    });
  const said = Promise.allSettled(['one', 'two', 'three'].map(say));
  const quiet = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns += 1) await turnOfLoop();
  };
  for (const soFar of [['one'], ['one', 'two'], ['one', 'two', 'three']]) {
    await quiet();
    line.look();
    await quiet();
    expect(done).toEqual(soFar);
    isClear = true;
    line.look();
  }
  expect((await said).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
