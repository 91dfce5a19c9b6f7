import { burn } from '@parley/testing/clocks/burn.ts';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { createSystemClock } from './clock.ts';
import { type Held, HELD_MS, HeldThread, thisThread, UNNAMED } from './held-thread.ts';

/** Listens to a thread, until it is disposed. */
function listening(thread: HeldThread) {
  const reports: Held[] = [];
  const stop = thread.listen((held) => reports.push(held));
  return { reports, names: () => reports.map(({ name }) => name), [Symbol.dispose]: stop };
}

/** A thread whose time the test passes: `used` of it is processor time. */
function manual() {
  let now = 1_000;
  let cpuMs = 10;
  const thread = new HeldThread(
    () => now,
    () => cpuMs,
  );
  const pass = (ms: number, used = ms): void => {
    now += ms;
    cpuMs += used;
  };
  return { thread, pass };
}

test('OPS-7: a callback that used the thread for over 50 ms is reported with its name, also if it throws', () => {
  const thread = new HeldThread();
  using heard = listening(thread);
  expect(thread.run('getMessages', () => (burn(60), 'a result'))).toBe('a result');
  expect(() =>
    thread.run(
      () => 'a made name',
      () => {
        burn(60);
        throw new Error('a fault');
      },
    ),
  ).toThrow('a fault');
  expect(heard.names()).toEqual(['getMessages', 'a made name']);
  for (const { held_ms } of heard.reports) expect(held_ms).toBeGreaterThan(HELD_MS);
});

test('OPS-7: time that the machine gave to others, or that a disk took, is not counted', () => {
  const { thread, pass } = manual();
  using heard = listening(thread);
  thread.run('commit', () => pass(5_000, 3));
  thread.run('commit', () => pass(50, 50));
  // What was used before the callback, since the processor time was last read.
  thread.run('before', () => pass(0.25));
  pass(0.5);
  thread.run('commit', () => pass(500, 50));
  expect(heard.names()).toEqual([]);
  thread.run('commit', () => pass(500, 52));
  expect(heard.reports).toEqual([{ name: 'commit', held_ms: 52 }]);
});

test('OPS-7: of nested callbacks the innermost is reported, and the others for what they did besides', () => {
  const { thread, pass } = manual();
  using heard = listening(thread);
  const nested = (besides: number) =>
    thread.run('frame', () => {
      pass(besides);
      thread.run('sendMessage', () => pass(80));
    });
  nested(20);
  expect(heard.names()).toEqual(['sendMessage']);
  nested(60);
  expect(heard.reports.slice(1)).toEqual([
    { name: 'sendMessage', held_ms: 80 },
    { name: 'frame', held_ms: 60 },
  ]);
});

test('OPS-7: what follows an await of something that is done counts as the same callback', async () => {
  const { thread, pass } = manual();
  using heard = listening(thread);
  await thread.run('getMessages', async () => {
    pass(30);
    await Promise.resolve();
    pass(60);
  });
  await turnOfLoop();
  // The test's own pause is another turn of the loop.
  pass(60);
  expect(heard.reports).toEqual([{ name: 'getMessages', held_ms: 60 }]);
});

test('OPS-7: what has no name is reported as unnamed, with the last name before it', async () => {
  using heard = listening(thisThread);
  thisThread.run('last', () => {});
  await turnOfLoop();
  burn(120);
  while (heard.reports.length === 0) await turnOfLoop();
  expect(heard.reports).toMatchObject([{ name: UNNAMED, after: 'last' }]);
});

test('OPS-7: a timer has the name of its function, or its source', async () => {
  using heard = listening(thisThread);
  const clock = createSystemClock();
  const sweep = (): void => burn(60);
  clock.setTimer(sweep, 0);
  clock.setTimer(() => burn(61), 0);
  while (heard.reports.length < 2) await turnOfLoop();
  expect(heard.names().toSorted()).toEqual([expect.stringMatching(/^timer \(\) => .*burn.*61/), 'timer sweep']);
});

test('OPS-7: nothing is reported to a listener that has left', () => {
  const { thread, pass } = manual();
  const heard = listening(thread);
  heard[Symbol.dispose]();
  thread.run('commit', () => pass(80));
  expect(heard.reports).toEqual([]);
});
