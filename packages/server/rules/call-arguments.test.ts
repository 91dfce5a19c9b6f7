import { expect, test } from 'vitest';
import { canonicalArguments, losesNumbers } from './call-arguments.ts';

test('CALL-2: equal arguments have one text, whatever the order and the spaces in which the model wrote them', () => {
  const text = '{"a":[1,{"x":null,"y":"é"}],"b":true}';
  expect(canonicalArguments('{ "b": true, "a": [1, {"y": "\\u00e9", "x": null}] }')).toBe(text);
  expect(canonicalArguments(text)).toBe(text);
});

test('CALL-5: what is no JSON object is no arguments', () => {
  for (const text of ['', '[]', '"a"', '1', 'null', '{"a":', '{} {}']) expect(canonicalArguments(text)).toBeUndefined();
  expect(canonicalArguments('{}')).toBe('{}');
});

test('CALL-5: arguments that are nested without end are none', () => {
  const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  expect(canonicalArguments(nested(100))).toBe(nested(100));
  for (const depth of [1_000, 100_000]) expect(canonicalArguments(nested(depth))).toBeUndefined();
});

test.each(['9007199254740993', '12345678901234567890', '-1.8446744073709551617e19', '1e400', '12345678901234567168'])(
  'CALL-5: %s would be another number when it is read',
  (number) => expect(losesNumbers(`{"a":[{"b":${number}}]}`)).toBe(true),
);
test.each([
  '0',
  '-0.0',
  '9007199254740993.5e-9',
  '1.5e300',
  '1E22',
  '0.1',
  '3.14159265358979323846',
  '"9007199254740993"',
])('CALL-5: %s is kept as a number, or is none', (number) =>
  expect(losesNumbers(`{"a":[{"b":${number}}]}`)).toBe(false),
);
