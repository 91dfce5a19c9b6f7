import data from 'emojibase-data/en/data.json' with { type: 'json' };
import { expect, it } from 'vitest';
import { asWritten } from './as-written.ts';
import { foundEmoji } from './emoji-search.ts';

const all = data
  .filter(({ group }) => group !== undefined)
  .map(({ emoji, label, tags = [] }) => ({ emoji: asWritten(emoji), label, tags }));
const found = (search: string): string[] => foundEmoji(all, search).map(({ emoji }) => emoji);

it.each([
  ['heart', '❤️'],
  ['thumb', '👍'],
  ['thumbs down', '👎'],
  ['Fire', '🔥'],
  ['laugh', '😂'],
  ['party', '🎉'],
  ['ok', '👌'],
  ['clap', '👏'],
  ['rocket', '🚀'],
  ['check', '✅'],
  ['eyes', '👀'],
  ['cat', '🐈'],
  ['yes', '👍'],
  ['pray', '🙏'],
  ['cry', '😭'],
  ['love', '❤️'],
  ['coffee', '☕'],
  ['blue heart', '💙'],
])('a search for "%s" lists %s first', (search, first) => {
  expect(found(search)[0]).toBe(first);
});

it('each word of an emoji’s name finds it; white space finds nothing', () => {
  for (const { emoji, label } of all.filter((_, at) => at % 40 === 0)) expect(found(label)).toContain(emoji);
  expect(found('  ')).toEqual([]);
  expect(found('no such thing')).toEqual([]);
});

it('an emoji counts as the same reaction however it was chosen', () => {
  expect(['👍️', '👍', '❤️', '✌️', '👨‍👩‍👧', '👍🏽'].map(asWritten)).toEqual(['👍', '👍', '❤️', '✌️', '👨‍👩‍👧', '👍🏽']);
});
