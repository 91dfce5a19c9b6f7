import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';

test('PUSH-14: a row can be deleted when the last of its pushes has ended', () => {
  const ledger = new Ledger();
  ledger.need(1);
  ledger.need(1);
  ledger.need(2);
  ledger.release(1);
  expect(ledger.takeDone(0, 10)).toEqual([]);
  ledger.release(2);
  ledger.release(1);
  expect(ledger.takeDone(0, 1)).toEqual([2]);
  expect(ledger.takeDone(0, 10)).toEqual([1]);
  expect([ledger.size, ledger.isSettled]).toEqual([0, true]);
});

test('PUSH-14: a row of live recipients is kept for a fixed time, and longer while a push needs it', () => {
  const ledger = new Ledger();
  ledger.keep(1, 100);
  ledger.keep(1, 100);
  ledger.keep(2, 150);
  ledger.need(1);
  expect(ledger.takeDone(99, 10)).toEqual([]);
  expect(ledger.takeDone(100, 10)).toEqual([]);
  ledger.release(1);
  expect(ledger.takeDone(100, 10)).toEqual([1]);
  expect(ledger.takeDone(150, 10)).toEqual([2]);
});

test('PUSH-14: rows whose deletion failed are returned again', () => {
  const ledger = new Ledger();
  ledger.keep(1, 0);
  const done = ledger.takeDone(0, 10);
  ledger.putBack(done);
  expect(ledger.takeDone(0, 10)).toEqual([1]);
});

test('PUSH-13: at most the newest 100,000 rows are kept for live recipients', () => {
  const ledger = new Ledger();
  for (let key = 1; key <= 100_010; key += 1) ledger.keep(key, 1_000);
  expect(ledger.takeDone(0, 1_000)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});
