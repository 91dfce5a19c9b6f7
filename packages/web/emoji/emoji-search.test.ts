import data from 'emojibase-data/en/data.json' with { type: 'json' };
import { expect, it } from 'vitest';
import { asWritten, foundEmoji } from './emoji-search.ts';

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
])('WEB-35: what people mean by "%s" comes first: %s', (search, first) => {
  expect(found(search)[0]).toBe(first);
});

it('WEB-35: each emoji is found by each word of its name, and nothing by white space', () => {
  for (const { emoji, label } of all.filter((_, at) => at % 40 === 0)) expect(found(label)).toContain(emoji);
  expect(found('  ')).toEqual([]);
  expect(found('no such thing')).toEqual([]);
});

it('WEB-35: an emoji is one reaction, however it is chosen', () => {
  expect(['👍️', '👍', '❤️', '✌️', '👨‍👩‍👧', '👍🏽'].map(asWritten)).toEqual(['👍', '👍', '❤️', '✌️', '👨‍👩‍👧', '👍🏽']);
});
