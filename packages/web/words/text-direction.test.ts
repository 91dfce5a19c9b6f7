import { expect, test } from 'vitest';
import { isAgainst } from './text-direction.ts';

test.each([
  ['hello', false, true],
  ['**مرحبا** hello', true, false],
  ['שלום', true, false],
  ['1234 👋', false, false],
  ['你好', false, true],
  ['', false, false],
])('%j runs against a page from left to right: %s, from right to left: %s', (text, ltr, rtl) => {
  expect([isAgainst(text, 'ltr'), isAgainst(text, 'rtl')]).toEqual([ltr, rtl]);
});
