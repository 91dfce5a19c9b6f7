import { expect, test } from 'vitest';
import { disorderedIn, groupsIn, idsIn, idsOfTitles, repeatedIn, rulesIn } from './spec-rules.ts';

const spec = `# Rules

- **A-1**, **B-1**: this line mentions rules but is not one.

## A: first

- **A-1** One.
- **A-2** Two, as **A-1**.

## B: second

- **B-1** Three.
- **A-2** Two again.
`;

test('rulesIn: a rule is a line that starts with one ID', () => {
  expect(rulesIn(spec)).toEqual([
    { id: 'A-1', text: 'One.' },
    { id: 'A-2', text: 'Two, as **A-1**.' },
    { id: 'B-1', text: 'Three.' },
    { id: 'A-2', text: 'Two again.' },
  ]);
  expect(groupsIn(spec)).toEqual(new Set(['A', 'B']));
  expect(repeatedIn(rulesIn(spec).map(({ id }) => id))).toEqual(['A-2']);
});

test('idsOfTitles: one or several IDs at the start of a string, in any quotes', () => {
  const source =
    "test('A-1: x', f); test.each(t)(`A-2, B-1: ${'x'}`, f); ['B-12: y']; '`A-3` in code'; // A-4: no title";
  expect(idsOfTitles(source)).toEqual(['A-1', 'A-2', 'B-1', 'B-12']);
});

test('idsIn: IDs of unknown groups are ignored', () => {
  expect(idsIn('keeps A-1 … A-3; UTF-8, CAA-1, A-1x', new Set(['A']))).toEqual(['A-1', 'A-3']);
});

test('disorderedIn: numbers may skip but not go back within a group', () => {
  expect(disorderedIn(['A-1', 'A-3', 'B-2', 'A-2', 'B-10', 'A-4'])).toEqual(['A-2']);
});
