import { expect, test } from 'vitest';
import { firstLink } from './first-link.ts';

test.each([
  ['see https://one.example/a and https://two.example', 'https://one.example/a'],
  ['[a page](https://one.example) is good', 'https://one.example/'],
  ['> quoted: www.one.example.', 'https://www.one.example/'],
  ['http://plain.example', 'http://plain.example/'],
  ['`https://code.example` then https://one.example', 'https://one.example/'],
  ['```\nhttps://code.example\n```', undefined],
  ['![a picture](https://one.example/p.png)', undefined],
  ['mailto:ann@one.example', undefined],
  ['https://me:secret@one.example', undefined],
  ['no link, but https: and www.', undefined],
])('LINK-1: the first link of %j is %j', (text, link) => expect(firstLink(text)).toBe(link));
