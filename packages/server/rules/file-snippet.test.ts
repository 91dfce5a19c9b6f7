import { runsOf } from '@parley/testing/depth.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileSnippetOf } from './file-snippet.ts';
import { fileTermsOf, fileTermsOfQuery } from './file-terms.ts';
import { parseQuery, type SearchQuery } from './search-query.ts';
import { HIT_END, HIT_START, snippetOf, type Steps } from './search-snippet.ts';
import { wordsOf } from './search-words.ts';

const marked = (text: string, query: string, name = 'plan.pdf') =>
  fileSnippetOf({ name, text }, parseQuery(query))?.replaceAll(HIT_START, '[').replaceAll(HIT_END, ']');

const filler = (count: number) => 'some words in between '.repeat(count);

test.each([
  ['at the beginning', 'The budget of the harbour', 'budget', 'The [budget] of the harbour'],
  ['after 100,000 characters', `${filler(5_000)}the budget`, 'budg', /^….*the \[budget\]$/],
  ['two words far apart', `budget ${filler(2_000)} harbour`, 'harbour budget', /^\[budget\] some .*…$/],
  ['one word is missing', `budget ${filler(2_000)}`, 'harbour budget', undefined],
  ['a phrase', `early a train, the early train`, '"early train"', 'early a train, the [early train]'],
  ['the words of a phrase apart', `early ${filler(300)} train`, '"early train"', undefined],
  ['one word in the name', `${filler(10)}budget`, 'plan budget', /\[budget\]$/],
  ['all words in the name', 'nothing of it', 'plan', undefined],
  ['Japanese', `${'あいう'.repeat(3_000)}東京タワーに行く`, '京タワ', /東\[京タワ\]ーに行く$/],
  ['characters of a Japanese word apart', '京あワいタ'.repeat(3_000), '京タワ', undefined],
  ['accents', `${filler(300)}Crème brûlée`, 'creme BRULEE', /\[Crème\] \[brûlée\]$/],
  ['half-width letters with a mark of their own', `${filler(300)}ﾊﾟｿｺﾝ`, 'ﾊﾟｿ', /\[ﾊﾟｿ\]ｺﾝ$/],
  ['characters with a sign in between', `${filler(300)}東㌀京`, '東京', /\[東㌀京\]$/],
  ['a Thai character with a further mark', `${filler(300)}ที่นี่`, 'ที', /\[ที่\]นี่$/],
  ['a part of a word', `${'x'.repeat(4_090)} maintrain`, 'train', undefined],
])('SEARCH-20, SEARCH-22: %s', (_, text, query, snippet) => {
  const found = marked(text, query);
  if (snippet instanceof RegExp) expect(found).toMatch(snippet);
  else expect(found).toBe(snippet);
  if (snippet !== undefined) expect(isNamed(`plan.pdf ${text}`, parseQuery(query))).toBe(true);
});

/** Whether the index of files names a text for a query. */
function isNamed(text: string, query: SearchQuery): boolean {
  const terms = [...fileTermsOf(wordsOf(text))];
  return fileTermsOfQuery(query).every(({ term, isPrefix }) =>
    terms.some((one) => (isPrefix ? one.startsWith(term) : one === term)),
  );
}

const pieces = fc.array(
  fc.constantFrom(
    'early',
    'train',
    'trains',
    'Straße',
    'éa',
    'ｅarly',
    '東',
    '京',
    'が',
    ' ',
    ' ',
    '-',
    '\n',
    filler(3),
    '𠀀',
    'ﾊ',
    'ﾟ',
    '㌀',
    'ที',
    '่',
  ),
  { maxLength: 400 },
);

test('SEARCH-20: in any text a piece-wise search finds what a search word by word finds, and the index names it', () => {
  const query = fc.constantFrom(
    'early',
    'trai',
    '"early train"',
    '東京',
    '京 early',
    'strasse',
    'が東',
    'early-train',
    '𠀀',
    'ﾊﾟ',
    '京 ที',
    '東京ที',
    '東㌀京',
  );
  fc.assert(
    fc.property(pieces, query, (given, asked) => {
      const text = given.join('');
      const parsed = parseQuery(asked);
      const snippet = fileSnippetOf({ name: '', text }, parsed);
      expect(snippet === undefined).toBe(snippetOf(text, parsed) === undefined);
      if (snippet === undefined) return;
      expect(snippet).toContain(HIT_START);
      expect(isNamed(text, parsed)).toBe(true);
    }),
    { numRuns: runsOf(300) },
  );
});

test('SEARCH-22: a phrase and a run of characters are found at every place, also where two pieces meet', () => {
  for (let before = 4_070; before < 4_110; before += 1) {
    expect(
      marked(`${'- '.repeat(before / 2)}${'x'.repeat(before % 2)} early train, ${filler(300)}`, '"early train"'),
    ).toContain('[early train]');
    expect(marked(`${'あ'.repeat(before)}東京タワー${'い'.repeat(5_000)}`, '京タワ')).toContain('[京タワ]');
    expect(marked(`${' '.repeat(before)}trains`, '"train"')).toBeUndefined();
    expect(marked(`${'あ'.repeat(before)}maintrain${'い'.repeat(5_000)}`, 'train')).toBeUndefined();
  }
});

test('SEARCH-22: in a long text only the pieces that may hold a hit are read word by word', () => {
  const steps: Steps = { count: 0 };
  fileSnippetOf({ name: '', text: `${filler(5_000)}needle` }, parseQuery('needle'), steps);
  expect(steps.count).toBeLessThan(50_000);
});
