import { expect, test } from 'vitest';
import { CanvasMemory } from './canvas-memory.ts';

test('WEB-398: a page that needs more than 256 MiB of canvases fails, and the next one begins with none', () => {
  const memory = new CanvasMemory();
  const [first, second] = [{}, {}];
  memory.hold(first, 8_192, 8_192);
  expect(() => memory.hold(second, 1, 1)).toThrow('too much memory');
  memory.free(second);
  // Resized and freed canvases count with what they take now.
  memory.hold(first, 8_192, 4_096);
  memory.hold(second, 8_192, 4_096);
  memory.free(first);
  memory.hold({}, 8_192, 4_096);
  expect(() => memory.hold({}, 1, 1)).toThrow('too much memory');
  memory.clear();
  memory.hold({}, 8_192, 8_192);
});
