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
  ['Łódź Đà Ærø ĦŦ', ['lodz', 'da', 'aero', 'ht']],
  ['العـــربية كتاب ڪ کتاب', ['العربية', 'كتاب', 'ڪ', 'كتاب']],
  ['٣ ۴۵ ३६ ４２ ²', ['3', '45', '36', '42', '2']],
  ['ปี๒๕๖๗', ['ป\u0e35', '2567']],
  ['น้ำ น\u0e49\u0e4dา น\u0e4d\u0e49า นำ\u0e49', Array(4).fill('น\u0e49\u0e4dา')],
  ['ນ\u0ec9ຳ ນ\u0ecd\u0ec9າ', Array(2).fill('ນ\u0ec9\u0ecdາ')],
  ['ໜ ຫນ', ['ຫ', 'ນ', 'ຫ', 'ນ']],
  ['ｶﾞﾊﾟ ガパ', ['ガ', 'パ', 'ガ', 'パ']],
  ['exam\u00adple می\u200cخواهم ze\u200bro \u2068ab\u2069c', ['example', 'ميخواهم', 'zero', 'abc']],
  ['葛\u{e0100}飾 क\u200dष', ['葛', '飾', 'कष']],
  ['м’яч мʼяч', ['м', 'яч', 'м', 'яч']],
  ['re\u0301sume\u0301 résumé', ['resume', 'resume']],
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

test('SEARCH-3, SEARCH-8: a word has its place in the text as it was written, whatever form is compared', () => {
  const text = '｢ﾊﾟﾊﾟ｣ inter\u00adnational น\u0e49ำ ๒๕๖๗ م\u0640ن ໜ';
  const places = Array.from(wordsOf(text), ({ start, end }) => text.slice(start, end));
  expect(places).toEqual(['ﾊﾟ', 'ﾊﾟ', 'inter\u00adnational', 'น\u0e49ำ', '๒๕๖๗', 'م\u0640ن', 'ໜ', 'ໜ']);
});

test('SEARCH-3: very long words are compared by their first 64 characters', () => {
  const [long] = termsOf('x'.repeat(100_000));
  expect(long).toHaveLength(64);
  expect(termsOf(`${'x'.repeat(63)}𠀀é`).every((term) => term.isWellFormed())).toBe(true);
});
