import { parseMarkdown } from '../../markdown/parser/parse.ts';

const HIT_BEGINS = '\uE000';
const HIT_ENDS = '\uE001';
/** Marks whose other end stands outside of the snippet. */
const LEFT_MARKS = /\*\*+|~~+|`+|(?<=^|\s)#{1,6}(?=\s)/g;

export interface SnippetPart {
  readonly text: string;
  readonly isHit: boolean;
}

/** A snippet of searchMessages in pieces, without the marks of Markdown: hits stand between U+E000 and U+E001. */
export function snippetParts(snippet: string): SnippetPart[] {
  const { text, isHit } = withoutHits(snippet);
  const isDropped = marksOf(text, isHit);
  const parts: { text: string; isHit: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const last = parts.at(-1);
    // Where a mark goes, one of the spaces around it goes along.
    if (isDropped[at] || (char === ' ' && isDropped[at - 1] && (!last || last.text.endsWith(' ')))) continue;
    if (last && last.isHit === isHit[at]) last.text += char;
    else parts.push({ text: char, isHit: isHit[at] === true });
  }
  return parts;
}

/** The words of a snippet that were found, each once. */
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

/** What the app would not show of it. A mark that a hit is in is shown: it is what was looked for. */
function marksOf(text: string, isHit: readonly boolean[]): boolean[] {
  const isDropped = Array.from(text, () => false);
  const drop = (start: number, end: number): void => {
    if (!isHit.slice(start, end).includes(true)) isDropped.fill(true, start, end);
  };
  parseMarkdown(text, ({ kind, start, end }) => {
    drop(start, end);
    // An address that is shown stands in parentheses behind the link's name.
    if (kind === 'link target') drop(start, start + 1);
  });
  for (const { index, 0: mark } of text.matchAll(LEFT_MARKS)) drop(index, index + mark.length);
  return isDropped;
}
