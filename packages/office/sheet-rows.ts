import { cutCell } from './limits.ts';
import { formatNumber, formatText, general, type NumberFormat } from './number-format.ts';
import type { Reading } from './parts.ts';
import type { Row, Sheet } from './tree.ts';
import { type SharedStrings, shownText, unescaped } from './workbook-parts.ts';
import { attribute, child, childrenOf, type Element, eachElement, textIn } from './xml.ts';

/** What the sheets of a workbook share. */
export interface SheetReading extends Reading {
  readonly formats: readonly NumberFormat[];
  readonly is1904: boolean;
  readonly shared: SharedStrings;
}

export async function rowsOf(entry: string, context: SheetReading): Promise<Pick<Sheet, 'rows' | 'isCut'>> {
  const { zip, room, bounds } = context;
  const rows: Row[] = [];
  let isCut = false;
  let last = 0;
  const read = await eachElement(zip.text(entry), new Set(['row']), (element) => {
    last = Number(attribute(element, 'r')) || last + 1;
    const row = cellsOf(element, context);
    isCut ||= row.isCut;
    if (row.cells.length === 0) return !room.isFull;
    if (rows.length === bounds.rows) {
      isCut = true;
      return false;
    }
    room.count();
    rows.push({ number: last, cells: row.cells });
    return !room.isFull;
  });
  return { rows, isCut: isCut || read.isCut || room.isFull || zip.isCut };
}

/** The texts of a row's cells, without the empty cells at its end. */
function cellsOf(row: Element, context: SheetReading): { cells: string[]; isCut: boolean } {
  const { room, bounds } = context;
  const cells: string[] = [];
  let at = 0;
  let isCut = false;
  for (const element of childrenOf(row)) {
    if (element.name !== 'c' || room.isFull) continue;
    at = columnOf(attribute(element, 'r')) ?? at;
    const text = textOfCell(element, context, () => (isCut = true));
    if (text !== '' && at >= bounds.columns) isCut = true;
    else if (text !== '') {
      // Each empty cell before it takes room: there may be many.
      if (at > cells.length) room.skip(at - cells.length);
      while (cells.length < at && !room.isFull) cells.push('');
      if (cells.length >= at) cells[at] = room.take(text);
    }
    at += 1;
  }
  return { cells, isCut };
}

/** The column of a place such as `B3`; A is 0. */
function columnOf(place: string | undefined): number | undefined {
  const letters = /^\$?([A-Z]{1,3})\$?\d/i.exec(place ?? '')?.[1]?.toUpperCase();
  if (letters === undefined) return undefined;
  return new TextEncoder().encode(letters).reduce((column, letter) => column * 26 + letter - 64, 0) - 1;
}

/** The text of a cell. Calls `onCut` if it is a shared string beyond the limit, or too long. */
function textOfCell(element: Element, { shared, formats, is1904 }: SheetReading, onCut: () => void): string {
  const type = attribute(element, 't') ?? 'n';
  const inline = child(element, 'is');
  const value = child(element, 'v');
  const text = inline && (type === 'inlineStr' || !value) ? shownText(inline) : value ? textIn(value) : '';
  if (text === '') return '';
  const number = Number(text);
  const format = formats[Number(attribute(element, 's') ?? 0)] ?? general;
  if (type === 's') {
    const found = shared.strings[number];
    if (found === undefined && shared.hasMore) onCut();
    return formatText(found ?? '', format);
  }
  if (type === 'b') return text === '1' || text === 'true' ? 'TRUE' : 'FALSE';
  // Days of newer programs: 2026-11-27T00:00:00.
  if (type === 'd') return text.replace(/T00:00(?::00(?:\.0{1,9})?)?Z?$/, '').replace('T', ' ');
  if (type !== 'n' || !Number.isFinite(number))
    return formatText(cutCell(type === 'str' ? unescaped(text) : text, onCut), format);
  return formatNumber(number, format, is1904);
}
