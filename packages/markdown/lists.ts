import type { BlockParser, Rest } from './blocks.ts';
import { indentOf, isBlank, type Line, withoutIndent } from './lines.ts';
import type { Block, ListItem } from './tree.ts';

const MARKER = /^(?:([-*+])|(\d{1,9})([.)]))(?=[ \t]|$)/;
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const TASK = /^\[([ xX])\](?=[ \t]|$)/;
const CODE_INDENT = 4;
/** Columns of indentation that continue an item, whatever the width of its marker. */
const USUAL_INDENT = 2;

export interface ItemMarker {
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
    const { at, columns } = indentOf(parser.source, line);
    const text = parser.source.slice(at, line.end);
    const marker = columns < CODE_INDENT && !RULE.test(text) ? itemMarker(text) : undefined;
    if (!marker || (first && marker.sign !== first.sign)) break;
    first ??= marker;
    const { item, endsBlank } = readItem(parser, rest, { at, end: line.end, columns, marker });
    items.push(item);
    isLoose ||= item.blocks.filter(({ kind }) => kind !== 'list').length > 1;
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
  readonly columns: number;
  readonly marker: ItemMarker;
}

function readItem(parser: BlockParser, rest: Rest, head: ItemHead): { item: ListItem; endsBlank: boolean } {
  const { source } = parser;
  const { at, end, columns, marker } = head;
  parser.mark('list marker', at, at + marker.length);
  const behind = { start: at + marker.length, end };
  const gap = indentOf(source, behind).columns;
  const content = withoutIndent(source, behind, gap > CODE_INDENT ? 1 : gap);
  const indent = columns + marker.length + (gap > CODE_INDENT || isBlank(source, behind) ? 1 : gap);
  const enough = Math.min(indent, columns + USUAL_INDENT);
  const lines: Line[] = [content];
  let blanks = 0;
  rest.next += 1;
  for (; rest.next < rest.lines.length; rest.next += 1) {
    const line = rest.lines[rest.next];
    if (!line) break;
    if (isBlank(source, line)) {
      blanks += 1;
      continue;
    }
    if (indentOf(source, line).columns < enough) break;
    // An item that starts with a blank line is empty.
    if (blanks > 0 && lines.length === 1 && isBlank(source, content)) break;
    for (; blanks > 0; blanks -= 1) lines.push({ start: line.start, end: line.start });
    lines.push(withoutIndent(source, line, indent));
  }
  const isDone = takeTask(parser, lines);
  return { item: { isDone, blocks: parser.lines(lines, rest.depth + 1) }, endsBlank: blanks > 0 };
}

function takeTask(parser: BlockParser, lines: Line[]): boolean | null {
  const [first] = lines;
  const sign = first && TASK.exec(parser.source.slice(first.start, first.start + 4))?.[1];
  if (!first || sign === undefined || first.end - first.start < 3) return null;
  parser.mark('task', first.start, first.start + 3);
  lines[0] = withoutIndent(parser.source, { start: first.start + 3, end: first.end }, 1);
  return sign !== ' ';
}
