import { expect, test } from 'vitest';
import { CommitFlush } from './commit-flush.ts';
import { CommitPosition } from './commit-position.ts';

const commit = (flush: CommitFlush): void => {
  flush.before();
  flush.committed();
};

test('STORE-13: a commit that no unit waits behind is on the disk when the thread’s own flush has ended, and not before', () => {
  const position = new CommitPosition();
  const flushed: number[] = [];
  const flush = new CommitFlush(position, { run: () => flushed.push(position.flushed), when: 'idle' });
  commit(flush);
  expect([position.newest, position.begun, position.isFlushed]).toEqual([1, 1, false]);
  flush.flush(true);
  expect([flushed, position.flushed]).toEqual([[0], 1]);
  // Without a commit there is nothing to flush.
  flush.flush(true);
  expect(flushed).toEqual([0]);
});

test('STORE-13: a commit with units behind it is left to the flush thread', () => {
  const position = new CommitPosition();
  const flush = new CommitFlush(position, { run: () => expect.unreachable(), when: 'idle' });
  commit(flush);
  flush.flush(false);
  expect([position.nextAsked(), position.flushed]).toEqual([1, 0]);
});

test('STORE-14: after a failed flush nothing counts as on the disk', () => {
  const position = new CommitPosition();
  const run = (): void => {
    throw new Error('I/O error');
  };
  const flush = new CommitFlush(position, { run, when: 'idle' });
  commit(flush);
  expect(() => flush.flush(true)).toThrow('I/O error');
  expect(position.flushed).toBe(0);
});
