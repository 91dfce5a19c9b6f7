import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanQuote, parseRetryAfter } from './vendor-errors.ts';

const key = 'sk-ant-api03-Zm9vYmFyYmF6cXV4-end';

test.each([
  ['invalid x-api-key', 'invalid x-api-key'],
  [`Incorrect API key provided: ${key}. See the docs`, 'Incorrect API key provided: [key]. See the docs'],
  ['Incorrect API key provided: sk-ant-a********x-end.', 'Incorrect API key provided: [key]'],
  ['key Zm9vYmFyYmF6 is unknown', 'key [key] is unknown'],
  ['another sk-proj-12345678 of someone', 'another [key] of someone'],
  ['two\nlines\tand\u0000\u202e controls', 'two lines and controls'],
])('PROVIDER-7: %j is quoted as %j', (text, expected) => {
  expect(cleanQuote(text, key)).toBe(expected);
});

test('PROVIDER-7: a quote of any text is one line of at most 200 characters, without the key', () => {
  const anyKey = fc.string({ minLength: 8, maxLength: 40 }).filter((text) => /^[\x21-\x7e]+$/.test(text));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), anyKey, fc.string(), (before, secret, after) => {
      const quote = cleanQuote(before + secret + after, secret);
      expect(quote.length).toBeLessThanOrEqual(200);
      expect(quote).not.toMatch(/[\n\r]/);
      expect(quote.includes(secret)).toBe(false);
    }),
  );
});

test('PROVIDER-9: a very long message is cut before the patterns search it', () => {
  expect(cleanQuote('x'.repeat(5_000_000), key)).toHaveLength(200);
});

test.each([
  [null, undefined],
  ['', undefined],
  ['2', 2000],
  ['0.25', 250],
  ['-3', 0],
  ['nonsense', undefined],
  ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
])('PROVIDER-4: retry-after %j is %j ms', (header, expected) => {
  expect(parseRetryAfter(header, Date.UTC(2026, 0, 1))).toBe(expected);
});
