import { expect, test } from 'vitest';
import { withPart } from './part-changes.ts';

test('PART-4: an append that ends where the text does, or before, changes nothing but the duration', () => {
  const parts = [{ id: 't', offset: 0, type: 'reasoning' as const, text: 'é🙂' }];
  expect(withPart(parts, { id: 't', append: '!', text_offset: 7 })).toEqual([{ ...parts[0], text: 'é🙂!' }]);
  expect(withPart(parts, { id: 't', append: '🙂', text_offset: 6 })).toBe(parts);
  expect(withPart(parts, { id: 't', append: 'é', text_offset: 2 })).toBe(parts);
  expect(withPart(parts, { id: 't', append: '🙂', text_offset: 6, duration_ms: 9 })).toEqual([
    { ...parts[0], duration_ms: 9 },
  ]);
  expect(withPart(parts, { id: 't', append: '?', text_offset: 9 })).toBeNull();
  expect(withPart(parts, { id: 'u', append: '?', text_offset: 1 })).toBeNull();
});
