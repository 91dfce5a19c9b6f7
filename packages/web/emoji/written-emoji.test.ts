import { expect, it } from 'vitest';
import { customName, splitAtEmoji } from './written-emoji.ts';

it.each([
  ['', ['']],
  ['plain', ['plain']],
  [':party:', ['', ':party:', '']],
  ['so :party: and :cat_2:!', ['so ', ':party:', ' and ', ':cat_2:', '!']],
  [':party::party:', ['', ':party:', '', ':party:', '']],
  ['(:party:)', ['(', ':party:', ')']],
  ['at 10:30:45', ['at 10:30:45']],
  ['a:party:', ['a:party:']],
  [':party:s', [':party:s']],
  [':Party: :x: :a-b:', [':Party: :x: :a-b:']],
  [`:${'x'.repeat(33)}:`, [`:${'x'.repeat(33)}:`]],
])('custom emoji in %j', (text, pieces) => {
  expect(splitAtEmoji(text)).toEqual(pieces);
});

it('a reaction is a custom emoji if it is nothing else', () => {
  expect([':party:', ':party: ', '🎉', ':a:', '::'].map(customName)).toEqual([
    'party',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
