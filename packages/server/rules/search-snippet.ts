import type { SearchQuery } from './search-query.ts';
import { isNear } from './near-words.ts';
import { type Word, wordsOf } from './search-words.ts';

/** Hits are enclosed in these two private-use characters, which a snippet contains nowhere else (SEARCH-8). */
export const HIT_START = '\u{e000}';
export const HIT_END = '\u{e001}';
const marks = /[\u{e000}\u{e001}]/gu;

/** Maximum characters of the text in a snippet. */
const LENGTH = 160;
/** Maximum characters before the first hit. */
const LEAD = 40;
/** Maximum characters by which a cut moves to a place between words. */
const REACH = 16;

interface Range {
  start: number;
  end: number;
}

/** Counts the work done on texts, so that a page of results can be bounded by it (SEARCH-12). */
export interface Steps {
  count: number;
}
/** Cost of reading one word of a text, in comparisons of two words. */
const STEPS_PER_WORD = 20;
/** Recent words kept beyond the longest part of the query, so that the array is seldom shifted. */
const SPARE_WORDS = 256;

/** The text around the first hit, with the hits marked; undefined if the text does not match the query. */
export function snippetOf(text: string, query: SearchQuery, steps: Steps = { count: 0 }): string | undefined {
  const hits = hitsIn(text, query, steps);
  return hits.length === 0 ? undefined : snippetAround(text, hits);
}

/** The text around the first of the hits, which are sorted by their start. */
export function snippetAround(text: string, hits: readonly Range[]): string {
  const [first = { start: 0 }] = hits;
  const start = cutBefore(text, first.start);
  const end = cutAfter(text, start + LENGTH, first.start);
  let snippet = start > 0 ? '…' : '';
  let done = start;
  for (const hit of hits) {
    const from = Math.max(hit.start, done);
    const to = Math.min(hit.end, end);
    if (from >= to) continue;
    snippet += `${plain(text.slice(done, from))}${HIT_START}${plain(text.slice(from, to))}${HIT_END}`;
    done = to;
  }
  return (snippet + plain(text.slice(done, end)) + (end < text.length ? '…' : '')).replaceAll(/\s+/g, ' ').trim();
}

const plain = (text: string): string => text.replaceAll(marks, ' ');

/** The hits that a snippet can show, sorted by their start; none if the text lacks a part of the query. */
function hitsIn(text: string, query: SearchQuery, steps: Steps): Range[] {
  const open = new Set(query);
  const hits = takeHits(text, query, open, steps);
  return open.size === 0 ? hits : [];
}

/**
 * Takes the parts that the text contains out of `open`, and returns the hits that a snippet can show, sorted by their
 * start. It reads no further than it must.
 */
export function takeHits(text: string, query: SearchQuery, open: Set<SearchQuery[number]>, steps: Steps): Range[] {
  const longest = Math.max(0, ...query.map(({ terms }) => terms.length));
  const recent: Word[] = [];
  const hits: Range[] = [];
  let first = Infinity;
  for (const word of wordsOf(text)) {
    if (open.size === 0 && word.start > first + LENGTH) break;
    recent.push(word);
    if (recent.length > longest + SPARE_WORDS) recent.splice(0, recent.length - longest);
    steps.count += STEPS_PER_WORD;
    for (const part of query) {
      const begin = beginOf(part, recent, steps);
      if (!begin) continue;
      open.delete(part);
      first = Math.min(first, begin.start);
      // Later hits are beyond the end of the snippet.
      if (begin.start <= first + LENGTH) hits.push({ start: begin.start, end: word.end });
    }
  }
  return hits.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/**
 * The first word of the part, if the newest words match it. Called for every word of a long text, so it copies nothing.
 */
function beginOf(
  { terms, isPrefix, near }: SearchQuery[number],
  recent: readonly Word[],
  steps: Steps,
): Word | undefined {
  const before = recent.length - terms.length;
  if (before < 0) return undefined;
  for (let at = terms.length - 1; at >= 0; at -= 1) {
    steps.count += 1;
    const found = recent[before + at]?.term ?? '';
    const term = terms[at] ?? '';
    const isOpen = isPrefix && at === terms.length - 1;
    const isMet = near ? isNear(found, near) : isOpen ? found.startsWith(term) : found === term;
    if (!isMet) return undefined;
  }
  return recent[before];
}

/** Where a snippet begins: shortly before the hit, between two words if possible, never within a character. */
function cutBefore(text: string, hit: number): number {
  const at = hit - LEAD;
  if (at <= 0) return 0;
  const space = text.slice(at, at + REACH).search(/\s/);
  return space >= 0 ? at + space + 1 : wholeCharacter(text, at);
}

function cutAfter(text: string, at: number, hit: number): number {
  if (at >= text.length) return text.length;
  const space = text.slice(Math.max(at - REACH, hit + 1), at + 1).search(/\s\S*$/);
  return space >= 0 ? Math.max(at - REACH, hit + 1) + space : wholeCharacter(text, at);
}

const wholeCharacter = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
};
