import type { PartOf } from '@parley/protocol';
import { expect, test } from 'vitest';
import { citedPlaces } from './cited-places.ts';

const part = (number: number, title: string, more: Partial<PartOf<'citation'>> = {}): PartOf<'citation'> => ({
  id: `citation-${number}`,
  offset: 0,
  type: 'citation',
  number,
  source_id: title,
  agent: 'ann:tutor',
  title,
  ...more,
});
const shown = (content: string) =>
  citedPlaces(
    [part(1, 'a.pdf', { page: 3 }), part(2, 'b.md', { heading: 'Leave' }), part(3, 'a.pdf', { page: 4 })],
    content,
  ).map(({ title, page, heading, numbers }) => [title, page ?? heading, numbers]);

test('WEB-761: the places that a text cites are shown, with their numbers', () => {
  expect(shown('Twenty [2], at most [1, 3].')).toEqual([
    ['a.pdf', 3, [1]],
    ['b.md', 'Leave', [2]],
    ['a.pdf', 4, [3]],
  ]);
  expect(shown('二十日【2】')).toEqual([['b.md', 'Leave', [2]]]);
});

test('WEB-761: a text that cites nothing is from the sources that were read for it', () => {
  expect(shown('Twenty [9].')).toEqual([
    ['a.pdf', undefined, []],
    ['b.md', undefined, []],
  ]);
});
