import { parseMarkdown } from '@parley/markdown';

const HIT_BEGINS = '\uE000';
const HIT_ENDS = '\uE001';
/** Marks whose other end was cut off. */
const LEFT_MARKS = /\*\*+|~~+|`+|(?<=^|\s)#{1,6}(?=\s)/g;

export interface SnippetPart {
  readonly text: string;
  readonly isHit: boolean;
}

/** The line below a table's head, and the lines between its cells. */
const TABLE_HEAD = /\|\s*:?-{3,}/;
const TABLE_ROW = /(?:^…?\s*\||\|\s*\|)|\|[^|]*\|[^|]*\|/;
const TABLE_MARKS = /\|(?:\s*:?-{3,}:?\s*\|)*/g;

/** Splits a snippet of a message at its hits (U+E000 … U+E001) and drops Markdown marks. */
export function snippetParts(snippet: string): SnippetPart[] {
  const { text, isHit } = withoutHits(snippet);
  return partsOf(text, isHit, marksOf(text, isHit));
}

/** Splits a snippet of a file at its hits. In a file, marks are a part of its text. */
export function fileSnippetParts(snippet: string): SnippetPart[] {
  const { text, isHit } = withoutHits(snippet);
  return partsOf(text, isHit, []);
}

function partsOf(text: string, isHit: readonly boolean[], isDropped: readonly boolean[]): SnippetPart[] {
  const parts: { text: string; isHit: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const last = parts.at(-1);
    // A dropped mark takes one of the spaces around it along.
    if (isDropped[at] || (char === ' ' && isDropped[at - 1] && (!last || last.text.endsWith(' ')))) continue;
    if (last && last.isHit === isHit[at]) last.text += char;
    else parts.push({ text: char, isHit: isHit[at] === true });
  }
  return parts;
}

/** The distinct words of a snippet's hits. */
export const hitWords = (snippet: string): string[] => [
  ...new Set(
    snippetParts(snippet)
      .filter(({ isHit }) => isHit)
      .map(({ text }) => text.trim()),
  ),
];

function withoutHits(snippet: string): { text: string; isHit: boolean[] } {
  let text = '';
  let isInHit = false;
  const isHit: boolean[] = [];
  for (let at = 0; at < snippet.length; at += 1) {
    const char = snippet.charAt(at);
    if (char === HIT_BEGINS) isInHit = snippet.indexOf(HIT_ENDS, at) > 0;
    else if (char === HIT_ENDS) isInHit = false;
    else {
      text += char;
      isHit.push(isInHit);
    }
  }
  return { text, isHit };
}

/** Which characters are marks that a message would not show. A mark that contains a hit is kept. */
function marksOf(text: string, isHit: readonly boolean[]): boolean[] {
  const isDropped = Array.from(text, () => false);
  const drop = (start: number, end: number): void => {
    if (!isHit.slice(start, end).includes(true)) isDropped.fill(true, start, end);
  };
  parseMarkdown(text, ({ kind, start, end }) => {
    drop(start, end);
    // A kept address is shown in parentheses after the link's label.
    if (kind === 'link target') drop(start, start + 1);
  });
  for (const { index, 0: mark } of text.matchAll(LEFT_MARKS)) drop(index, index + mark.length);
  // Of a table whose head was cut off, rows of several cells are left.
  if (TABLE_HEAD.test(text) || TABLE_ROW.test(text))
    for (const { index, 0: mark } of text.matchAll(TABLE_MARKS)) drop(index, index + mark.length);
  return isDropped;
}
