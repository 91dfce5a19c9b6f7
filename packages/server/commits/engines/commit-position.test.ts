import { expect, test } from 'vitest';
import { CommitPosition } from './commit-position.ts';

test('STORE-16: the newest commit has no number while one may be becoming visible', () => {
  const position = new CommitPosition();
  expect(position.newest).toBe(0);
  position.begin();
  expect(position.newest).toBeNull();
  position.committed();
  expect(position.newest).toBe(1);
  position.settle(1);
  position.begin();
  expect(position.newest).toBeNull();
  // COMMIT failed: nothing of it is visible.
  position.settle(2);
  expect(position.newest).toBe(2);
});
