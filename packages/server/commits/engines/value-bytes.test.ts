import { expect, test } from 'vitest';
import { valueBytes } from './value-bytes.ts';

test('CLUSTER-34: what a unit is given is weighed by its texts and bytes, wherever in it they are', () => {
  const text = 'x'.repeat(1_000);
  const small = valueBytes({ chat_id: null, limit: 1 });
  expect(small).toBeLessThan(100);
  expect(valueBytes(undefined)).toBeLessThan(100);
  for (const value of [text, [text], { a: { b: [text] } }, new Uint8Array(1_000)])
    expect(Math.floor(valueBytes(value) / 1_000)).toBe(1);
  // Not one after another: as deep as it is, it is weighed.
  let deep: object = {};
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(valueBytes(deep)).toBeGreaterThan(100_000);
});
