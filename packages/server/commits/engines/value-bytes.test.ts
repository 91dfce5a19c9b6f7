import { expect, test } from 'vitest';
import { valueBytes } from './value-bytes.ts';

test('CLUSTER-34: the estimated size of an input includes all texts and bytes, however deeply nested', () => {
  const text = 'x'.repeat(1_000);
  const small = valueBytes({ chat_id: null, limit: 1 });
  expect(small).toBeLessThan(100);
  expect(valueBytes(undefined)).toBeLessThan(100);
  for (const value of [text, [text], { a: { b: [text] } }, new Uint8Array(1_000)])
    expect(Math.floor(valueBytes(value) / 1_000)).toBe(1);
  // Deep nesting does not overflow the stack.
  let deep: object = {};
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(valueBytes(deep)).toBeGreaterThan(100_000);
});
