import { expect, test } from 'vitest';
import { bestRank, nameRanker } from './name-rank.ts';

test.each([
  ['Harbour walk', 'wal', 3],
  ['Ólafur-Björn', 'björ', 3],
  ['Ólafur-Björn', 'bjorn olafur', 3],
  ['Harbour walk', 'walk harbour', 3],
  ['Harbour walk', 'harb', 2],
  ['Harbour walk', 'HARBOUR ', 1],
  ['Harbour walk', 'harbour walk', 0],
  ['東京旅行', '旅行', 3],
  ['!?', '!', 1],
  ['Harbour walk', 'alk', null],
  ['Harbour walk', 'harbour rome', null],
  ['Harbour walk', '!', null],
  ['Harbour walk', '', 0],
])('SEARCH-16, SEARCH-17: name %j matches %j with rank %j', (name, typed, rank) => {
  expect(nameRanker(typed)(name)).toBe(rank);
});

test('SEARCH-17: of several names the best one counts', () => {
  const rankOf = nameRanker('bob');
  expect(bestRank(rankOf, ['Bobby', 'bob'])).toBe(0);
  expect(bestRank(rankOf, ['Ann', 'ann'])).toBeNull();
  expect(bestRank(rankOf, [])).toBeNull();
});
