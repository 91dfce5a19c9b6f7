import { runsOf } from '@parley/testing/depth.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from './errors.ts';
import { parseJson } from './parse-json.ts';

test('LIMIT-4: JSON of 1,000 levels is parsed, brackets in its strings do not count', () => {
  const json = `${'['.repeat(1_000)}"${'['.repeat(5_000)}"${']'.repeat(1_000)}`;
  expect(parseJson(Buffer.from(json))).toEqual(JSON.parse(json));
});

test('ERR-12: a string of escapes is read in time that grows with its length', () => {
  const timed = (text: string): number => {
    const bytes = Buffer.from(text);
    const begunAt = performance.now();
    parseJson(bytes);
    return performance.now() - begunAt;
  };
  // The fastest of several: what else the machine does must not decide.
  const fastest = (text: string) => Math.min(...Array.from({ length: 9 }, () => timed(text)));
  expect(fastest(`"${'\\"'.repeat(500_000)}"`)).toBeLessThan(20 * fastest(`"${'xx'.repeat(500_000)}"`) + 20);
});

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
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' }), (value, text) => {
      // Large enough that the parts are counted.
      const json = JSON.stringify({ value, text, more: `${'[{,:\\"'.repeat(20_000)}\\` });
      expect(parseJson(Buffer.from(json))).toEqual(JSON.parse(json));
    }),
    { numRuns: runsOf(100) },
  );
});

test.each([
  ['values', `[${'1,'.repeat(100_000)}1]`],
  ['lists', `[${'[],'.repeat(100_000)}[]]`],
  ['keys', `{${Array.from({ length: 60_000 }, (_, at) => `"${at}":1`).join(',')}}`],
  ['levels', '['.repeat(200_000)],
  ['levels of few values', `${'{"a":'.repeat(1_001)}1${'}'.repeat(1_001)}`],
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
