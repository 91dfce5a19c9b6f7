import { wordsOf } from './search-words.ts';

/** Words that must appear one directly after the other. */
interface QueryPart {
  terms: readonly string[];
  /** Whether the last term matches every word that begins with it. */
  isPrefix: boolean;
}

/** A text matches if it contains all parts, in any order. */
export type SearchQuery = readonly QueryPart[];

/** Minimum letters of a prefix: too many words begin with a given single letter. */
const MIN_PREFIX_LENGTH = 2;

/**
 * Parses what a person typed (SEARCH-3 … 5). A quoted part matches exactly these words in this order. Outside quotes,
 * each piece between spaces is a part, whose last word is a prefix; a piece of several words (`don't`, `example.com`,
 * Chinese text) matches only those words in a row. There is no other syntax. Empty if the text has no word.
 */
export function parseQuery(text: string): SearchQuery {
  const parts = new Map<string, QueryPart>();
  for (const [, quoted, loose = ''] of text.replaceAll(/[“”„]/g, '"').matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const terms = [...wordsOf(quoted ?? loose)].map(({ term }) => term);
    const last = terms.at(-1);
    if (last === undefined) continue;
    const isPrefix = quoted === undefined && last.length >= MIN_PREFIX_LENGTH;
    parts.set(`${isPrefix}${terms.join(' ')}`, { terms, isPrefix });
  }
  return [...parts.values()];
}
