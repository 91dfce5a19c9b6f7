import { expect, test } from 'vitest';
import { parsedJson } from '../agents/providers/parsed-json.ts';
import { hasTooManyValues, JsonCounter, MAX_JSON_VALUES } from './json-counter.ts';

test('PROVIDER-37: JSON of a vendor with more values than any sends is not parsed, however short it is', () => {
  const list = (values: number): string => `[${'{},'.repeat(values - 2)}{}]`;
  expect(parsedJson(list(MAX_JSON_VALUES))).toHaveLength(MAX_JSON_VALUES - 1);
  expect(parsedJson(list(MAX_JSON_VALUES + 1))).toBeUndefined();
  // What stands in a text is no value.
  const text = JSON.stringify(['{[:'.repeat(MAX_JSON_VALUES)]);
  expect(hasTooManyValues(text)).toBe(false);
  expect(parsedJson(text)).toHaveLength(1);
});

test('PROVIDER-37: values are counted alike in whole bytes and in pieces, with escapes, line ends and long texts between them', () => {
  const long = 'x'.repeat(5_000);
  const json = `{"a":"${long}\\"{[:","b":[{"c\\\\":1}],"d":"${long}"}\n"open {[:\r{"e":[]}`;
  const bytes = Buffer.from(json);
  const whole = new JsonCounter().count(bytes);
  expect(whole).toBe(10);
  for (const size of [1, 2, 3, 7, 4_999]) {
    const counter = new JsonCounter();
    let seen = 0;
    for (let at = 0; at < bytes.length; at += size) seen += counter.count(bytes.subarray(at, at + size));
    expect(seen).toBe(whole);
  }
});
