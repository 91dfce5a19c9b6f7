import { describe, expect, it } from 'vitest';
import { snippetParts } from './snippet.ts';

describe('a snippet', () => {
  it('is one piece if it has no hit', () => {
    expect(snippetParts('all quiet')).toEqual([{ text: 'all quiet', isHit: false }]);
  });

  it('is split at its hits', () => {
    expect(snippetParts('\uE000fish\uE001 and \uE000chips\uE001')).toEqual([
      { text: 'fish', isHit: true },
      { text: ' and ', isHit: false },
      { text: 'chips', isHit: true },
    ]);
  });

  it('keeps the text of a hit without an end mark', () => {
    expect(snippetParts('a \uE000b')).toEqual([{ text: 'a b', isHit: false }]);
  });

  it('has no pieces if it is empty', () => {
    expect(snippetParts('')).toEqual([]);
  });

  const plain = (snippet: string): string =>
    snippetParts(snippet)
      .map(({ text, isHit }) => (isHit ? `(${text})` : text))
      .join('');

  it.each([
    ['the **\uE000bold\uE001** word', 'the (bold) word'],
    ['**a \uE000bold\uE001 start**', 'a (bold) start'],
    ['call `\uE000send\uE001()` _now_', 'call (send)() now'],
    ['see [the \uE000guide\uE001](https://example.com/a_b)', 'see the (guide)'],
    ['# \uE000Plan\uE001 ## Second - one', '(Plan) Second - one'],
    ['> \uE000quoted\uE001', '(quoted)'],
    ['1. \uE000first\uE001', '(first)'],
    ['```js const \uE000fish\uE001 = 1 ```', 'js const (fish) = 1 '],
    ['{% card title="x" /%} \uE000fish\uE001', '(fish)'],
    // Snippets cut in the middle of marked text.
    ['… end of bold** and \uE000fish\uE001 with **more …', '… end of bold and (fish) with more …'],
    ['`half a \uE000word\uE001 …', 'half a (word) …'],
    ['… person | |---|---:| | \uE000Train\uE001 | 9 h | 2 …', '… person (Train) 9 h 2 …'],
    ['a | \uE000b\uE001', 'a | (b)'],
    ['… \uE000Train\uE001 | 120 | | Hotel | 300 | …', '… (Train) 120 Hotel 300 …'],
    ['# Trip budget \uE000Train\uE001', 'Trip budget (Train)'],
  ])('%s is shown without Markdown marks', (snippet, shown) => {
    expect(plain(snippet)).toBe(shown);
  });

  it.each([
    ['a * b and \uE000c\uE001_d', 'a * b and (c)_d'],
    ['issue #12 in \uE000C\uE001#', 'issue #12 in (C)#'],
    ['2 < \uE0003\uE001 > 1', '2 < (3) > 1'],
    // A hit is shown even inside a mark.
    ['{% card title="\uE000fish\uE001" /%}', '{% card title="(fish)" /%}'],
    ['[a link](https://\uE000example\uE001.com)', 'a link(https://(example).com)'],
  ])('in %s only marks without a hit are dropped', (snippet, shown) => {
    expect(plain(snippet)).toBe(shown);
  });
});
