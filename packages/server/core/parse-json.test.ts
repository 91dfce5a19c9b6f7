import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from './errors.ts';
import { parseJson } from './parse-json.ts';

const tooMany = (text: string): boolean => {
  try {
    parseJson(Buffer.from(text));
    return false;
  } catch (error) {
    return error instanceof ServiceError;
  }
};

test('ERR-12: a request is parsed like JSON.parse does, whatever its strings contain', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      // Large enough that the parts are counted.
      const json = JSON.stringify({ value, text, more: `${'[{,:\\"'.repeat(20_000)}\\` });
      expect(parseJson(Buffer.from(json))).toEqual(JSON.parse(json));
    }),
  );
});

test.each([
  ['values', `[${'1,'.repeat(100_000)}1]`],
  ['lists', `[${'[],'.repeat(100_000)}[]]`],
  ['keys', `{${Array.from({ length: 60_000 }, (_, at) => `"${at}":1`).join(',')}}`],
  ['levels', '['.repeat(200_000)],
  ['values after text with escapes', `["${'\\\\'.repeat(50_000)}",${'1,'.repeat(100_000)}1]`],
  ['values after text with quotes', `["${'\\"'.repeat(50_000)}",${'1,'.repeat(100_000)}1]`],
])('ERR-12: JSON with too many %s is refused before it is parsed', (_what, json) => {
  expect(tooMany(json)).toBe(true);
});

test.each(['[', '"', '"\\', `"${'\\'.repeat(70_000)}`, `["${'x'.repeat(70_000)}`, ''])(
  'ERR-12: truncated JSON is a syntax error',
  (json) => {
    expect(() => parseJson(Buffer.from(json))).toThrow(SyntaxError);
  },
);
