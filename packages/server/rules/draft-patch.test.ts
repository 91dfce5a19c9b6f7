import { runsOf } from '@parley/testing/depth.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendPatch, applyPatch, endOf, replacePatch } from './draft-patch.ts';

const piece = fc.oneof(
  fc.constantFrom('', '\n', '\n\n', '\r\n', 'a', 'line', '😀', '👩‍👩‍👧‍👦', 'ä\n', ' \n ', '```\n', 'x'.repeat(300)),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

test('CAPS-5: a client that applies the patches of appends and replacements has the stored text', () => {
  const edit = fc.oneof(
    fc.record({ append: piece }),
    fc.record({ replace: fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')) }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.array(edit, { maxLength: 30 }), (start, edits) => {
      let text = start.join('');
      let end = endOf(text);
      let client = text;
      for (const change of edits) {
        if ('append' in change) {
          const patch = appendPatch(end, change.append);
          client = applyPatch(client, patch.ops);
          end = patch.end;
          text += change.append;
        } else {
          client = applyPatch(client, replacePatch(text, change.replace));
          text = change.replace;
          end = endOf(text);
        }
        expect(client).toBe(text);
        expect(end).toEqual(endOf(text));
      }
    }),
    { numRuns: runsOf(500) },
  );
});

test('CAPS-5: an append replaces only the last line', () => {
  expect(appendPatch(endOf('one\ntwo'), ' more\nthree').ops).toEqual([{ at: 1, del: 1, ins: ['two more', 'three'] }]);
  expect(appendPatch(endOf(''), 'x').ops).toEqual([{ at: 0, del: 1, ins: ['x'] }]);
  expect(appendPatch(endOf('one\n'), 'two').ops).toEqual([{ at: 1, del: 1, ins: ['two'] }]);
});

test('CAPS-5: a replacement changes only the lines between the common first and last ones', () => {
  expect(replacePatch('a\nb\nc\nd', 'a\nX\nY\nd')).toEqual([{ at: 1, del: 2, ins: ['X', 'Y'] }]);
  expect(replacePatch('a\na', 'a')).toEqual([{ at: 1, del: 1, ins: [] }]);
  expect(replacePatch('same', 'same')).toEqual([]);
});

test('CAPS-6: the size of an append’s patch does not depend on the text before the last line', () => {
  const sizeBehind = (lines: number) =>
    JSON.stringify(appendPatch(endOf('a line of text\n'.repeat(lines)), 'token').ops).length;
  expect(sizeBehind(10_000) - sizeBehind(10)).toBeLessThan(8);
});
