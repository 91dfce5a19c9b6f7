import { expect, test } from 'vitest';
import { FileMemory } from './file-memory.ts';

const MIB = 1024 * 1024;

test('CONTEXT-21: the files of open requests are bounded for one human and for all', () => {
  const memory = new FileMemory();
  expect(memory.take(1, 16 * MIB)).toBe(true);
  expect(memory.take(1, 1)).toBe(false);
  for (let owner = 2; owner <= 8; owner += 1) expect(memory.take(owner, 16 * MIB)).toBe(true);
  expect(memory.take(9, 1)).toBe(false);
  memory.release(1, 16 * MIB);
  expect(memory.take(9, 16 * MIB)).toBe(true);
  expect(memory.take(1, 1)).toBe(false);
});
