import { expect, test } from 'vitest';
import { type DeliveryFailure, failureOf, failureText } from './webhook-failures.ts';

test.each<[DeliveryFailure, string]>([
  [{ kind: 'status', status: 500 }, 'it answered with status 500'],
  [{ kind: 'timeout', seconds: 10 }, 'it did not answer within 10 seconds'],
  [{ kind: 'unreachable' }, 'it could not be reached'],
  [{ kind: 'refused', unlike: 'must have a public address' }, 'it must have a public address'],
  [{ kind: 'no_secret' }, 'the key that encrypted its secret is missing'],
])('WEBHOOK-26: a failure is a text and data: %j', (failure, text) => {
  expect(failureText(failure)).toBe(text);
  const { unlike: _unlike, ...data } = { unlike: '', ...failure };
  expect(failureOf(text)).toEqual(data);
});

test('WEBHOOK-26: a text of another version has no data', () => {
  expect(failureOf('it was eaten')).toBeUndefined();
});
