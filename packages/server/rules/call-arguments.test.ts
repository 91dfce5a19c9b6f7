import { expect, test } from 'vitest';
import { canonicalArguments } from './call-arguments.ts';

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
