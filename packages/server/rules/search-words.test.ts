import { expect, test } from 'vitest';
import { wordsOf } from './search-words.ts';

const termsOf = (text: string) => Array.from(wordsOf(text), ({ term }) => term);

test.each([
  ['Hello, World!', ['hello', 'world']],
  ["don't stop_me.now", ['don', 't', 'stop', 'me', 'now']],
  ['v2 2026-11-20', ['v2', '2026', '11', '20']],
  ['Crème BRÛLÉE', ['creme', 'brulee']],
  ['Straße STRASSE', ['strasse', 'strasse']],
  ['ﬁne ＡＢＣ', ['fine', 'abc']],
  ['İstanbul ISTANBUL ısı', ['istanbul', 'istanbul', 'isi']],
  ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
  ['Ёлка й', ['елка', 'и']],
  ['שָׁלוֹם سَلَام', ['שלום', 'سلام']],
  ['हिन्दी', ['हिन्दी']],
  ['한국어 검색', ['한국어', '검색']],
  ['東京タワー', ['東', '京', 'タ', 'ワ', 'ー']],
  ['今日はsunny。晴れ', ['今', '日', 'は', 'sunny', '晴', 'れ']],
  ['が か\u3099', ['が', 'が']],
  ['ภาษาไทย', ['ภ', 'า', 'ษ', 'า', 'ไ', 'ท', 'ย']],
  ['👍 … \u{e000}x\u{e001} "*^:()', ['x']],
  ['', []],
])('SEARCH-3, SEARCH-5: the words of %j', (text, terms) => {
  expect(termsOf(text)).toEqual(terms);
});

test('SEARCH-3: a word has its position in the text, even if its term has another length', () => {
  const text = 'so: ﬃne Straße 東京';
  const places = Array.from(wordsOf(text), ({ start, end }) => text.slice(start, end));
  expect(places).toEqual(['so', 'ﬃne', 'Straße', '東', '京']);
});

test('SEARCH-3: very long words are compared by their first 64 characters', () => {
  const [long] = termsOf('x'.repeat(100_000));
  expect(long).toHaveLength(64);
  expect(termsOf(`${'x'.repeat(63)}𠀀é`).every((term) => term.isWellFormed())).toBe(true);
});
