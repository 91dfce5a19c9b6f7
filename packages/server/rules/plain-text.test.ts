import { runsOf } from '@parley/testing/depth.ts';
import { isLinear } from '@parley/testing/clocks/linear-time.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

const rows: [markdown: string, plain: string][] = [
  ['hello there', 'hello there'],
  ['**bold**, *slanted*, __bold__, _slanted_, ***both***, ~~gone~~', 'bold, slanted, bold, slanted, both, gone'],
  ['2 * 3 * 4 = 24, snake_case_name, 5 ~ 6, a ** b', '2 * 3 * 4 = 24, snake_case_name, 5 ~ 6, a ** b'],
  ['an *open run, a lone ] and [ bracket', 'an *open run, a lone ] and [ bracket'],
  ['`code`, ``a ` tick`` and **`both`**', 'code, a ` tick and both'],
  ['[a link](https://example.com/a_(b) "title"), ![a picture](https://a.example/x.png)', 'a link, a picture'],
  ['[named][ref] and ![a picture](x.png)', '[named][ref] and ![a picture](x.png)'],
  ['[not a link] and [x] (spaced)', '[not a link] and [x] (spaced)'],
  [
    '<https://example.com/a_b_c> and <mailto:me@example.com>, 1 < 2 > 0',
    'https://example.com/a_b_c and mailto:me@example.com, 1 < 2 > 0',
  ],
  ['\\*literally\\* and C:\\dir', '*literally* and C:\\dir'],
  ['# Title\n\ntext\n\n---\n\nend', 'Title\ntext\nend'],
  ['- one\n- two\n\n1. first\n2. second', 'one\ntwo\nfirst\nsecond'],
  ['> quoted\n> and more\nand lazy', 'quoted\nand more\nand lazy'],
  ['before\n\n```js\nconst a = "**b**";\n```\n\nafter', 'before\nconst a = "**b**";\nafter'],
  ['    indented code', 'indented code'],
  ['{% card title="a %} b" /%}Hello {% b %}there{% /b %}', 'Hello there'],
  ['`{% code %}` and 100% of {% nothing', '{% code %} and 100% of {% nothing'],
  ['one\r\ntwo\t\tthree   four\n\n\n\nfive', 'one\ntwo three four\nfive'],
  ['😀 **ok** 👩‍👩‍👧', '😀 ok 👩‍👩‍👧'],
  ['{% card /%}', ''],
  ['', ''],
];

test.each(rows)('PUSH-4: %j reads %j', (markdown, plain) => {
  expect(plainText(markdown, 1_000)).toBe(plain);
});

test('PUSH-4: the plain text has at least the requested length, and a long text is not converted completely', () => {
  const long = Array.from({ length: 1_000 }, (_, at) => `paragraph ${at}`).join('\n\n');
  const plain = plainText(long, 240);
  expect(plain.length).toBeGreaterThanOrEqual(240);
  expect(plain.length).toBeLessThan(300);
});

test('PUSH-4: text without marks is unchanged', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀', '.', ',', '?'), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
      const text = `x${words.join(' ')}`;
      expect(plainText(text, 10_000)).toBe(text);
    }),
  );
});

test('PUSH-4: any text converts without an error, and only to letters that it contains', () => {
  const unit = fc.constantFrom(
    '*',
    '_',
    '~',
    '`',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '!',
    '\\',
    '#',
    '-',
    '\n',
    ' ',
    '{%',
    '%}',
    '"',
    'a',
    'b',
    '😀',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 80 }), (text) => {
      const plain = plainText(text, 10_000);
      expect(plain.isWellFormed()).toBe(true);
      expect(plain.replaceAll(/[^ab]/g, '').length).toBeLessThanOrEqual(text.replaceAll(/[^ab]/g, '').length);
    }),
    { numRuns: runsOf(2_000) },
  );
});

const unfriendly = ['*', '[', '[](', '](', '<a:', '`', '{%', '\\', '> ', '[x](y', '_a', '!['];
test.each(unfriendly)('ERR-12: the time for %j, repeated many times, is linear in the text', (piece) => {
  const textOf = (size: number) => piece.repeat(size / piece.length);
  expect(isLinear((text) => plainText(text, 240), textOf, 16 * 1024)).toBe(true);
});
