import { runsOf } from '@parley/testing/depth.ts';
import { nodesIn, parseMarkdown } from '@parley/markdown';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMentions } from './mentions.ts';

const people = ['a', 'ann', 'bob', 'a:help', 'x'];

/** The participants that the app shows as mentioned. */
function shown(text: string): string[] {
  const names = new Set<string>();
  for (const node of nodesIn(parseMarkdown(text))) if (node.kind === 'mention') names.add(node.username);
  return [...names].filter((name) => people.includes(name));
}

const marks = [
  '*',
  '**',
  '_',
  '~~',
  '`',
  '``',
  '```',
  '```\n',
  '~~~',
  '\\',
  '[',
  '![',
  ']',
  '](',
  ')',
  '<',
  '>',
  '$$',
  '\\(',
  '\\)',
];
const lines = [
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '    ',
  '\t',
  ' ',
  '> ',
  '- ',
  '1. ',
  '2. ',
  '# ',
  '---',
  '===',
  '| ',
  '|',
  '\n|-|-|\n',
  '[x] ',
];
const tags = [
  '{%',
  '%}',
  '/%}',
  '"',
  '{% card %}',
  '{% /card %}',
  '{% card a="@ann" /%}',
  '{% other @bob %}',
  '{% /other %}',
];
const labels = ['{% button action="a" %}', '{% /button %}', '{% card a="\n\n', '" /%}'];
const links = [
  '](https://a.example/@ann)',
  '](https://a.example "@bob")',
  '](nowhere/@a)',
  '<https://a.example/@bob>',
  'www.a.example/',
];
const names = ['@bob', '@ann', '@a:help', '@a', '@x', '@', ':', 'x', 'é', '_', 'https://a.example/@a', 'x@bob', '😀'];
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...names) },
  { weight: 3, arbitrary: fc.constantFrom(...lines) },
  { weight: 4, arbitrary: fc.constantFrom(...marks, ...tags, ...labels, ...links) },
  fc.string({ maxLength: 3 }),
);
const text = fc.array(piece, { maxLength: 40, size: 'max' }).map((pieces) => pieces.join(''));

test('MENTION-13: a message mentions those that the app shows as mentioned, in any text', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(findMentions(given, people)).toEqual(shown(given));
    }),
    { numRuns: runsOf(10_000) },
  );
});

test('MENTION-13: the service and the app also agree where marks nest deeper than the app shows them', () => {
  for (const depth of [11, 12, 13, 23, 24, 25, 60])
    for (const mark of ['> ', '- ', '**', '*a _b ', '[', '![', '*a ![', '{% card %}'])
      for (const end of ['', '](https://a.example/@ann)', ' b_ a*', '{% /card %}']) {
        const given = `${mark.repeat(depth)}@bob\n@x ${end.repeat(depth)} @a`;
        expect(findMentions(given, people)).toEqual(shown(given));
      }
});

describe('the app and the service agree', () => {
  test.each<[title: string, text: string, expected: readonly string[]]>([
    [
      'in tags that the app does not know, nobody is mentioned',
      '{% other to="@bob" %} {% other @bob /%} @ann',
      ['ann'],
    ],
    ['nor does such a tag begin code or emphasis', '{% other "`" %} @ann `{% other "*" %}`', ['ann']],
    ['a tag that the app does not know ends with its paragraph', '{% other a="x\n\n@bob" /%}', ['bob']],
    ['the label of a button mentions nobody', '{% button action="a" %}@bob{% /button %} @ann', ['ann']],
    ['text in a card is read as blocks', '{% card %}\n    @bob\n\n@ann\n{% /card %}', ['ann']],
    ['the address that a link leads to mentions nobody', '[@ann](https://a.example/@bob "@a")', ['ann']],
    ['an address that is shown mentions', 'https://a.example/@bob <https://a.example/@ann>', ['bob', 'ann']],
    ['a target that makes no link is text', '[x](nowhere/@bob)', ['bob']],
    ['an image mentions nobody', '![@bob](https://a.example/@ann) @a', ['a']],
    ['a backslash makes an @ text', '\\@bob \\\\@ann', ['ann']],
    ['a formula is text', '\\( @bob ` \\) $$ @ann ` $$', ['bob', 'ann']],
    ['code is found before the target of a link', '[x](https://a.example/`) @bob `', []],
    ['a code span ends with its cell', 'a ` | b\n-|-\n@bob ` | @ann', ['bob', 'ann']],
    ['a quote does not go on without its mark', '> a ` b\n@bob ` c', ['bob']],
    ['after a quote, indented text is code', '> a\n    @bob', []],
    ['a lone carriage return ends a line', '```\r@bob\r```\r@ann', ['ann']],
  ])('MENTION-13: %s', (_title, given, expected) => {
    expect(findMentions(given, people)).toEqual(expected);
    expect(shown(given)).toEqual(expected);
  });
});
