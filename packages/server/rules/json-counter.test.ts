import { expect, test } from 'vitest';
import { parsedJson } from '../agents/providers/parsed-json.ts';
import { hasTooManyValues, MAX_JSON_VALUES } from './json-counter.ts';

test('PROVIDER-37: JSON of a vendor with more values than any sends is not parsed, however short it is', () => {
  const list = (values: number): string => `[${'{},'.repeat(values - 2)}{}]`;
  expect(parsedJson(list(MAX_JSON_VALUES))).toHaveLength(MAX_JSON_VALUES - 1);
  expect(parsedJson(list(MAX_JSON_VALUES + 1))).toBeUndefined();
  // What stands in a text is no value.
  const text = JSON.stringify(['{[:'.repeat(MAX_JSON_VALUES)]);
  expect(hasTooManyValues(text)).toBe(false);
  expect(parsedJson(text)).toHaveLength(1);
});
