import type { SearchQuery } from './search-query.ts';
import { snippetAround, type Steps, takeHits } from './search-snippet.ts';
import { decomposed, foldedText, foldedWords, wordEndFrom } from './search-words.ts';

/** Characters of a text that are compared at once, and how far such a piece reaches into the one before it. */
const PIECE = 4_096;
const OVERLAP = 512;
/** Characters of a text behind the first hit from which a snippet is made. */
const BEHIND = 1_024;
/** Longer words are compared by their beginning only, so nothing can be said of what follows them. */
const MAX_OF_TERM = 64;

/**
 * The piece of a file's text around the first hit, with the hits marked; undefined if the file does not match: its name
 * and its text together must contain all parts of the query, and the text one of them. Words are read only in pieces
 * that may contain a part: a search may examine many long texts.
 */
export function fileSnippetOf(
  { name, text }: { name: string; text: string },
  query: SearchQuery,
  steps: Steps = { count: 0 },
): string | undefined {
  const open = new Set(query);
  takeHits(name, query, open, steps);
  let first: number | undefined;
  for (let at = 0; at < text.length && (open.size > 0 || first === undefined); at += PIECE) {
    const start = at === 0 ? 0 : wordEndFrom(text, Math.max(0, at - OVERLAP));
    const piece = text.slice(start, wordEndFrom(text, Math.min(text.length, at + PIECE)));
    const folded = foldedText(piece);
    const wanted = (first === undefined ? query : [...open]).filter((part) => mayContain(piece, folded, part));
    if (wanted.length === 0) continue;
    const [hit] = takeHits(piece, wanted, open, steps);
    if (hit) first ??= start + hit.start;
  }
  if (first === undefined || open.size > 0) return undefined;
  const from = wordEndFrom(text, Math.max(0, first - OVERLAP));
  const around = text.slice(from, wordEndFrom(text, Math.min(text.length, first + BEHIND)));
  const hits = takeHits(around, query, new Set(), steps).filter(({ start }) => from + start >= (first ?? 0));
  return hits.length === 0 ? undefined : snippetAround(around, hits);
}

/** False only if the piece cannot contain the part. */
function mayContain(piece: string, folded: string, { terms }: SearchQuery[number]): boolean {
  if (!terms.every((term) => folded.includes(decomposed(term)))) return false;
  const isJoined = terms.length > 1 && terms.slice(0, -1).every(({ length }) => length < MAX_OF_TERM);
  return !isJoined || foldedWords(piece).includes(decomposed(terms.join('')));
}
