import { expect, test } from 'vitest';
import { maskedTail } from './seal.ts';

test.each([
  ['sk-12345678', '••••5678'],
  ['12345678', '••••5678'],
  ['1234567', '••••'],
  ['', '••••'],
  ['abcd😀😀😀😀', '••••😀😀😀😀'],
  // Eight units of UTF-16, but four characters.
  ['😀😀😀😀', '••••'],
])('KEY-3: of %s the tail %s is shown, in whole characters', (secret, tail) => {
  expect(maskedTail(secret)).toBe(tail);
});
