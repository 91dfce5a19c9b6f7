import { array, assert, maxSafeInteger, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { ServiceError } from './errors.ts';

const refusal = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error instanceof ServiceError ? { code: error.code, parameters: error.parameters } : error;
  }
  return 'no refusal';
};
const notOurs = { code: 'invalid_argument', parameters: { field: 'cursor' } };

test('PAGE-2: a cursor decodes to the values it encodes, and is URL-safe', () => {
  assert(
    property(array(oneof(maxSafeInteger(), string({ unit: 'grapheme' }))), (values) => {
      const cursor = encodeCursor('list', ...values);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(
        decodeCursor(
          'list',
          cursor,
          values.map((value) => (typeof value === 'number' ? 'number' : 'string')),
        ),
      ).toEqual(values);
    }),
  );
});

const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each([
  ['of another list', encodeCursor('members', 1, 'a')],
  ['with too few values', encodeCursor('list', 1)],
  ['with too many values', encodeCursor('list', 1, 'a', 2)],
  ['with values of other types', encodeCursor('list', '1', 'a')],
  ['with a fraction', json(['list', 1.5, 'a'])],
  ['with an unsafe integer', json(['list', 2 ** 53, 'a'])],
  ['with an object', json(['list', {}, 'a'])],
  ['that is not an array', json({ 0: 'list', length: 3 })],
  ['that is null', json(null)],
  ['that is not JSON', Buffer.from('["list",1').toString('base64url')],
  ['with characters that base64url skips', `${encodeCursor('list', 1, 'a')}!`],
  ['of free text', 'not a cursor'],
  ['of nothing', ''],
])('PAGE-2: a cursor %s is refused', (_, cursor) => {
  expect(refusal(() => decodeCursor('list', cursor, ['number', 'string']))).toEqual(notOurs);
});
