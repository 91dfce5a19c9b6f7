import { describe, expect, it } from 'vitest';
import { snippetParts } from './snippet.ts';

describe('a snippet', () => {
  it('without a hit is one piece', () => {
    expect(snippetParts('all quiet')).toEqual([{ text: 'all quiet', isHit: false }]);
  });

  it('is cut at its hits, wherever they stand', () => {
    expect(snippetParts('\uE000fish\uE001 and \uE000chips\uE001')).toEqual([
      { text: 'fish', isHit: true },
      { text: ' and ', isHit: false },
      { text: 'chips', isHit: true },
    ]);
  });

  it('loses nothing of a hit that does not end', () => {
    expect(snippetParts('a \uE000b')).toEqual([
      { text: 'a ', isHit: false },
      { text: 'b', isHit: false },
    ]);
  });

  it('of nothing is nothing', () => {
    expect(snippetParts('')).toEqual([]);
  });
});
