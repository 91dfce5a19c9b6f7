import { expect, test } from 'vitest';
import { matcherOf } from './document-handle.ts';
import { foundInPieces } from './found-in-pieces.ts';

test('WEB-604: words are found in one text and across several, whatever their case and the space between them', () => {
  const texts = ['The quick', 'brown fox', 'jumps; the', 'QUICK  end'];
  expect(foundInPieces(texts, 'quick')).toEqual([
    { first: 0, last: 0 },
    { first: 3, last: 3 },
  ]);
  expect(foundInPieces(texts, ' Quick brown ')).toEqual([{ first: 0, last: 1 }]);
  expect(foundInPieces(texts, 'the quick end')).toEqual([{ first: 2, last: 3 }]);
  expect(foundInPieces(texts, 'fix')).toEqual([]);
  expect(foundInPieces(texts, '  ')).toEqual([]);
});

test('WEB-604: signs of an expression are looked for as they are', () => {
  expect(foundInPieces(['a.b (c) [d] 1+1 x\\y $5 ^'], 'a.b (c) [d] 1+1 x\\y $5 ^')).toHaveLength(1);
  expect(foundInPieces(['axb'], 'a.b')).toEqual([]);
  for (const sign of ['(', '[', '\\', '*', '+', '?', '{', '}', '|', '-', '/', '^', '$'])
    expect(matcherOf(sign)?.test(`a${sign}`)).toBe(true);
});
