import { expect, test } from 'vitest';
import { Encoded, jsonBytes } from './json-bytes.ts';

test('CONTEXT-21: encoded bytes stand in the JSON behind their prefix, in order', () => {
  const [a, b] = ['QUJD', 'REVG'].map((text) => Buffer.from(text));
  const value = {
    text: 'ä"\n',
    list: [new Encoded('data:', a ?? Buffer.of()), { b: new Encoded('', b ?? Buffer.of()) }],
    end: null,
  };
  const text = Buffer.from(jsonBytes(value)).toString();
  expect(JSON.parse(text)).toEqual({ text: 'ä"\n', list: ['data:QUJD', { b: 'REVG' }], end: null });
  expect(Buffer.from(jsonBytes({ a: 1 })).toString()).toBe('{"a":1}');
});
