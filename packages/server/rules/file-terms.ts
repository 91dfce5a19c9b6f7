// The index of files holds each word of a file once, without its position: a tenth of an index with positions. So it
// may find a file that lacks a phrase, never miss one; file-snippet.ts decides.
import type { SearchQuery } from './search-query.ts';
import { isUnspaced, type Word } from './search-words.ts';

/**
 * What the index holds of a text: its words. Of scripts without spaces, most texts hold most characters, so it holds the
 * pairs of characters too. A term can come several times.
 */
export function* fileTermsOf(words: Iterable<Word>): Generator<string> {
  let before = '';
  for (const { term } of words) {
    yield term;
    const isChar = isUnspaced(term);
    if (isChar && before !== '') yield before + term;
    before = isChar ? term : '';
  }
}

interface FileTerm {
  term: string;
  isPrefix: boolean;
}

/** What the index must hold of a file that matches the query. */
export function fileTermsOfQuery(query: SearchQuery): FileTerm[] {
  return query.flatMap(({ terms, isPrefix }) =>
    terms.flatMap((term, at) => {
      const isOpen = (of: number): boolean => isPrefix && of === terms.length - 1;
      if (!isUnspaced(term)) return { term, isPrefix: isOpen(at) };
      // A character is a prefix of the same one with further marks, as in Thai.
      const [before, after] = [terms[at - 1], terms[at + 1]];
      if (after !== undefined && isUnspaced(after)) return { term: term + after, isPrefix: isOpen(at + 1) };
      return before !== undefined && isUnspaced(before) ? [] : { term, isPrefix: isOpen(at) };
    }),
  );
}
