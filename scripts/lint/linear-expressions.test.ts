import { expect, test } from 'vitest';
import { superLinear } from './linear-expressions.ts';

test.each([
  // One quantifier with itself, and two that share characters.
  /^(?:a+)+b/,
  /^\s*[\s\S]*x/,
  // A search that starts again within a run of one character, or of several.
  /\ufffd+$/,
  /^[\s.]+|[\s.]+$/g,
  /\[[^\]]*\]/,
  /<a[^>]*>/,
  /!\[[^\]\n]*(?:\](?:\([^)\s]*)?)?$/,
  /(?:ab)+$/,
  /^\s+x/m,
])('ERR-13: the linter refuses %s', ({ source, flags }) => {
  expect(superLinear(source, flags)).toMatch(/quadratic|exponential/);
});

test.each([
  /(?<!\ufffd)\ufffd+$/,
  /^\s+|(?<!\s)\s+$/g,
  /\[[^[\]]*\]/,
  /<a[^<>]*>/,
  /^a+b/,
  /\s+/g,
  /[ \t]*(`{3,})[^\n]*/y,
])('ERR-13: the linter accepts %s', ({ source, flags }) => {
  expect(superLinear(source, flags)).toBeUndefined();
});
