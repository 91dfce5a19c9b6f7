import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNear, nearWords } from './near-words.ts';
import { forgiving, parseQuery } from './search-query.ts';

const near = (term: string, found: string): boolean => {
  const words = nearWords(term);
  return words !== undefined && isNear(found, words);
};

test.each([
  ['budgte', 'budget'],
  ['budet', 'budget'],
  ['budgget', 'budget'],
  ['bugget', 'budget'],
  ['vudget', 'budget'],
  ['ubdget', 'budget'],
  ['udget', 'budget'],
  ['bbudget', 'budget'],
  ['budgst', 'budgets'],
  ['budgex', 'budget'],
  ['budgetx', 'budget'],
  ['бюджот', 'бюджет'],
  ['δρόμοσς'.normalize('NFD').replaceAll(/\p{M}/gu, ''), 'δρομος'.replace('ς', 'σ')],
])('SEARCH-24: %s finds %s', (typed, word) => {
  expect(near(typed, word)).toBe(true);
});

test.each([
  ['budget', 'gadget'],
  ['hello', 'hellish'],
  ['train', 'brain stem'.slice(0, 4)],
  ['buegdt', 'budget'],
  ['plan', 'plane'],
  ['2024a', '2025a'],
])('SEARCH-24: %s does not find %s', (typed, word) => {
  expect(near(typed, word)).toBe(false);
});

const letter = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j');
const word = fc.array(letter, { minLength: 5, maxLength: 9 }).map((letters) => letters.join(''));

test('SEARCH-24: whatever letter is wrong, missing, too many or swapped, the word is found', () => {
  fc.assert(
    fc.property(
      word,
      letter,
      fc.nat(8),
      fc.constantFrom('replace', 'insert', 'delete', 'swap'),
      (right, other, at, how) => {
        const place = at % right.length;
        const [before, after] = [right.slice(0, place), right.slice(place)];
        const typed = {
          replace: before + other + after.slice(1),
          insert: before + other + after,
          delete: before + after.slice(1),
          swap: before + after.charAt(1) + after.charAt(0) + after.slice(2),
        }[how];
        fc.pre(typed.length >= 5);
        expect(near(typed, right)).toBe(true);
      },
    ),
  );
});

test('SEARCH-24: at most three words of a query are forgiven, and none in quotes', () => {
  const forgiven = (text: string) => forgiving(parseQuery(text))?.map(({ near: words }) => words !== undefined);
  expect(forgiven('monday tuesday wednesday thursday')).toEqual([true, true, true, false]);
  expect(forgiven('"trip budget" hotel x')).toEqual([false, true, false]);
  expect(forgiven('"trip budget" a plan')).toBeUndefined();
});
