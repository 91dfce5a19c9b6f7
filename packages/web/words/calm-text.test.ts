import { expect, test } from 'vitest';
import { calmText } from './calm-text.ts';

test.each(['Zoë', 'e\u0301', 'ཀྵྨྲྀ', 'ก็ฏี๎', '👩‍👩‍👧‍👦 👨🏽‍🚀 ❤️‍🔥', 'क्ष्म्य', 'نٓ'])('WEB-475: %s is drawn as it is written', (text) => {
  expect(calmText(text)).toBe(text);
});

test('WEB-475: marks that pile up on one letter are drawn up to the eighth', () => {
  expect(calmText(`a${'\u0301'.repeat(80_000)}b`)).toBe(`a${'\u0301'.repeat(8)}b`);
  expect(calmText(`😀${'\u200D😀'.repeat(30_000)}!`).length).toBeLessThan(60);
});
