import { runsOf } from '@parley/testing/depth.ts';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attributesOf } from './tag-grammar.ts';

interface MarkdocTag {
  readonly meta: { readonly attributes?: readonly { type: string; name: string; value: unknown }[] | null };
}
// Markdoc exports no types for its grammar alone.
const { parse } = createRequire(import.meta.url)('@markdoc/markdoc/src/grammar/tag.js') as {
  parse: (text: string) => MarkdocTag;
};

/** The attributes by Markdoc's parser, which reads line breaks in strings only as escapes. */
function byMarkdoc(text: string): unknown {
  const strings = text.replaceAll(/"(?:[^"\\]|\\[^])*"/g, (string) =>
    string.replaceAll('\n', String.raw`\n`).replaceAll('\t', String.raw`\t`),
  );
  try {
    const { attributes } = parse(`card${strings}`).meta;
    const named = (attributes ?? []).filter(({ type }) => type === 'attribute');
    return Object.fromEntries(named.map(({ name, value }) => [name, value]));
  } catch {
    return undefined;
  }
}

const pieces = [
  'a=',
  'b="x"',
  'x',
  '_y-1',
  '1',
  '-2',
  '3.50',
  '007',
  'null',
  'true',
  'false',
  '"s"',
  '"',
  '\\"',
  '\\n',
  '\\',
  '\\q',

  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '#id',
  '.c',
  '/',
  '=',
  ' ',
  '  ',
  '\n',
  '\t',
  '%',
  'c:',
  '"k": 1',
  '[1, 2]',
  '{d: "e"}',
  'é',
  '\u0001',
  '-',
  '.',
  ' e=[',
  ' f={g: ',
  ' h="i\nj"',
  ' k=1',
];
const likely = fc.array(
  fc.constantFrom(' a="b"', ' c=1', ' #d', ' .e', ' ["f", 2]', ' {g: null}', ' null', ' "h"', ' i=[{j: [1,],},]', ' /'),
  {
    maxLength: 4,
  },
);
const text = fc.oneof(fc.array(fc.constantFrom(...pieces), { maxLength: 10 }), likely).map((parts) => parts.join(''));

test('TEXT-4: the attributes of a tag are those that Markdoc reads', () => {
  fc.assert(
    fc.property(text, (given) => {
      // Without a space these characters would continue the tag's name.
      const rest = /^[\w(=-]/.test(given) ? ` ${given}` : given;
      expect(attributesOf(rest.trimEnd())).toEqual(byMarkdoc(rest.trimEnd()));
    }),
    { numRuns: runsOf(20_000) },
  );
});

test.each([' a=$b', ' a=f()', ' $a', ' a=@b', ' a=[f(1)]', ' f(1)', ' a=[[[[[[[1]]]]]]]'])(
  'TEXT-4: with %j the text is no tag: it has a variable, a function or too many levels',
  (given) => {
    expect(attributesOf(given)).toBeUndefined();
  },
);
