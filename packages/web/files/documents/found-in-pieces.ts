import { MAX_PLACES, matcherOf } from './document-handle.ts';

/** A place in a list of texts: the first and the last text that it touches. */
export interface FoundPlace {
  readonly first: number;
  readonly last: number;
}

/** Finds words in texts that follow each other with white space between them. */
export function foundInPieces(texts: readonly string[], words: string): FoundPlace[] {
  const matcher = matcherOf(words);
  if (!matcher) return [];
  const starts: number[] = [];
  let whole = '';
  for (const text of texts) {
    starts.push(whole.length);
    whole += `${text} `;
  }
  /** The text that a character belongs to. */
  const pieceAt = (index: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const found: FoundPlace[] = [];
  for (const { index, 0: match } of whole.matchAll(matcher)) {
    found.push({ first: pieceAt(index), last: pieceAt(index + match.length - 1) });
    if (found.length === MAX_PLACES) break;
  }
  return found;
}
