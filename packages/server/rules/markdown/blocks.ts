// markdown/: what of a message is prose, and what is code or tag markup. As much of
// CommonMark as that takes, and no rendering. Every pass is linear in the text,
// whatever the text, since all of them run on the way of every message with an @.

import { continueContainers, openContainers } from './containers.ts';
import type { Container } from './containers.ts';
import { CODE_INDENT, indentOf, isBlank, isEmpty, isRule, readLine, restIsBlank, runLength } from './lines.ts';
import type { Line } from './lines.ts';
import { SpanningTags } from './tag-ends.ts';

/** From `start` up to, without, `end`: UTF-16 code units. */
export type Range = { start: number; end: number };

/** `quotes`: how many block quotes it stands in, whose marks its lines begin with. */
export type TextBlock = Range & { quotes: number };

type Fence = { char: number; length: number; depth: number };

const HASH = 0x23;
const BACKTICK = 0x60;
const TILDE = 0x7e;

/** The blocks of inline text (paragraphs, headings), in order; code blocks are in none. */
export function textBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let containers: Container[] = [];
  let fence: Fence | null = null;
  let paragraph: TextBlock | null = null;
  let isBareItem = false;
  const tags = new SpanningTags(text);

  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    const newline = text.indexOf('\n', start);
    end = newline < 0 ? text.length : newline;
    const line = readLine(text, start, end);

    let matched = continueContainers(line, containers);
    // An item of nothing but its mark ends with a blank line.
    if (isBareItem && isEmpty(line) && matched === containers.length) matched--;
    if (fence !== null && matched >= fence.depth) {
      if (closesFence(line, fence)) fence = null;
      continue;
    }
    fence = null;
    const isWithinParagraph = paragraph !== null && matched === containers.length;
    const opened = openContainers(line, matched, isWithinParagraph);
    if (opened.length > 0) paragraph = null;
    const isOutside = matched === 0 && opened.length === 0 && indentOf(line) < CODE_INDENT;
    const tagEnd = isOutside ? tags.endFrom(line.at) : undefined;
    if (tagEnd !== undefined) {
      const lineEnd = text.indexOf('\n', tagEnd);
      end = lineEnd < 0 ? text.length : lineEnd;
      paragraph = { start: line.at, end, quotes: 0 };
      blocks.push(paragraph);
      containers = [];
      isBareItem = false;
      continue;
    }

    const kind = leafOf(line, paragraph !== null, isWithinParagraph && opened.length === 0);
    if (kind === 'text' && paragraph !== null) {
      // Also where the marks of the paragraph's containers are missing: a lazy continuation.
      paragraph.end = end;
      continue;
    }
    if (matched < containers.length || opened.length > 0) containers = [...containers.slice(0, matched), ...opened];
    paragraph = null;
    isBareItem = kind === 'blank' && typeof opened.at(-1) === 'number';
    if (kind === 'fence') {
      fence = { char: text.charCodeAt(line.at), length: runLength(text, line.at, end), depth: containers.length };
    } else if (kind === 'text' || kind === 'heading') {
      const quotes = containers.filter((container) => container === 'quote').length;
      const block = { start: line.at, end, quotes };
      blocks.push(block);
      if (kind === 'text') paragraph = block;
    }
  }
  return blocks;
}

/** `mayContinue`: a paragraph is open; `isWithinParagraph`: and none of its containers' marks is missing. */
function leafOf(
  line: Line,
  mayContinue: boolean,
  isWithinParagraph: boolean,
): 'blank' | 'code' | 'fence' | 'rule' | 'heading' | 'text' {
  if (isEmpty(line)) return 'blank';
  if (indentOf(line) >= CODE_INDENT) return mayContinue ? 'text' : 'code';
  const char = line.text.charCodeAt(line.at);
  if (char === BACKTICK || char === TILDE) return opensFence(line) ? 'fence' : 'text';
  if (isRule(line) || (isWithinParagraph && isUnderline(line))) return 'rule';
  return char === HASH && opensHeading(line) ? 'heading' : 'text';
}

/** What makes a heading of the paragraph before it, and so ends it. */
function isUnderline(line: Line): boolean {
  const { text, at, end } = line;
  return '-='.includes(text.charAt(at)) && restIsBlank(line, at + runLength(text, at, end));
}

function opensHeading({ text, at, end }: Line): boolean {
  const level = runLength(text, at, end);
  const after = at + level;
  return level <= 6 && (after >= end || isBlank(text.charCodeAt(after)));
}

function opensFence({ text, at, end }: Line): boolean {
  const length = runLength(text, at, end);
  if (length < 3) return false;
  return text.charCodeAt(at) === TILDE || !text.slice(at + length, end).includes('`');
}

function closesFence(line: Line, fence: Fence): boolean {
  const { text, at, end } = line;
  if (isEmpty(line) || indentOf(line) >= CODE_INDENT || text.charCodeAt(at) !== fence.char) return false;
  const length = runLength(text, at, end);
  return length >= fence.length && restIsBlank(line, at + length);
}
