import { expect, test } from 'vitest';
import { messageQuery, readSearch, withModifier, withOpenFrom, withoutModifier } from './search-text.ts';

test.each([
  ['trip', 'trip', [], null],
  ['from:@Bob trip', 'trip', ['from bob'], null],
  ['trip FROM:ann:helper  photos', 'trip photos', ['from ann:helper'], null],
  ['before:2026-11-20 after:2026-11-01 trip', 'trip', ['before 2026-11-20', 'after 2026-11-01'], null],
  ['trip on:2026-11-20', 'trip', ['on 2026-11-20'], null],
  ['from:bob from:carol trip', 'trip', ['from carol'], null],
  ['has:Image trip', 'trip', ['has image'], null],
  ['trip has:link', 'trip', ['has link'], null],
  // The end of the text is still being typed.
  ['trip from:', 'trip', [], 'from '],
  ['trip from:@Bo', 'trip', [], 'from Bo'],
  ['trip on:2026-1', 'trip', [], 'on 2026-1'],
  ['trip has:im', 'trip', [], 'has im'],
  // Not understood: stays text.
  ['from: trip', 'from: trip', [], null],
  ['from:b-b trip', 'from:b-b trip', [], null],
  ['has:poll trip', 'has:poll trip', [], null],
  ['on:tomorrow trip', 'on:tomorrow trip', [], null],
  ['on:2026-02-30 trip', 'on:2026-02-30 trip', [], null],
  ['on:2026-11-20T10:00 trip', 'on:2026-11-20T10:00 trip', [], null],
  ['"trip from:bob to" sea', '"trip from:bob to" sea', [], null],
  ['https://x.org/from:bob it', 'https://x.org/from:bob it', [], null],
  [`from:${'b'.repeat(65)} it`, `from:${'b'.repeat(65)} it`, [], null],
])('modifiers are taken out of “%s”', (typed, words, modifiers, open) => {
  const read = readSearch(typed);
  const shown = (modifier: { name: string; value: string }) => `${modifier.name} ${modifier.value}`;
  expect({ words: read.words, modifiers: read.modifiers.map(shown), open: read.open && shown(read.open) }).toEqual({
    words,
    modifiers,
    open,
  });
});

test('a day is the reader’s own; before and after leave it out, and several limits apply together', () => {
  const local = (day: number) => new Date(2026, 10, day).toISOString();
  const asked = (typed: string) => messageQuery(readSearch(`${typed} trip`));
  const all = { query: 'trip', sender: undefined, has: undefined, after: undefined, before: undefined };
  expect(asked('')).toEqual(all);
  expect(asked('has:video')).toEqual({ ...all, has: 'video' });
  expect(asked('on:2026-11-20')).toEqual({ ...all, after: local(20), before: local(21) });
  expect(asked('before:2026-11-20')).toEqual({ ...all, before: local(20) });
  expect(asked('after:2026-11-20')).toEqual({ ...all, after: local(21) });
  expect(asked('from:bob on:2026-11-20 before:2026-11-25 after:2026-11-01')).toEqual({
    ...all,
    sender: 'bob',
    after: local(20),
    before: local(21),
  });
});

test('a filter is set and removed in the text', () => {
  expect(withOpenFrom('trip')).toBe('trip from:');
  expect(withOpenFrom('')).toBe('from:');
  expect(withModifier('trip from:bo', { name: 'from', value: 'bob' })).toBe('trip from:@bob ');
  expect(withModifier('from:bob trip', { name: 'from', value: 'carol' })).toBe('trip from:@carol ');
  expect(withModifier('trip', { name: 'on', value: '2026-11-20' })).toBe('trip on:2026-11-20 ');
  expect(withoutModifier('trip from:@bob on:2026-11-20', 'from')).toBe('trip on:2026-11-20 ');
  expect(withoutModifier('from:@bob ', 'from')).toBe('');
});
