import { expect, test } from 'vitest';
import { isFewEmoji } from '../../emoji/few-emoji.ts';
import { attribute, numberOf, otherRows, recordsOf } from './tag-values.ts';

test('TEXT-7: an attribute that is not shown elsewhere is shown as a row', () => {
  const attributes = { title: 'A', id: 'x', high_value: 3, ok: true, list: ['a', { b: 1 }], none: null, toString: 'c' };
  expect(otherRows(attributes, ['title'])).toEqual([
    ['High value', '3'],
    ['Ok', 'Yes'],
    ['List', 'a, B: 1'],
    ['To string', 'c'],
  ]);
});

test('TEXT-7: a missing attribute is empty, even if objects inherit a property of that name', () => {
  expect(attribute({}, 'constructor', 'toString', '__proto__')).toBe('');
  expect(recordsOf({ items: ['a', { b: 1 }] }, 'rows', 'items')).toEqual([{ b: 1 }]);
});

test.each([
  ['1,204.50', 1204.5],
  ['+1.2 %', 1.2],
  ['−3', -3],
  ['$4', 4],
  ['n/a', undefined],
  ['', undefined],
])('TEXT-7: %j is the number %j', (text, expected) => {
  expect(numberOf(text)).toBe(expected);
});

test.each([
  ['👍', true],
  ['👍 🎉\n❤️', true],
  ['👩‍👩‍👧‍👦🇩🇪👍🏽', true],
  ['1️⃣', true],
  ['👍👍👍👍', false],
  ['ok 👍', false],
  ['12', false],
  ['', false],
  ['👩‍'.repeat(40), false],
])('TEXT-7: %j is shown large: %j', (text, expected) => {
  expect(isFewEmoji(text)).toBe(expected);
});
