import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { proseRanges } from './prose.ts';

const prose = (text: string) => [...proseRanges(text)].map(({ start, end }) => text.slice(start, end));

test('MENTION-7, MENTION-8, MENTION-9, MENTION-10: prose is what is left without code and tags', () => {
  const text = '# A `b` c\n\n> d {% e /%}\n> f\n\n```\ng\n```\n- h\n\n      i\n';
  expect(prose(text)).toEqual(['# A ', ' c', 'd ', '\n> f', 'h']);
});

test('MENTION-7: ranges are in order, apart, and within the text', () => {
  const pieces = fc.constantFrom(
    '`',
    '```',
    '~~~',
    '{%',
    '%}',
    '"',
    '\\',
    '> ',
    '- ',
    '1. ',
    '\t',
    '    ',
    '\n',
    'x',
    '😀',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (given) => {
      const text = given.join('');
      let reached = 0;
      for (const { start, end } of proseRanges(text)) {
        expect(start).toBeGreaterThanOrEqual(reached);
        expect(end).toBeGreaterThanOrEqual(start);
        reached = end;
      }
      expect(reached).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 500 },
  );
});
