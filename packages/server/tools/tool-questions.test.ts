import { expect, test } from 'vitest';
import { questionsOf } from './tool-questions.ts';

const question = (message: string, properties: object = {}) => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties } },
});
const asked = (count: number, ...given: Parameters<typeof question>) =>
  questionsOf({
    inputRequests: Object.fromEntries(Array.from({ length: count }, (_, n) => [`q${n}`, question(...given)])),
  });

test('CALL-12: a call asks at most 20 questions, 4,096 characters together, with a form of at most 32 KiB', () => {
  expect(asked(20, 'How many?')).toMatchObject({ status: 'input' });
  expect(asked(21, 'How many?')).toMatchObject({ status: 'failed' });
  const long = asked(20, 'x'.repeat(5_000));
  expect(long.status === 'input' && long.text.length).toBe(4_096);
  const options = Array.from({ length: 100 }, (_, n) => `${n}`.repeat(100));
  expect(asked(1, 'Which?', { one: { type: 'string', enum: options } })).toMatchObject({ status: 'input' });
  expect(
    asked(1, 'Which?', { one: { type: 'string', enum: options }, two: { type: 'string', enum: options } }),
  ).toMatchObject({ status: 'failed' });
});
