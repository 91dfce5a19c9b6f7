// Converts Markdown to plain text, for places that do not render it. The time is linear in the text.

import { textBlocks } from './markdown/blocks.ts';
import type { Range } from './markdown/blocks.ts';
import { InlineText } from './markdown/inline-text.ts';

const FENCE = /^(?:`{3}|~{3})/;
const ONLY_MARKS = /^[-*_=> \t]+$/;

/** The plain text without marks and tags, code kept. May stop once it has at least `enough` characters. */
export function plainText(text: string, enough: number): string {
  const lines: string[] = [];
  let length = 0;
  const add = (line: string): void => {
    if (line === '') return;
    lines.push(line);
    length += line.length + 1;
  };
  let done = 0;
  for (const block of textBlocks(text)) {
    if (length >= enough) break;
    for (const line of codeLines(text, { start: done, end: block.start })) add(line);
    for (const line of new InlineText(text, block, enough).read().split('\n')) add(tidy(line));
    done = block.end;
  }
  if (length < enough) for (const line of codeLines(text, { start: done, end: text.length + 1 })) add(line);
  return lines.join('\n');
}

/** The lines of code between two blocks of text; lines that consist only of block marks are skipped. */
function* codeLines(text: string, { start, end }: Range): Generator<string> {
  // Stops before the line in which the next block begins: that line has only marks before the block.
  let from = start;
  for (;;) {
    const newline = text.indexOf('\n', from);
    const lineEnd = newline < 0 ? text.length : newline;
    if (lineEnd >= end) return;
    const line = tidy(text.slice(from, lineEnd));
    if (!FENCE.test(line) && !ONLY_MARKS.test(line)) yield line;
    if (newline < 0) return;
    from = newline + 1;
  }
}

const tidy = (line: string): string => line.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
