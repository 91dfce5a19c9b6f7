import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { expect, test } from 'vitest';
import { RecentValues } from './recent-values.ts';

function make(maxBytes = 10, maxCount = 3) {
  const clock = new ManualClock();
  const values = new RecentValues<string>({ clock, maxBytes, maxCount, keptMs: 1_000 });
  const made: string[] = [];
  const get = (key: string, value = key): Promise<string> =>
    values.get(
      key,
      ({ length }) => length,
      async () => {
        made.push(key);
        return value;
      },
    );
  return { clock, values, made, get };
}

test('CONTEXT-19: callers that ask at the same time share a value, and it expires', async () => {
  const { clock, made, get } = make();
  expect(await Promise.all([get('a'), get('a')])).toEqual(['a', 'a']);
  await clock.advance(999);
  await get('a');
  expect(made).toEqual(['a']);
  await clock.advance(1);
  await get('a');
  expect(made).toEqual(['a', 'a']);
});

test('CONTEXT-19: a value whose time is over is dropped, also one that was just used or is still being made', async () => {
  const { clock, values, get } = make();
  await get('a');
  await clock.advance(500);
  await get('b');
  await get('a');
  const slow = Promise.withResolvers<string>();
  const made = values.get(
    'c',
    ({ length }) => length,
    () => slow.promise,
  );
  values.expire();
  expect([values.count, values.bytes]).toEqual([3, 2]);
  await clock.advance(500);
  values.expire();
  expect([values.count, values.bytes]).toEqual([2, 1]);
  await clock.advance(500);
  values.expire();
  slow.resolve('late');
  expect(await made).toBe('late');
  expect([values.count, values.bytes]).toEqual([0, 0]);
});

test('CONTEXT-19: above the maximum of bytes or values, the least recently used one goes first', async () => {
  const { made, get } = make();
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await get(key);
  expect(made).toEqual(['a', 'b', 'c', 'd', 'b']);
  const other = make();
  for (const [key, value] of [
    ['a', '12345'],
    ['b', '12345'],
    ['c', '1'],
    ['b', ''],
    ['a', ''],
    ['big', 'x'.repeat(11)],
    ['big', ''],
  ] as const)
    await other.get(key, value);
  expect(other.made).toEqual(['a', 'b', 'c', 'a', 'big', 'big']);
});

test('CONTEXT-19: a failure is not kept', async () => {
  const { values, get } = make();
  const failed = values.get(
    'a',
    () => 0,
    () => Promise.reject(new Error('lost')),
  );
  await expect(failed).rejects.toThrow('lost');
  expect(await get('a')).toBe('a');
});
