import { cutCell, MOST_SHEETS } from './limits.ts';
import { formatNumber, type NumberFormat, numberFormat } from './number-format.ts';
import { relationOfType, relationsOf } from './relations.ts';
import { Room } from './room.ts';
import type { OfficeBounds, OfficeDocument, Row, Sheet } from './tree.ts';
import { attribute, child, childrenOf, type Element, eachElement, textIn } from './xml.ts';
import type { Zip } from './zip.ts';

const MOST_FORMATS = 100_000;
/** Maximum characters of the shared strings, which are read before the sheets and kept in memory. */
const MOST_SHARED = 1_000_000;

interface Context {
  readonly zip: Zip;
  readonly room: Room;
  readonly bounds: OfficeBounds;
  readonly formats: readonly NumberFormat[];
  readonly is1904: boolean;
  readonly shared: SharedStrings;
}

/** The strings that cells of all sheets refer to by index. */
interface SharedStrings {
  readonly strings: readonly string[];
  /** Whether the file has more of them than are read. */
  readonly hasMore: boolean;
}

/** The sheets of an Excel workbook that are not hidden, in their order. */
export async function readWorkbook(zip: Zip, entry: string, room: Room, bounds: OfficeBounds): Promise<OfficeDocument> {
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
  const [styles, strings] = ['styles', 'sharedStrings'].map((type) => relationOfType(relations, type));
  const formats = styles !== undefined && zip.has(styles) ? await formatsOf(zip, styles) : [];
  const { isCut, ...shared } =
    strings !== undefined && zip.has(strings)
      ? await sharedStrings(zip, strings)
      : { strings: [], hasMore: false, isCut: false };
  const context: Context = { zip, room, bounds, formats, is1904, shared };
  const sheets: Sheet[] = [];
  for (const { name, entry } of named.slice(0, MOST_SHEETS))
    if (!room.isFull) sheets.push({ type: 'sheet', name, ...(await rowsOf(entry, context)) });
  return { parts: sheets, isCut: isCut || sheets.length < named.length };
}

/** The number formats that cells refer to by index. */
async function formatsOf(zip: Zip, entry: string): Promise<NumberFormat[]> {
  const codes = new Map<string, string>();
  // Thousands of styles may have the same format.
  const read = new Map<string, NumberFormat>();
  const formats: NumberFormat[] = [];
  await eachElement(zip.text(entry), new Set(['numFmt', 'xf']), (element, around) => {
    if (element.name === 'numFmt')
      codes.set(attribute(element, 'numFmtId') ?? '', attribute(element, 'formatCode') ?? '');
    else if (around.at(-1)?.name === 'cellXfs') {
      const id = attribute(element, 'numFmtId') ?? '';
      const format = read.get(id) ?? numberFormat(id, codes);
      read.set(id, format);
      formats.push(format);
    }
    return formats.length + codes.size < MOST_FORMATS;
  });
  return formats;
}

async function rowsOf(entry: string, context: Context): Promise<Pick<Sheet, 'rows' | 'isCut'>> {
  const { zip, room, bounds } = context;
  const rows: Row[] = [];
  let isCut = false;
  let last = 0;
  const read = await eachElement(zip.text(entry), new Set(['row']), (element) => {
    last = Number(attribute(element, 'r')) || last + 1;
    const row = cellsOf(element, context);
    isCut ||= row.isCut;
    if (row.cells.length === 0) return true;
    if (rows.length === bounds.rows) {
      isCut = true;
      return false;
    }
    room.count();
    rows.push({ number: last, cells: row.cells.map((text) => room.take(text)) });
    return !room.isFull;
  });
  return { rows, isCut: isCut || read.isCut || room.isFull || zip.isCut };
}

/** The texts of a row's cells, without the empty cells at its end. */
function cellsOf(row: Element, context: Context): { cells: string[]; isCut: boolean } {
  const cells: string[] = [];
  let at = 0;
  let isCut = false;
  for (const element of childrenOf(row)) {
    if (element.name !== 'c') continue;
    at = columnOf(attribute(element, 'r')) ?? at;
    const text = textOfCell(element, context);
    if (text === undefined || (text !== '' && at >= context.bounds.columns)) isCut = true;
    else if (text !== '') {
      while (cells.length < at) cells.push('');
      cells[at] = text;
    }
    at += 1;
  }
  return { cells, isCut };
}

/** The column of a place such as `B3`; A is 0. */
function columnOf(place: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d/.exec(place ?? '')?.[1];
  if (letters === undefined) return undefined;
  return new TextEncoder().encode(letters).reduce((column, letter) => column * 26 + letter - 64, 0) - 1;
}

/** The text of a cell; undefined if it is a shared string beyond the limit. */
function textOfCell(element: Element, { shared, formats, is1904 }: Context): string | undefined {
  const type = attribute(element, 't') ?? 'n';
  const inline = child(element, 'is');
  const value = child(element, 'v');
  const text = type === 'inlineStr' && inline ? shownText(inline) : value ? textIn(value) : '';
  if (text === '') return '';
  const number = Number(text);
  if (type === 's') return shared.strings[number] ?? (shared.hasMore ? undefined : '');
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n' || !Number.isFinite(number)) return cutCell(text);
  return formatNumber(number, formats[Number(attribute(element, 's') ?? 0)] ?? { type: 'general' }, is1904);
}

/** The text of a cell without its pronunciation (`rPh`). */
const shownText = (element: Element): string =>
  childrenOf(element)
    .map((part) => (part.name === 't' ? textIn(part) : part.name === 'r' ? shownText(part) : ''))
    .join('');

/** `isCut` says that elements of a string are left out. */
async function sharedStrings(zip: Zip, entry: string): Promise<SharedStrings & { isCut: boolean }> {
  const room = new Room(MOST_SHARED);
  const strings: string[] = [];
  const { isCut } = await eachElement(zip.text(entry), new Set(['si']), (element) => {
    room.count();
    const text = room.take(cutCell(shownText(element)));
    if (room.isFull) return false;
    strings.push(text);
    return true;
  });
  return { strings, hasMore: room.isFull, isCut };
}
