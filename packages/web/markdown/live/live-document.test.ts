import { runsOf } from '@parley/testing/depth.ts';
import { normalized, parseMarkdown, placedBlocks, textOfBlocks } from '@parley/markdown';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLinear } from '../../../testing/clocks/linear-time.ts';
import { LiveDocument } from './live-document.ts';

const pieces = [
  '# a\n',
  'text **bold** ',
  '*',
  '`code` ',
  '\n',
  '\n\n',
  '- item\n',
  '  - inner\n',
  '1. one\n',
  '```js\nlet a\n```\n',
  '```',
  '> quote\n',
  '| a | b |\n',
  '|---|---|\n',
  '| 1 | 2 |\n',
  '---\n',
  '{% card title="x" /%}',
  '{% form %}\n',
  '{% /form %}',
  '{% card %}',
  '{% /card %}',
  '[a](https://b.example)',
  '[',
  '](',
  '\\',
  '    code\n',
  '@bob ',
  'word ',
  '{',
  '%',
  '-',
  '#',
  '|',
  '\r\n',
];
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 24, size: 'max' }).map((parts) => parts.join(''));

/** Nothing of these texts is cut. */
const UNCUT = 1_000;

/** Reads a text token by token and collects what is shown after each. */
function stream(text: string) {
  const document = new LiveDocument();
  return {
    document,
    frames: Array.from({ length: text.length }, (_, at) => document.read(text.slice(0, at + 1), true, UNCUT)),
  };
}

test('TEXT-5: finished blocks stay the same objects, and the result equals parsing the whole text', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { document, frames } = stream(text);
      for (const [at, frame] of frames.entries()) {
        // The last two blocks can change: the first line of the last one can end the one before.
        const finished = Math.max(0, placedBlocks(normalized(text.slice(0, at)), 0, { isLive: true }).length - 2);
        for (let place = 0; place < finished; place += 1) expect(frame[place]).toBe(frames[at - 1]?.[place]);
      }
      expect(document.read(text, false, UNCUT)).toEqual(parseMarkdown(text));
    }),
    { numRuns: runsOf(600) },
  );
});

test('TEXT-5: what a prefix shows does not depend on how it was split into deltas', () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const [at, frame] of stream(text).frames.entries()) {
        expect(frame).toEqual(new LiveDocument().read(text.slice(0, at + 1), true, UNCUT));
      }
    }),
    { numRuns: runsOf(150) },
  );
});

test.each([
  '{% card title="x" /%}{% form %}\n# a\n{% card %}# a\n# a\n{% /form %}# a\n',
  '{% card %}{% /card %}```js\nlet a\n```\n{% form %}\n# a\n# a\n',
  '{% form %}\n{% /form %}```js\nlet a\n```\n{% card %}',
  '{% /card %}{% form %}\n# a\n{% card %}# a\n# a\n{% /form %}',
])('TEXT-5: %j looks the same however much of it was parsed before', (text) => {
  for (const [at, frame] of stream(text).frames.entries())
    expect(frame).toEqual(new LiveDocument().read(text.slice(0, at + 1), true, UNCUT));
});

const shown = (text: string): string => textOfBlocks(new LiveDocument().read(text, true));
test.each([
  ['a **bo', 'a bo'],
  ['a **bold `co', 'a bold co'],
  ['a [link](https://b.exa', 'a link'],
  ['a [link](https://b.example "ti tl', 'a link'],
  ['a [li **nk', 'a li nk'],
  ['a ***bo', 'a bo'],
  ['a **b *c', 'a b c'],
  ['a ~~bo', 'a bo'],
  ['# a **bo', 'a bo'],
  ['> - a ``b ` c', 'a b ` c'],
  ['| a | b |\n|---|---|\n| c | **d', 'a\tb\nc\td'],
  ['这是**“重', '这是“重'],
  ['a **bo\n\n', 'a **bo'],
  ['a ![pic](https://b.exa', 'a '],
  ['a {% card title="x', 'a '],
  ['a {%', 'a '],
  ['- a\n-', 'a'],
  ['| a | b |', 'a\tb'],
  ['| a | b |\n|--', 'a\tb'],
  ['```js\nlet {%', 'js\nlet {%'],
  ['```js\n**a', 'js\n**a'],
  ['a {% other', 'a {% other'],
])('TEXT-5: an unfinished mark is hidden: %j', (text, expected) => {
  expect(shown(text).trim()).toBe(expected.trim());
});

test('TEXT-5: an open tag shows its content; it becomes text if it never ends', () => {
  const document = new LiveDocument();
  expect(document.read('{% form id="a" %}\nhello', true)).toMatchObject([{ kind: 'tag', name: 'form' }]);
  expect(document.read('{% form id="a" %}\nhello', false)).toMatchObject([{ kind: 'paragraph' }]);
});

test('TEXT-5: a text that was replaced is parsed from the start', () => {
  const document = new LiveDocument();
  document.read('a\n\nb\n\nc\n\nd', true);
  expect(textOfBlocks(document.read('x\n\ny', true))).toBe('x\ny');
});

test('TEXT-5: a finished list item stays the same object', () => {
  const document = new LiveDocument();
  const [first] = document.read('- a\n- b', true);
  const [second] = document.read('- a\n- b\n- c', true);
  if (first?.kind !== 'list' || second?.kind !== 'list') throw new Error('they are lists');
  expect(second.items[0]).toBe(first.items[0]);
});

test.each(['**a ', '[', '`', '{% card ', '- a\n', 'a\n\n', '| a |\n', '{% card %}\n'])(
  'TEXT-3: parsing a token after many %j takes linear time',
  (piece) => {
    const textOf = (size: number) => piece.repeat(size / piece.length);
    expect(isLinear((text) => new LiveDocument().read(text, true), textOf, 2 * 1024)).toBe(true);
  },
);
