import { expect, test } from 'vitest';
import { httpBody } from './json-reply.ts';

test.each(['a', 'é', '…', '😀'])('a long reply is sent as bytes, of the same JSON as a short one: %s', (letter) => {
  const bodies = [10, 100_000].map((count) => httpBody(JSON.stringify([letter.repeat(count)])));
  expect(bodies.map((body) => typeof body)).toEqual(['string', 'object']);
  const results = bodies.map((body) => JSON.parse(body.toString()));
  expect(results).toEqual([10, 100_000].map((count) => ({ ok: true, result: [letter.repeat(count)] })));
});
