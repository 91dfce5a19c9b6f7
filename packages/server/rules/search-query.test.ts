import { expect, test } from 'vitest';
import { parseQuery } from './search-query.ts';

const shown = (text: string) => parseQuery(text).map(({ terms, isPrefix }) => terms.join('+') + (isPrefix ? '*' : ''));

test.each([
  ['early train', ['early*', 'train*']],
  ['  Early\ttrain  ', ['early*', 'train*']],
  ['"early train" seat', ['early+train', 'seat*']],
  ['“Early Train”', ['early+train']],
  ['"early', ['early']],
  ['early"train', ['early*', 'train']],
  ["don't", ['don+t']],
  ['example.com/a-page', ['example+com+a+page*']],
  ['a plan b', ['a', 'plan*', 'b']],
  ['東京 タワー', ['東+京', 'タ+ワ+ー']],
  ['train TRAIN "train"', ['train*', 'train']],
  ['OR AND NOT near(a b, 2) words:x ^y -z* {c}', ['or*', 'and*', 'not*', 'near+a', 'b', '2', 'words+x', 'y', 'z', 'c']],
  ['""', []],
  ['"*" … 👍 -:^', []],
])('SEARCH-3, SEARCH-4, SEARCH-5: %j asks for %j', (text, parts) => {
  expect(shown(text)).toEqual(parts);
});
