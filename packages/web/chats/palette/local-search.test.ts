import { expect, test } from 'vitest';
import { localSnippet } from './local-search.ts';

const shown = (text: string, ...words: string[]) =>
  localSnippet(text, words)?.replaceAll('\uE000', '(').replaceAll('\uE001', ')') ?? null;

test('a text is found if it contains a word with each beginning, whatever their case and accents', () => {
  expect(shown('The Büdget of our trip', 'budg', 'trip')).toBe('The (Büdget) of our (trip)');
  expect(shown('The budget', 'budget', 'trip')).toBeNull();
  expect(shown('debt', 'ebt')).toBeNull();
  expect(shown('東京旅行', '旅行')).toBe('(東京旅行)');
});

test('of a long text the part around the first hit is shown', () => {
  const snippet = shown(`${'before '.repeat(40)}needle${' behind'.repeat(40)}`, 'needle') ?? '';
  expect(snippet).toMatch(/^….*\(needle\).*…$/);
  expect(snippet.length).toBeLessThan(170);
});
