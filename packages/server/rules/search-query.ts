import { wordsOf } from './search-words.ts';

/** Words that must stand in a row. */
export interface QueryPart {
  terms: readonly string[];
  /** The last one is met by every word that begins with it. */
  isPrefix: boolean;
}

/** All parts must be met, in any order. */
export type SearchQuery = readonly QueryPart[];

/** One letter is the beginning of too much. */
const LEAST_PREFIX = 2;

/**
 * What a person typed. In quotes: these very words in this order. Outside: each word, or a word that begins with it;
 * what holds together without a space (`don't`, `example.com`, a run of Chinese) must stand together (SEARCH-3 … 5).
 * Nothing else of the text means anything. Empty when there is no word.
 */
export function parseQuery(text: string): SearchQuery {
  const parts = new Map<string, QueryPart>();
  for (const [, quoted, loose = ''] of text.replaceAll(/[“”„]/g, '"').matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const terms = [...wordsOf(quoted ?? loose)].map(({ term }) => term);
    const last = terms.at(-1);
    if (last === undefined) continue;
    const isPrefix = quoted === undefined && last.length >= LEAST_PREFIX;
    parts.set(`${isPrefix}${terms.join(' ')}`, { terms, isPrefix });
  }
  return [...parts.values()];
}
