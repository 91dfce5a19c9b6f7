import { expect, test } from 'vitest';
import { lengthNote } from './message-length.ts';

test('a long text tells what is left, and then by how much it is too long, in the bytes that the service counts', () => {
  expect(lengthNote('a'.repeat(29_000))).toBeNull();
  expect(lengthNote('a'.repeat(32_768))).toEqual({ isOver: false, note: '0 letters left' });
  expect(lengthNote('a'.repeat(32_769))).toMatchObject({ isOver: true });
  expect(lengthNote('é'.repeat(16_384))).toMatchObject({ isOver: false });
  expect(lengthNote('é'.repeat(16_385))).toMatchObject({ isOver: true });
});
