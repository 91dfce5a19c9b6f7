import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PassageSearch, termsOfQuestion, wordsIndex } from './passage-index.ts';

const best = (question: string, ...texts: (string | { heading: string; text: string })[]): number[] => {
  const search = new PassageSearch<null>(termsOfQuestion(question));
  search.add(null, wordsIndex(texts.map((text) => (typeof text === 'string' ? { text } : text))));
  return search.best().map(({ passage }) => passage);
};

test('KNOW-7: words count more the rarer they are, in headings, and as they are', () => {
  expect(best('red fox', 'a red car', 'a red bus', 'a fox')).toEqual([2, expect.any(Number), expect.any(Number)]);
  expect(best('fox', 'a fox runs here', { heading: 'The fox', text: 'It runs here.' })).toEqual([1, 0]);
  expect(best('contract', 'the contracts', 'the contract')).toEqual([1, 0]);
  expect(best('policies', 'our policy', 'our office')).toEqual([0]);
  expect(best('state', 'the station')).toEqual([]);
  expect(best('cat', 'the catalogue')).toEqual([]);
});

test('KNOW-7: two characters of scripts without spaces are one word, with a space or a sign between them none', () => {
  expect(termsOfQuestion('有給休暇 days')).toEqual(['有給', '給休', '休暇', 'days']);
  expect(termsOfQuestion('年 days')).toEqual(['年', 'days']);
  expect(best('休暇', '休む暇', '休暇は')).toEqual([1]);
});

test('KNOW-7: several indexes are compared as one, and no word, sign or order of passages confuses them', () => {
  const search = new PassageSearch<string>(termsOfQuestion('needle'));
  search.add('a', wordsIndex([{ text: '' }, { text: 'hay hay hay needle' }]));
  search.add('b', wordsIndex([{ text: 'needle' }]));
  expect(search.best().map(({ of, passage }) => [of, passage])).toEqual([
    ['b', 0],
    ['a', 1],
  ]);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { minLength: 1, maxLength: 12 }), (texts) => {
      const index = wordsIndex(texts.map((text) => ({ text })));
      for (const [at, text] of texts.entries()) {
        const terms = termsOfQuestion(text);
        const own = new PassageSearch<null>(terms);
        own.add(null, index);
        const found = own.best().find(({ passage }) => passage === at);
        expect(found?.words ?? 0).toBe(terms.length);
      }
    }),
  );
});
