import { runsOf } from '@parley/testing/depth.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLinear } from '@parley/testing/clocks/linear-time.ts';
import type { Mark, MarkKind } from './marks.ts';
import { normalized, parseMarkdown } from './parse.ts';
import { textOfBlocks } from './text-of.ts';
import type { Block, Inline } from './tree.ts';

/** The characters that each kind of mark may consist of: no other characters are ever hidden. */
const shapes: Readonly<Record<MarkKind, RegExp>> = {
  emphasis: /^(?:\*{1,2}|_{1,2}|~~)$/,
  'code span': /^`+$/,
  /** With the escaped character. */
  escape: /^\\[!-/:-@[-`{-~\n]$/,
  entity: /^&(?:[A-Za-z][A-Za-z\d]*|#\d+|#[xX][\da-fA-F]+);$/,
  'link open': /^!?\[$/,
  /** An address as TEXT-2 allows it, however its characters are written, and a title. */
  'link target': /^\]\([ \t\n]*<?(?:https?|mailto|[\\&/])[^]*\)$/i,
  autolink: /^[<>]$/,
  fence: /^(?:`{3,}|~{3,})[ \t]*$/,
  heading: /^#+$/,
  rule: /^(?:[*\s]{3,}|[-\s]{3,}|[_\s]{3,})$/,
  quote: /^>$/,
  'list marker': /^(?:[-*+]|\d{1,9}[.)])$/,
  footnote: /^(?:\[\^|\]:?)$/,
  task: /^\[[ xX]\]$/,
  'table bar': /^\|$/,
  'table rule': /^[-:| \t]+$/,
  tag: /^\{%[^]*%\}$/,
};
const paired: readonly MarkKind[] = ['emphasis', 'code span', 'autolink', 'link open'];

/** Divided by spaces; `·` is a space, `⏎` a line end. */
const words = (text: string): string[] =>
  text.split(' ').map((word) => word.replaceAll('·', ' ').replaceAll('⏎', '\n'));
const pieces = [
  ...words('* ** *** _ __ ~~ ~ ` `` ``` ```js⏎ ~~~ \\ [ ![ ] ]( ) ( < > | |-| \\| % " word ·'),
  ...words(
    '](https://a.example/b) ](javascript:alert(1)) ](/files/x.png) ](data:text/html,x·"t") ](<https://a.example>·"t")',
  ),
  ...words(
    'https://a.example/x_y www.b.example <https://c.example> <mailto:a@b.c> <script> </script> <img·onerror=x> javascript:',
  ),
  ...words(
    '#· ##·x·## >· -· *· +· 1.· 2)· [x]· [^1] [^12]:· --- ***⏎ ···· ·· ⏎ ⏎⏎ |·a·|·b·|⏎|---|:-:|⏎ &amp; &#106; @bob @ann:helper 😀 é',
  ),
  ...words('{% %} /%} {%·card·title="x"·/%} {%·card·%} {%·/card·%} {%·nothing·/%} {%·/form·%} {%·form·id=1·%}'),
  ...words('{%·button·action="a"·%} {%·/button·%} {%·card·title=$x·/%} {%·card·title="a⏎⏎b"·/%}'),
  ...words(String.raw`\( \) \[ \] $$ $ \[⏎ ⏎\]`),
  '\t',
  '\r\n',
  '\u202e',
  '\ud800',
  '\u0000',
];
const texts = fc.array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...pieces) }, fc.string({ maxLength: 4 })), {
  maxLength: 40,
  // The default maximum would be ten pieces.
  size: 'max',
});
const text = texts.map((parts) => parts.join(''));
const solid = (shown: string): string => shown.replaceAll(/\s+/g, '');

test('TEXT-1: all of a text except its marks is shown, in order', () => {
  fc.assert(
    fc.property(text, (given) => {
      const source = normalized(given);
      const marks: Mark[] = [];
      const blocks = parseMarkdown(given, (mark) => marks.push(mark));
      for (const { kind, start, end } of marks) {
        // A tag may span several lines of a quote.
        expect(source.slice(start, kind === 'escape' ? end + 1 : end)).toMatch(shapes[kind]);
      }
      const units = source.split('');
      for (const { start, end, shown = '' } of marks) units.fill('', start, end).splice(start, 1, shown);
      const left = units.join('');
      expect(solid(textOfBlocks(blocks))).toBe(solid(left));
    }),
    { numRuns: runsOf(6_000) },
  );
});

test('TEXT-1: paired marks are hidden in pairs, around some content', () => {
  fc.assert(
    fc.property(text, (given) => {
      const source = normalized(given);
      const marks: Mark[] = [];
      parseMarkdown(given, (mark) => marks.push(mark));
      const piece = ({ start, end }: Mark): string => source.slice(start, end);
      for (const kind of paired) {
        const ofKind = marks.filter((mark) => mark.kind === kind);
        if (kind === 'link open')
          expect(ofKind.length).toBe(marks.filter((mark) => mark.kind === 'link target').length);
        else expect(ofKind.length % 2).toBe(0);
      }
      // Marks are reported in order: each closes the last open one or opens another.
      const open: string[] = [];
      for (const mark of marks.filter(({ kind }) => kind === 'emphasis' || kind.startsWith('link'))) {
        const shape = mark.kind === 'emphasis' ? piece(mark) : 'link';
        if (open.at(-1) === shape && mark.kind !== 'link open') open.pop();
        else {
          expect(mark.kind).not.toBe('link target');
          open.push(shape);
        }
      }
      expect(open).toEqual([]);
    }),
    { numRuns: runsOf(3_000) },
  );
});

function* inlinesIn(blocks: readonly Block[]): Generator<Inline> {
  for (const block of blocks) {
    if (block.kind === 'paragraph' || block.kind === 'heading') yield* deep(block.children);
    else if (block.kind === 'quote' || block.kind === 'tag') yield* inlinesIn(block.blocks);
    else if (block.kind === 'list') for (const item of block.items) yield* inlinesIn(item.blocks);
    else if (block.kind === 'table') for (const cell of [block.head, ...block.rows].flat()) yield* deep(cell);
  }
}

function* deep(inlines: readonly Inline[]): Generator<Inline> {
  for (const inline of inlines) {
    yield inline;
    if ('children' in inline) yield* deep(inline.children);
  }
}

test('TEXT-2: no node has an address of another scheme', () => {
  const scheme = fc.constantFrom(
    'javascript:',
    'JaVaScRiPt:',
    'java\tscript:',
    'data:text/html,',
    'vbscript:',
    'file:///',
    'blob:',
    '//evil.example/',
    '\\\\e\\',
    'https:\\\\e',
    'http:',
    'https://a@b.example',
    'http://',
    ' javascript:',
    '\u0001javascript:',
    '/api/',
    '/files/../api/x',
    'mailto:',
  );
  const address = fc.tuple(scheme, fc.string({ maxLength: 8 })).map((parts) => parts.join(''));
  const link = fc.tuple(
    fc.constantFrom('[x](', '![x](', '[x](<', '<', ''),
    address,
    fc.constantFrom(')', '>)', '>', '', ' "t")'),
  );
  const linked = fc
    .array(
      fc.oneof(
        link.map((parts) => parts.join('')),
        text,
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join(' '));
  fc.assert(
    fc.property(linked, (given) => {
      for (const inline of inlinesIn(parseMarkdown(given))) {
        if (inline.kind === 'link') expect(['http:', 'https:', 'mailto:']).toContain(new URL(inline.url).protocol);
        if (inline.kind !== 'image') continue;
        const url = new URL(inline.url, 'https://own.example');
        expect(['http:', 'https:']).toContain(url.protocol);
        if (url.host === 'own.example') expect(url.pathname).toMatch(/^\/files\//);
      }
    }),
    { numRuns: runsOf(4_000) },
  );
});

const hostile = [
  '*',
  '**',
  '*a ',
  '**a _b ',
  '[',
  '[[a]',
  '](',
  '[](',
  '![',
  '[a](b',
  '[x](https://a.b)',
  '`',
  '` ``',
  '`a',
  '<',
  '<https://',
  'http://',
  'www.',
  'https://a.b)',
  '@',
  '@a:',
  '\\',
  '~~',
  '~~a',
  '> ',
  '>',
  '- ',
  '- a\n',
  '1. ',
  ' - a\n',
  '  - a\n    ',
  '# ',
  '|',
  '| a ',
  '|-|\n',
  'a|b\n-|-\n',
  '---\n',
  '```\n',
  '~~~\n',
  '{%',
  '{% {% ',
  '{% card ',
  '{% card a="',
  '{% card /%}',
  '{% card %}',
  '{% card %}\n',
  '{% card %}{% /card %}\n',
  '{% /card %}',
  '`{% card /%}',
  '{% button action="a" %}',
  '{% button %}x{% /button %}',
  '{% card a=[[[[',
  '{% card a=[1,',
  '\n',
  ' \n',
  '\t',
  'a\n',
  '_a',
  '*_',
  '***a',
  ')',
  '(((',
  '```',
  '" ',
  '{% "',
  '&',
  '&amp',
  '&#',
  'a\\\n',
  '](<',
  '](<a\\',
  '](a(',
  '](a "',
  "](a 'b\\",
  '](a (',
  '[a](b)(',
  '- a\nb\n',
  '- ```\nb\n',
  '- > a\nb\n',
  '-\ta\n',
  '| \\| ',
  'https://中',
  'https://a/中;',
  '中**"',
  '<a@',
  '\r',
];
test.each(hostile)('TEXT-3: parsing many %j takes linear time', (piece) => {
  const textOf = (size: number) => piece.repeat(Math.ceil(size / piece.length));
  expect(isLinear((given) => parseMarkdown(given), textOf, 16 * 1024)).toBe(true);
});

/** Many openings, followed by one end or by as many ends. */
const opened: readonly (readonly [opening: string, end: string])[] = [
  ['{% card ', ' %}'],
  ['{% card a="', '" %}'],
  ['{% card a=[', '] /%}'],
  ['{% button action="a" %}', '{% /button %}'],
  ['{% card %}', '{% /card %}'],
  ['[', '](https://a.example)'],
  ['*a ', 'a*'],
  ['*a ', 'a_ '],
  ['**a ', 'a* '],
  ['`` a ` b ', '```'],
  ['<https://a', '>'],
  ['- ', 'a\nb\n'],
  ['[a](b(', ')'],
  ['[a](b "', '")'],
];
test.each(opened)('TEXT-3: parsing many %j followed by %j takes linear time', (opening, end) => {
  const once = (size: number) => `${opening.repeat(size / opening.length)}${end}`;
  const each = (size: number) => `${opening.repeat(size / 2 / opening.length)}${end.repeat(size / 2 / end.length)}`;
  expect(isLinear((given) => parseMarkdown(given), once, 16 * 1024)).toBe(true);
  expect(isLinear((given) => parseMarkdown(given), each, 16 * 1024)).toBe(true);
});

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const nested: readonly (readonly [opening: string, end: string])[] = [
  ['> ', ''],
  ['- ', ''],
  ['1. ', ''],
  ['> - ', ''],
  ['*a **b ', ' b** a*'],
  ['_a ~~b ', ' b~~ a_'],
  ['**', '**'],
  ['[', '](https://a.example)'],
  ['![', '](https://a.example)'],
  ['*[a', '](https://a.example)*'],
  ['{% card %}', '{% /card %}'],
];
test.each(nested)('TEXT-3: the tree of %j … %j, nested many times, has a bounded depth', (opening, end) => {
  expect(depthOf(parseMarkdown(`${opening.repeat(2_000)}x${end.repeat(2_000)}`))).toBeLessThan(120);
});
