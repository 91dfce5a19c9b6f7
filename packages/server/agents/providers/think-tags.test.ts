import { expect, test } from 'vitest';
import { ThinkTags } from './think-tags.ts';

/** What a reply shows of the pieces of a content: its thoughts and its text. */
function shown(pieces: readonly string[]) {
  const tags = new ThinkTags();
  const found = { reasoning: '', text: '' };
  for (const piece of pieces)
    if (tags.isOver) found.text += piece;
    else for (const { type, text } of tags.read(piece)) found[type] += text;
  for (const { type, text } of tags.end()) found[type] += text;
  return found;
}

test.each([
  ['<think>\nHm, well\n</think>\n\nYes.', 'Hm, well', 'Yes.'],
  ['\n<think>a < b </thin k></think>No <think>x</think>', 'a < b </thin k>', 'No <think>x</think>'],
  ['<think></think>Text', '', 'Text'],
  ['<think>cut off', 'cut off', ''],
  ['<thinking>is text</thinking>', '', '<thinking>is text</thinking>'],
  ['  no tag', '', '  no tag'],
  ['A <think>tag</think> later', '', 'A <think>tag</think> later'],
  ['<thi', '', '<thi'],
  ['<think>a</thi', 'a</thi', ''],
  ['', '', ''],
])('PART-18: the thoughts in %j are told from its text, however it is split', (content, reasoning, text) => {
  expect(shown([content])).toEqual({ reasoning, text });
  for (const size of [1, 2, 3, 5]) {
    const pieces = content.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(shown(pieces)).toEqual({ reasoning, text });
  }
});

test('PART-18: no more than could be a tag is held back', () => {
  const tags = new ThinkTags();
  expect([...tags.read('<think>one ')]).toEqual([{ type: 'reasoning', text: 'one' }]);
  expect([...tags.read('two </th')]).toEqual([{ type: 'reasoning', text: ' two' }]);
  expect([...tags.read('e end')]).toEqual([{ type: 'reasoning', text: ' </the end' }]);
  const blank = [...tags.read(' '.repeat(2_000))].map(({ text }) => text.length);
  expect(blank).toEqual([2_000]);
});

test('PART-18: of blanks at the beginning no more than 1,000 characters are held back; then all is text', () => {
  const tags = new ThinkTags();
  const held = Array.from({ length: 10 }, () => [...tags.read('\n'.repeat(100))]).flat();
  expect(held).toEqual([]);
  expect([...tags.read('\n')]).toEqual([{ type: 'text', text: '\n'.repeat(1_001) }]);
  expect(tags.isOver).toBe(true);
});
