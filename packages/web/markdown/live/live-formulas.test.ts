import { runsOf } from '@parley/testing/depth.ts';
import { parseMarkdown, textOfBlocks } from '@parley/markdown';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLinear } from '../../../testing/clocks/linear-time.ts';
import { LiveDocument } from './live-document.ts';

const raw = String.raw;
const shown = (text: string): string => textOfBlocks(parseMarkdown(text));
const shownLive = (text: string): string => textOfBlocks(new LiveDocument().read(text, true));

test.each([
  raw`\( a_1 * b_2 * c \)`,
  raw`\[ \int_0^1 f\,dx \\[2pt] *a* \]`,
  '$$ **x** _y_ `z` $$',
  raw`so \(x_1\), \(y_1\) and $$z_1$$.`,
  raw`\(\left[ x \right](y)\)`,
  raw`\( @bob <https://a.example> {% card /%} \)`,
  '\\[\n- a\n+ b\n# c\n> d\n| e |\n|---|\n```\n= 0\n\\]',
  '$$\n\\begin{aligned}\n1. a &= b \\\\\n2. c &= d\n\\end{aligned}\n$$',
  'where \\[ a\n+ b \\] and $$c\n- d$$ stand',
])('TEXT-8: formulas in %j are shown as written', (text) => {
  expect(shown(text)).toBe(text);
  expect(parseMarkdown(text)).toHaveLength(1);
  const live = new LiveDocument();
  // Streamed in pieces: shown text of an open formula is never hidden again.
  for (let at = 1; at <= text.length; at += 1) {
    expect(text.startsWith(textOfBlocks(live.read(text.slice(0, at), true)).trimEnd())).toBe(true);
  }
  expect(live.read(text, false)).toEqual(parseMarkdown(text));
});

test.each([
  [raw`\[x\ and \]`, raw`\[x\ and \]`],
  [raw`\[not open`, '[not open'],
  [raw`\[\] \( \)`, '[] ( )'],
  [raw`\\(a\\)`, raw`\(a\)`],
  [raw`a \(b \\) c`, raw`a (b \) c`],
  ['from $5 to **$10**, or $$$ and **a** $$$', 'from $5 to $10, or $$$ and a $$$'],
  ['between $5 and **$10**, US$5_a_ or A$6_b_', 'between $5 and $10, US$5_a_ or A$6_b_'],
  ['$a_1$ and $b_1 + c_1$, so _d_', '$a_1$ and $b_1 + c_1$, so d'],
  ['${HOME}_a_/bin:${PATH}_b_ and `$x`', '${HOME}a/bin:${PATH}b and $x'],
  ['$ *a* $ and $*b*\n$', '$ a $ and $b\n$'],
  ['`\\(` and **a** `\\)`', '\\( and a \\)'],
  ['\\[\n- a\n\n\\]', '[\na\n]'],
  ['- \\[x_1\\]\n- _b_', '\\[x_1\\]\nb'],
  ['> $$\n> - a\n> $$', '$$\n- a\n$$'],
  ['**a \\(b*c\\) d**', 'a \\(b*c\\) d'],
  ['| \\(a_1\\) | _b_ |\n|---|---|\n| 1 | $$_c_$$ |', '\\(a_1\\)\tb\n1\t$$_c_$$'],
])('TEXT-8: %j reads %j', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test.each([
  [raw`a \(b_1 * c`, raw`a \(b_1 * c`],
  [raw`\[ x_{1`, raw`\[ x_{1`],
  ['$$\n- a\n- b', '$$\n- a\n- b'],
  ['- $$a_1 `b', '$$a_1 `b'],
  [raw`**so \(a_1\) is`, raw`so \(a_1\) is`],
  [raw`\(a_1\) and _b`, raw`\(a_1\) and b`],
  [raw`\(n![k\) *a`, raw`\(n![k\) a`],
  ['\\[x\n\n*a', '[x\na'],
])('TEXT-8: while streaming, %j reads %j', (text, expected) => {
  expect(shownLive(text).trimEnd()).toBe(expected);
});

test('TEXT-8: a text with formulas looks the same however it was split into deltas', () => {
  const pieces = [
    raw`\(`,
    raw`\)`,
    raw`\[`,
    raw`\]`,
    '$$',
    '$',
    '\\',
    'a_1',
    ' * ',
    '`',
    '\n',
    '\n\n',
    '- b\n',
    '**',
    '\n# c\n',
  ];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 24, size: 'max' }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const live = new LiveDocument();
      for (let at = 1; at <= text.length; at += 1) {
        const prefix = text.slice(0, at);
        expect(live.read(prefix, true)).toEqual(new LiveDocument().read(prefix, true));
      }
      expect(live.read(text, false)).toEqual(parseMarkdown(text));
    }),
    { numRuns: runsOf(500) },
  );
});

const hostile = [
  raw`\[`,
  raw`\( `,
  raw`\[ \\]`,
  '$$',
  '$$a',
  '\\[\n',
  '\\[\n- ',
  '$$a\n- b\n',
  '\\[a\\]\n- b\n',
  '\\(`',
  '\\',
];
test.each(hostile)('TEXT-3: finding formulas in many %j takes linear time', (piece) => {
  const textOf = (size: number) => piece.repeat(Math.ceil(size / piece.length));
  expect(isLinear((given) => parseMarkdown(given), textOf, 16 * 1024)).toBe(true);
  expect(isLinear((given) => new LiveDocument().read(given, true), textOf, 2 * 1024)).toBe(true);
});
