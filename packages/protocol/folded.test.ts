import { isLinear } from '@parley/testing/clocks/linear-time.ts';
import { expect, test } from 'vitest';
import { emojiForm } from './emoji-form.ts';
import { folded } from './folded.ts';
import { nameRanker } from './name-rank.ts';

test.each([
  ['Zoë', 'ZOE\u0308', 'zoe'],
  ['Straße', 'STRASSE'],
  ['Łukasz', 'lukasz'],
  ['Đorđe', 'dorde'],
  ['Søren', 'soren', 'SO\u0338REN'],
  ['İstanbul', 'istanbul', 'ıstanbul'],
  ['ﬁn ＡＢＣ', 'FIN abc'],
  ['ｶﾞｲﾄﾞ', 'ガイド'],
  ['น้ำ', 'น\u0e49\u0e4dา', 'น\u0e4d\u0e49า', 'นำ\u0e49'],
  ['ນ\u0ec9ຳ', 'ນ\u0ecd\u0ec9າ'],
  ['محمّد', 'مـحـمـد', 'محمد'],
  ['کتاب یاری', 'كتاب ياري'],
  ['٤٢ ۴۲ ४२ ๔๒ ４２', '42 42 42 42 42'],
  ['می\u200cروم', 'میروم'],
  ['soft\u00adhyphen\ufeff', 'softhyphen'],
  ['葛\u{e0100}', '葛'],
  ['ΟΔΟΣ', 'οδός'],
  ['Ёж', 'еж'],
])('SEARCH-16, ACCT-6: %j is compared as %j', (...texts) => {
  expect(new Set(texts.map(folded)).size).toBe(1);
});

test('SEARCH-16: what is another word stays another', () => {
  for (const [one, other] of [
    ['กา', 'ก้า'],
    ['が', 'か'],
    ['क', 'कि'],
    ['a b', 'ab'],
    ['1', '2'],
  ] as const)
    expect(folded(one)).not.toBe(folded(other));
});

test('SEARCH-16: a folded text stays the same when it is folded again', () => {
  for (let code = 0x20; code < 0x3_00_00; code += 1) {
    if (code >= 0xd8_00 && code <= 0xdf_ff) continue;
    const form = folded(String.fromCodePoint(code));
    if (folded(form) !== form) expect(`U+${code.toString(16)} ${folded(form)}`).toBe(form);
  }
});

test('SEARCH-16: names are ranked by their compared form', () => {
  expect(nameRanker('soren')('Søren Kierkegaard')).toBe(1);
  expect(nameRanker('２')('Gruppe ٢')).toBe(3);
  expect(nameRanker('ガイド')('ｶﾞｲﾄﾞ')).toBe(0);
});

test('ERR-13: folding a text of many marks takes linear time', () => {
  for (const piece of ['\u0301\u0323', '\u0e4d\u0e48', 'ﾞ', '٣', '\u200d'])
    expect(isLinear(folded, (size) => piece.repeat(size / piece.length), 65_536)).toBe(true);
});

test.each([
  ['❤', '❤\ufe0f'],
  ['👍\ufe0f', '👍'],
  ['☝\ufe0f🏽', '☝🏽'],
  ['❤\u200d🔥', '❤\ufe0f\u200d🔥'],
  ['👁\ufe0f\u200d🗨', '👁\ufe0f\u200d🗨\ufe0f'],
  ['1\u20e3', '1\ufe0f\u20e3'],
  ['🏳\u200d🌈', '🏳\ufe0f\u200d🌈'],
  ['1', '1'],
  [':parrot:', ':parrot:'],
  ['ok', 'ok'],
  ['🇩🇪', '🇩🇪'],
])('REACT-7: the form of %j is %j', (given, form) => {
  expect(emojiForm(given)).toBe(form);
  expect(emojiForm(form)).toBe(form);
});
