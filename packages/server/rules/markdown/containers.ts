import { CODE_INDENT, indentOf, isBlank, isDigit, isEmpty, isRule, passMark, restIsBlank } from './lines.ts';
import type { Line } from './lines.ts';

/** A block quote, or a list item by the columns that its content is indented. */
export type Container = 'quote' | number;

// Deeper nesting is taken for text, so that a line costs no more than its length.
const MAX_DEPTH = 16;
const GREATER = 0x3e;

/** How many of the open containers this line goes on with; reads past their marks. */
export function continueContainers(line: Line, open: readonly Container[]): number {
  let matched = 0;
  for (const container of open) {
    if (container === 'quote') {
      if (!passQuoteMark(line)) break;
    } else if (!isEmpty(line)) {
      if (indentOf(line) < container) break;
      line.consumed += container;
    }
    matched++;
  }
  return matched;
}

/** The containers that this line opens within the `matched` ones; reads past their marks. */
export function openContainers(line: Line, matched: number, isWithinParagraph: boolean): Container[] {
  const opened: Container[] = [];
  while (matched + opened.length < MAX_DEPTH) {
    if (passQuoteMark(line)) {
      opened.push('quote');
      continue;
    }
    const width = passItemMark(line, isWithinParagraph && opened.length === 0);
    if (width === 0) break;
    opened.push(width);
  }
  return opened;
}

function passQuoteMark(line: Line): boolean {
  if (isEmpty(line) || indentOf(line) >= CODE_INDENT || line.text.charCodeAt(line.at) !== GREATER) return false;
  passMark(line, 1);
  if (indentOf(line) > 0) line.consumed++;
  return true;
}

/** The columns that the new item's content is indented, or 0 when no item begins here. */
function passItemMark(line: Line, isWithinParagraph: boolean): number {
  const indent = indentOf(line);
  if (isEmpty(line) || indent >= CODE_INDENT || isRule(line)) return 0;
  const width = itemMarkWidth(line);
  if (width === 0) return 0;
  if (isWithinParagraph) {
    // "1986. A great year" within a paragraph is no list, and neither is a mark alone.
    const isOrdered = isDigit(line.text.charCodeAt(line.at));
    if (isOrdered && line.text.slice(line.at, line.at + width - 1) !== '1') return 0;
    if (restIsBlank(line, line.at + width)) return 0;
  }
  passMark(line, width);
  const spacing = indentOf(line);
  const offset = isEmpty(line) || spacing > CODE_INDENT ? 1 : spacing;
  line.consumed += offset;
  return indent + width + offset;
}

function itemMarkWidth({ text, at, end }: Line): number {
  let after = at;
  while (after < end && after - at < 9 && isDigit(text.charCodeAt(after))) after++;
  const marks = after === at ? '-+*' : '.)';
  if (after >= end || !marks.includes(text.charAt(after))) return 0;
  after++;
  return after >= end || isBlank(text.charCodeAt(after)) ? after - at : 0;
}
