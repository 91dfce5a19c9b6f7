import { expect, test } from 'vitest';
import { wordsIn } from './word-ranges.ts';

test.each([
  ['an explanation of the plan', ['plan'], [22]],
  ['an explanation', ['plan'], [5]],
  ['Plan, plan', ['PLAN'], [0, 6]],
  ['c++ and c', ['c++'], [0]],
  ['東京に行く', ['行'], [3]],
  ['😀plan', ['plan'], [2]],
  ['nothing', [], []],
])('in %j the words %j are found at %j', (text, words, places) => {
  expect(wordsIn(text, words).map(({ index }) => index)).toEqual(places);
});
