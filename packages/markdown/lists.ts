import type { BlockParser, Rest } from './blocks.ts';
import { indentOf, isBlank, type Line, lineFrom, withoutIndent } from './lines.ts';
import type { Block, ListItem } from './tree.ts';

const MARKER = /^(?:([-*+])|(\d{1,9})([.)]))(?=[ \t]|$)/;
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const TASK = /^\[([ xX])\](?=[ \t]|$)/;
const CODE_INDENT = 4;
/** Columns of indentation that continue an item, whatever the width of its marker. */
const USUAL_INDENT = 2;

interface ItemMarker {
  readonly length: number;
  /** Null for bullets. */
  readonly number: number | null;
  /** The marker's sign; all items of a list share it. */
  readonly sign: string;
}

export function itemMarker(text: string): ItemMarker | undefined {
  const [marker, bullet, digits, sign] = MARKER.exec(text) ?? [];
  if (marker === undefined) return undefined;
  return { length: marker.length, number: digits === undefined ? null : Number(digits), sign: bullet ?? sign ?? '' };
}

/** Parses the list that starts at the next line. */
export function readList(parser: BlockParser, rest: Rest): Block {
  const items: ListItem[] = [];
  let first: ItemMarker | undefined;
  let isLoose = false;
  while (rest.next < rest.lines.length) {
    const line = rest.lines[rest.next];
    if (!line) break;
    const { at, column, columns } = indentOf(parser.source, line);
    const text = parser.source.slice(at, line.end);
    const marker = columns < CODE_INDENT && !RULE.test(text) ? itemMarker(text) : undefined;
    if (line.isLazy || !marker || (first && marker.sign !== first.sign)) break;
    first ??= marker;
    const { item, isSpaced, endsBlank } = readItem(parser, rest, { at, end: line.end, column, columns, marker });
    items.push(item);
    isLoose ||= isSpaced;
    rest.isAfterBlank = endsBlank;
    const next = rest.lines[rest.next];
    if (!endsBlank || !next) continue;
    const follows = itemMarker(parser.source.slice(indentOf(parser.source, next).at, next.end));
    if (follows?.sign === first.sign) isLoose = true;
  }
  return { kind: 'list', start: first?.number ?? null, isLoose, items };
}

interface ItemHead {
  readonly at: number;
  readonly end: number;
  readonly column: number;
  readonly columns: number;
  readonly marker: ItemMarker;
}

interface ReadItem {
  readonly item: ListItem;
  /** A blank line stands between two of its blocks. */
  readonly isSpaced: boolean;
  /** A blank line stands behind it. */
  readonly endsBlank: boolean;
}

function readItem(parser: BlockParser, rest: Rest, head: ItemHead): ReadItem {
  const { source } = parser;
  const { at, end, column, columns, marker } = head;
  parser.mark('list marker', at, at + marker.length);
  const behind = lineFrom(at + marker.length, end, column + marker.length);
  const gap = indentOf(source, behind).columns;
  const content = withoutIndent(source, behind, gap > CODE_INDENT ? 1 : gap);
  const indent = columns + marker.length + (gap > CODE_INDENT || isBlank(source, behind) ? 1 : gap);
  const enough = Math.min(indent, columns + USUAL_INDENT);
  const lines: Line[] = [content];
  const first = rest.next;
  let blanks = 0;
  rest.next += 1;
  for (; rest.next < rest.lines.length; rest.next += 1) {
    const line = rest.lines[rest.next];
    if (!line) break;
    if (isBlank(source, line)) {
      blanks += 1;
      continue;
    }
    const isWithin = !line.isLazy && isIndented(source, line, { enough, indent, marker });
    if (!isWithin && (blanks > 0 || !parser.mayContinue(rest))) break;
    // An item that starts with a blank line is empty.
    if (blanks > 0 && lines.length === 1 && isBlank(source, content)) break;
    for (; blanks > 0; blanks -= 1) lines.push(lineFrom(line.start, line.start));
    lines.push(isWithin ? withoutIndent(source, line, indent) : { ...line, isLazy: true });
  }
  const isDone = takeTask(parser, lines);
  const { blocks, isSpaced, read } = parser.lines(lines, rest.depth + 1);
  if (read < lines.length) {
    rest.next = first + read;
    blanks = 0;
  }
  return { item: { isDone, blocks }, isSpaced, endsBlank: blanks > 0 };
}

/** Whether a line has the indentation of an item. The next number of a list does not begin another list in an item. */
function isIndented(
  source: string,
  line: Line,
  { enough, indent, marker: { number, sign } }: { enough: number; indent: number; marker: ItemMarker },
): boolean {
  const { at, columns } = indentOf(source, line);
  if (columns < enough || columns >= indent || number === null) return columns >= enough;
  const marker = columns < CODE_INDENT ? itemMarker(source.slice(at, line.end)) : undefined;
  return marker?.sign !== sign || marker.number !== number + 1;
}

function takeTask(parser: BlockParser, lines: Line[]): boolean | null {
  const [first] = lines;
  const sign = first && TASK.exec(parser.source.slice(first.start, first.start + 4))?.[1];
  if (!first || sign === undefined || first.end - first.start < 3) return null;
  parser.mark('task', first.start, first.start + 3);
  lines[0] = withoutIndent(parser.source, lineFrom(first.start + 3, first.end, first.column + 3), 1);
  return sign !== ' ';
}
