// Slack's block `markdown`: Markdown as it is everywhere, without our tags and formulas. The time is linear in the text.
import { codeIn, nodesIn, normalized, parseMarkdown } from '@parley/markdown';
import { withEmoji } from './emoji-codes.ts';

/** Escapes, which stay but for those that begin a formula here, and the beginnings of formulas and tags. */
const MARKS = /\\[^]|\$|\{(?=%)/g;
/** An escape that begins a formula here. */
const FORMULA = /^\\[[(]$/;

/** Standard Markdown in which nothing becomes a tag or a formula. What is code stays as it is, and ends with the text. */
export function ofStandardMarkdown(given: string): string {
  const text = normalized(given);
  // Without tags and formulas, because a backtick in one begins code in the result.
  const { ranges, openFence } = codeIn(text.replaceAll(MARKS, unmarked));
  let from = 0;
  let read = '';
  for (const { start, end } of ranges) {
    read += escapedMarks(text.slice(from, start)) + codeOf(text.slice(start, end));
    from = end;
  }
  read += escapedMarks(text.slice(from));
  // An address in angle brackets with both a mark and a backtick in it: there even code shows the backslashes.
  if (isLive(read)) read = escapedMarks(text);
  return openFence === undefined ? read : `${read}\n${openFence}`;
}

/** The mark without what makes it one, in the same length. */
const unmarked = (found: string): string =>
  FORMULA.test(found) ? `x${found.charAt(1)}` : found.startsWith('\\') ? found : 'x';

function escapedMarks(text: string): string {
  let from = 0;
  let read = '';
  for (const { 0: found, index } of text.matchAll(MARKS)) {
    read += withEmoji(text.slice(from, index));
    from = index + found.length;
    if (found === '$' || found === '{') read += `\\${found}`;
    else read += FORMULA.test(found) ? found.slice(1) : found;
  }
  return read + withEmoji(text.slice(from));
}

/** A line that begins with a tag ends a paragraph, also within a span of code: such a span shows the backslash. */
const codeOf = (code: string): string => (code.includes('\n') ? code.replaceAll('{%', String.raw`\{%`) : code);

const LIVE = new Set(['tag', 'markup', 'formula']);
const isLive = (markdown: string): boolean => nodesIn(parseMarkdown(markdown)).some(({ kind }) => LIVE.has(kind));
