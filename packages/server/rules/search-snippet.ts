import type { SearchQuery } from './search-query.ts';
import { type Word, wordsOf } from './search-words.ts';

/** Hits stand between these two characters of the private use area, which a snippet has nowhere else (SEARCH-8). */
export const HIT_START = '\u{e000}';
export const HIT_END = '\u{e001}';
const marks = /[\u{e000}\u{e001}]/gu;

/** Characters of the text that a snippet shows. */
const LENGTH = 160;
/** Of these before the first hit. */
const LEAD = 40;
/** A cut moves by so much to stand between words. */
const REACH = 16;

interface Range {
  start: number;
  end: number;
}

/** The text around the first hit, with the hits marked; undefined when the text does not meet the query. */
export function snippetOf(text: string, query: SearchQuery): string | undefined {
  const hits = hitsIn(text, query);
  const [first] = hits;
  if (!first) return undefined;
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

/** The hits in the order of their ends, as far as a snippet may show them; none unless all parts are met. */
function hitsIn(text: string, query: SearchQuery): Range[] {
  const open = new Set(query);
  const longest = Math.max(0, ...query.map(({ terms }) => terms.length));
  const recent: Word[] = [];
  const hits: Range[] = [];
  let first = Infinity;
  for (const word of wordsOf(text)) {
    if (open.size === 0 && word.start > first + LENGTH) break;
    recent.push(word);
    if (recent.length > longest) recent.shift();
    for (const part of query) {
      const run = recent.slice(-part.terms.length);
      const begin = run[0];
      if (!begin || !isMet(part, run)) continue;
      open.delete(part);
      first = Math.min(first, begin.start);
      // What lies further on is not shown.
      if (begin.start <= first + LENGTH) hits.push({ start: begin.start, end: word.end });
    }
  }
  return open.size === 0 ? hits.toSorted((a, b) => a.start - b.start || b.end - a.end) : [];
}

function isMet({ terms, isPrefix }: SearchQuery[number], run: readonly Word[]): boolean {
  const last = terms.length - 1;
  if (run.length !== terms.length) return false;
  return terms.every((term, at) => {
    const found = run[at]?.term ?? '';
    return isPrefix && at === last ? found.startsWith(term) : found === term;
  });
}

/** Some characters before the hit, if it can be between two words, and never within a character. */
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
