import { expect, test } from 'vitest';
import { mentionAt } from '@parley/markdown';
import { withoutMention } from './without-mention.ts';

test.each([
  ['@ann:helper what is up?', 'what is up?'],
  ['@Ann:Helper, what is up?', 'what is up?'],
  ['@ann:helper: what is up?', 'what is up?'],
  ['what is up, @ann:helper', 'what is up,'],
  ['what is @ann:helper up to?', 'what is up to?'],
  ['@ann:helper\nline two', 'line two'],
  ['@ann:helperx and @ann', '@ann:helperx and @ann'],
  ['mail x@ann:helper', 'mail x@ann:helper'],
  ['`@ann:helper` is my name', '`@ann:helper` is my name'],
  ['@ann:helper', ''],
  ['@ann:helper请看', '请看'],
  ['请@ann:helper看', '请看'],
  ['@ann:helperさん、@ann:helper님', 'さん、님'],
  ['ช่วย@ann:helperครับ', 'ช่วยครับ'],
  ['é@ann:helper e\u0301@ann:helper @ann:helperé', 'é@ann:helper e\u0301@ann:helper @ann:helperé'],
])('BOTSDK-1: the text of %j is %j', (text, said) => {
  expect(withoutMention(text, 'ann:helper')).toBe(said);
});

test('BOTSDK-1: what may stand beside a mention is what the service allows, for each character', () => {
  const chars = Array.from({ length: 0x2_00_00 }, (_, code) => code)
    .filter((code) => code > 0x20 && (code < 0xd8_00 || code > 0xdf_ff))
    .map((code) => String.fromCodePoint(code))
    // These are rather of an address, code, or a part of the name.
    .filter((char) => !/[\s.+\-`:\\A-Za-z0-9_]/.test(char));
  const lines = chars.flatMap((char) => [`|${char}@bob|`, `|@bob${char}|`]);
  const read = withoutMention(lines.join('\n'), 'bob').split('\n');
  const differing = lines.filter(
    (line, at) => (read[at] === line) !== (mentionAt(line, line.lastIndexOf('@bob')) !== 'bob'),
  );
  expect(differing).toEqual([]);
});
