import { expect, test } from 'vitest';
import { isLongPaste, lengthNote } from './message-length.ts';

test('near the limit the note says how much room is left, above it how much is too long, counted in bytes', () => {
  expect(lengthNote('a'.repeat(29_000))).toBeNull();
  expect(lengthNote('a'.repeat(32_768))).toEqual({ isOver: false, note: '0 characters left' });
  expect(lengthNote('a'.repeat(32_769))).toMatchObject({ isOver: true });
  expect(lengthNote('é'.repeat(16_384))).toMatchObject({ isOver: false });
  expect(lengthNote('é'.repeat(16_385))).toMatchObject({ isOver: true });
});

test('a pasted text is long above 8 KiB, counted in bytes', () => {
  expect(['a'.repeat(8_192), 'a'.repeat(8_193), 'é'.repeat(4_096), 'é'.repeat(4_097)].map(isLongPaste)).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
