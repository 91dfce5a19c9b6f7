import type { Part } from '@parley/protocol';
import { expect, test } from 'vitest';
import { LiveDocument } from '../../../markdown/live/live-document.ts';
import { placedParts } from './placed-parts.ts';

const notice = (id: string, offset: number): Part => ({ id, offset, type: 'notice', text: id });

/** The ids of parts by the block before which they stand. */
function placesOf(content: string, parts: readonly Part[], isLive = false): Record<number, string[]> {
  const document = new LiveDocument();
  document.read(content, isLive);
  const { before } = placedParts(parts, content, document.starts);
  return Object.fromEntries([...before].map(([at, group]) => [at, group.map(({ id }) => id)]));
}

test('a part stands before the first block that begins at or after its offset, and splits none', () => {
  const text = 'One\n\n- two\n- three\n\n```\nfour\n\nfive\n```\nSix';
  const at = (words: string): number => text.indexOf(words);
  const parts = [
    notice('start', 0),
    notice('in one', 1),
    notice('after one', 3),
    notice('list', at('- two')),
    notice('in list', at('- three')),
    notice('in code', at('five')),
    notice('six', at('Six')),
    notice('end', text.length),
    notice('beyond', 1e15),
  ];
  const expected = {
    0: ['start'],
    1: ['in one', 'after one', 'list'],
    2: ['in list'],
    3: ['in code', 'six'],
    4: ['end', 'beyond'],
  };
  expect(placesOf(text, parts)).toEqual(expected);
  expect(placesOf(text, parts, true)).toEqual(expected);
  // By offset, whatever the order in which they were written; equal offsets in the order in which they were written.
  expect(placesOf('a\n\nb', [notice('y', 3), notice('x', 0), notice('z', 3)])).toEqual({ 0: ['x'], 1: ['y', 'z'] });
  expect(placesOf('', [notice('x', 0)])).toEqual({ 0: ['x'] });
});

test('offsets count the bytes of the text as it was written', () => {
  const content = 'é 👍\r\n\r\nZwei\r\rDrei';
  const bytesTo = (words: string): number => new TextEncoder().encode(content.slice(0, content.indexOf(words))).length;
  const parts = [notice('two', bytesTo('Zwei')), notice('three', bytesTo('Drei')), notice('in two', bytesTo('wei'))];
  expect(placesOf(content, parts)).toEqual({ 1: ['two'], 2: ['in two', 'three'] });
  // Within a character: its beginning.
  expect(placesOf('a\n\n👍', [notice('x', 5)])).toEqual({ 1: ['x'] });
});

test('while the text grows, a part stays before its block', () => {
  const text = 'Let me **see**.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n1. one\n2. two\n\nEnd';
  const document = new LiveDocument();
  const offset = text.indexOf('1. one');
  for (let length = offset; length <= text.length; length += 1) {
    const content = text.slice(0, length);
    const blocks = document.read(content, true);
    const { before } = placedParts([notice('x', offset)], content, document.starts);
    expect([...before.keys()]).toEqual([2]);
    expect(blocks.length).toBe(document.starts.length);
  }
});

test('only the newest part without text after it can be at work', () => {
  const last = (content: string, ...parts: Part[]) => placedParts(parts, content, [0]).lastId;
  expect(last('One ', notice('x', 4))).toBe('x');
  expect(last('One \n ', notice('x', 4))).toBe('x');
  expect(last('One two', notice('x', 4))).toBe(null);
  expect(last('One', notice('x', 0), notice('y', 3))).toBe('y');
  expect(last('One', notice('y', 3), notice('x', 0))).toBe(null);
  expect(last('One')).toBe(null);
});
