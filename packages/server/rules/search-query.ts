import { type NearWords, nearWords } from './near-words.ts';
import { wordsOf } from './search-words.ts';

/** Words that must appear one directly after the other. */
interface QueryPart {
  terms: readonly string[];
  /** Whether the last term matches every word that begins with it. */
  isPrefix: boolean;
  /** The words that match in place of its only term, besides those that begin with it (SEARCH-24). */
  near?: NearWords;
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

/** Maximum words of a query in which a mistake is forgiven: each is looked up in many forms. */
const MAX_NEAR = 3;

/** The same query with a mistake forgiven in its words; undefined if none is long enough. Quoted words stay as they are. */
export function forgiving(query: SearchQuery): SearchQuery | undefined {
  let count = 0;
  const parts = query.map((part) => {
    const [term = '', ...more] = part.terms;
    const near = part.isPrefix && more.length === 0 && count < MAX_NEAR ? nearWords(term) : undefined;
    if (near) count += 1;
    return near ? { ...part, near } : part;
  });
  return count > 0 ? parts : undefined;
}
