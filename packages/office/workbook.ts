import { cutCell, MOST_SHEETS } from './limits.ts';
import { formatNumber, type NumberFormat, numberFormat } from './number-format.ts';
import { relationOfType, relationsOf } from './relations.ts';
import type { Room } from './room.ts';
import type { OfficeBounds, Sheet } from './tree.ts';
import { attribute, child, childrenOf, type Element, eachElement, textIn } from './xml.ts';
import type { Zip } from './zip.ts';

const MOST_FORMATS = 100_000;

interface Context {
  readonly zip: Zip;
  readonly room: Room;
  readonly bounds: OfficeBounds;
  readonly formats: readonly NumberFormat[];
  readonly is1904: boolean;
}

/** A cell whose text is one of those that all sheets share, by its number. */
type Cell = string | { readonly shared: number };

interface CellRow {
  readonly number: number;
  readonly cells: readonly Cell[];
}

interface CellSheet {
  readonly name: string;
  readonly rows: readonly CellRow[];
  readonly isCut: boolean;
}

/** The sheets of an Excel workbook that are not hidden, in their order. */
export async function readWorkbook(zip: Zip, entry: string, room: Room, bounds: OfficeBounds) {
  const relations = await relationsOf(zip, entry);
  const named: { name: string; entry: string }[] = [];
  let is1904 = false;
  await eachElement(zip.text(entry), new Set(['sheet', 'workbookPr']), (element) => {
    if (element.name === 'workbookPr') is1904 = ['1', 'true'].includes(attribute(element, 'date1904') ?? '');
    else {
      const sheet = relations.get(attribute(element, 'id', true) ?? '');
      const isShown = (attribute(element, 'state') ?? 'visible') === 'visible';
      if (isShown && sheet && zip.has(sheet.target))
        named.push({ name: attribute(element, 'name') ?? '', entry: sheet.target });
    }
    return named.length <= MOST_SHEETS;
  });
  const [styles, texts] = ['styles', 'sharedStrings'].map((type) => relationOfType(relations, type));
  const formats = styles !== undefined && zip.has(styles) ? await formatsOf(zip, styles) : [];
  const context: Context = { zip, room, bounds, formats, is1904 };
  const sheets: CellSheet[] = [];
  for (const { name, entry } of named.slice(0, MOST_SHEETS))
    if (!room.isFull) sheets.push({ name, ...(await rowsOf(entry, context)) });
  const shared = texts !== undefined && zip.has(texts) ? await sharedTexts(zip, texts, sheets, room) : new Map();
  return {
    parts: sheets.map(({ name, rows, isCut }): Sheet => ({
      type: 'sheet',
      name,
      rows: rows.map((row) => withTexts(row, shared)),
      isCut,
    })),
    isCut: sheets.length < named.length,
  };
}

const withTexts = ({ number, cells }: CellRow, shared: ReadonlyMap<number, string>) => ({
  number,
  cells: cells.map((cell) => (typeof cell === 'string' ? cell : (shared.get(cell.shared) ?? ''))),
});

/** The formats that cells name by their place in this list. */
async function formatsOf(zip: Zip, entry: string): Promise<NumberFormat[]> {
  const codes = new Map<string, string>();
  const formats: NumberFormat[] = [];
  await eachElement(zip.text(entry), new Set(['numFmt', 'xf']), (element, around) => {
    if (element.name === 'numFmt')
      codes.set(attribute(element, 'numFmtId') ?? '', attribute(element, 'formatCode') ?? '');
    else if (around.at(-1)?.name === 'cellXfs') formats.push(numberFormat(attribute(element, 'numFmtId') ?? '', codes));
    return formats.length + codes.size < MOST_FORMATS;
  });
  return formats;
}

async function rowsOf(entry: string, context: Context): Promise<Omit<CellSheet, 'name'>> {
  const { room, bounds } = context;
  const rows: CellRow[] = [];
  let isCut = false;
  let last = 0;
  await eachElement(context.zip.text(entry), new Set(['row']), (element) => {
    last = Number(attribute(element, 'r')) || last + 1;
    const { cells, isWide } = cellsOf(element, context);
    isCut ||= isWide;
    if (cells.every((cell) => cell === '')) return true;
    if (rows.length === bounds.rows || room.isFull) {
      isCut = true;
      return false;
    }
    room.count();
    rows.push({ number: last, cells });
    return true;
  });
  return { rows, isCut: isCut || room.isFull || context.zip.isCut };
}

function cellsOf(row: Element, context: Context): { cells: Cell[]; isWide: boolean } {
  const cells: Cell[] = [];
  let at = 0;
  let isWide = false;
  for (const element of childrenOf(row)) {
    if (element.name !== 'c') continue;
    at = columnOf(attribute(element, 'r')) ?? at;
    const cell = cellOf(element, context);
    if (at >= context.bounds.columns) isWide ||= cell !== '';
    else if (cell !== '') {
      while (cells.length < at) cells.push('');
      cells[at] = cell;
    }
    at += 1;
  }
  return { cells, isWide };
}

/** The column of a place such as `B3`; A is 0. */
function columnOf(place: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d/.exec(place ?? '')?.[1];
  if (letters === undefined) return undefined;
  return new TextEncoder().encode(letters).reduce((column, letter) => column * 26 + letter - 64, 0) - 1;
}

function cellOf(element: Element, { room, formats, is1904 }: Context): Cell {
  const type = attribute(element, 't') ?? 'n';
  const inline = child(element, 'is');
  const value = child(element, 'v');
  const text = type === 'inlineStr' && inline ? shownText(inline) : value ? textIn(value) : '';
  if (text === '') return '';
  if (type === 's') return { shared: Number(text) };
  if (type === 'b') return room.take(text === '1' ? 'TRUE' : 'FALSE');
  const number = Number(text);
  if (type !== 'n' || !Number.isFinite(number)) return room.take(cutCell(text));
  const format = formats[Number(attribute(element, 's') ?? 0)] ?? { type: 'general' };
  return room.take(formatNumber(number, format, is1904));
}

/** The text of a cell without how it is read aloud (`rPh`). */
const shownText = (element: Element): string =>
  childrenOf(element)
    .map((part) => (part.name === 't' ? textIn(part) : part.name === 'r' ? shownText(part) : ''))
    .join('');

/** The shared texts that cells name. */
async function sharedTexts(zip: Zip, entry: string, sheets: readonly CellSheet[], room: Room) {
  const cells = sheets.flatMap(({ rows }) => rows.flatMap((row) => row.cells));
  const needed = new Set(cells.map((cell) => (typeof cell === 'string' ? -1 : cell.shared)));
  needed.delete(-1);
  const texts = new Map<number, string>();
  let at = 0;
  await eachElement(zip.text(entry), new Set(['si']), (element) => {
    if (needed.delete(at)) texts.set(at, room.take(cutCell(shownText(element))));
    at += 1;
    return needed.size > 0 && !room.isFull;
  });
  return texts;
}
