import { expect, test } from 'vitest';
import { AccountTexts, noAccountTexts } from './account-texts.ts';

test('LIMIT-3: a full cache evicts its oldest account', () => {
  const texts = new AccountTexts({ maxKept: 2 });
  texts.set(1, 'one');
  texts.set(2, 'two');
  texts.set(2, 'two again');
  expect([1, 2].map((key) => texts.get(key))).toEqual(['one', 'two again']);
  texts.set(3, 'three');
  expect([1, 2, 3].map((key) => texts.get(key))).toEqual([undefined, 'two again', 'three']);
});

test('a forgotten account is read again', () => {
  const texts = new AccountTexts();
  texts.set(1, 'one');
  texts.forget(1);
  expect(texts.get(1)).toBeUndefined();
});

test('CLUSTER-35: noAccountTexts caches nothing', () => {
  noAccountTexts.set(1, 'one');
  expect(noAccountTexts.get(1)).toBeUndefined();
});
