import { expect, test } from 'vitest';
import { knowledgeOf, type Reading } from './read-receipts.ts';

const ann: Reading = { account: 1, position: 30 };
const ben: Reading = { account: 2, position: 20 };
const cid: Reading = { account: 3, position: 10 };

test('READ-12: everyone knows the position of the furthest reader, who knows that of the next', () => {
  expect(knowledgeOf([], [])).toEqual({ position: 0, others: new Map() });
  expect(knowledgeOf([ann], [])).toEqual({ position: 30, others: new Map([[1, 0]]) });
  expect(knowledgeOf([ann, ben, cid], [])).toEqual({ position: 30, others: new Map([[1, 20]]) });
});

test('READ-12: whom a block separates from the furthest reader knows the position of the next without a block', () => {
  const knows = (...blocks: [number, number][]) => knowledgeOf([ann, ben, cid], blocks).others;
  expect(knows([1, 9])).toEqual(new Map([[1, 20], [9, 20]])); // prettier-ignore
  expect(knows([1, 9], [2, 9])).toEqual(new Map([[1, 20], [9, 10]])); // prettier-ignore
  expect(knows([1, 9], [2, 9], [3, 9])).toEqual(new Map([[1, 20], [9, 0]])); // prettier-ignore
  // A block with somebody who has not read as far changes nothing.
  expect(knows([2, 9])).toEqual(new Map([[1, 20]]));
  // Both are readers: the pair is named from both sides.
  expect(knows([1, 2], [2, 1])).toEqual(new Map([[1, 10], [2, 10]])); // prettier-ignore
});
