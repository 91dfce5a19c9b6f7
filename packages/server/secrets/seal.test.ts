import { expect, test } from 'vitest';
import { maskedTail } from './seal.ts';

test.each([
  ['sk-12345678', '••••5678'],
  ['12345678', '••••5678'],
  ['1234567', '••••'],
  ['', '••••'],
  ['abcd😀😀😀😀', '••••😀😀😀😀'],
  // Eight UTF-16 units, but four characters.
  ['😀😀😀😀', '••••'],
])('KEY-3: %s is masked as %s, in whole characters', (secret, tail) => {
  expect(maskedTail(secret)).toBe(tail);
});
