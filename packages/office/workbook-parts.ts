import { cutCell } from './limits.ts';
import { type NumberFormat, numberFormat } from './number-format.ts';
import { Room } from './room.ts';
import { attribute, childrenOf, type Element, eachElement, textIn } from './xml.ts';
import type { Zip } from './zip.ts';

const MAX_FORMATS = 100_000;
/** Maximum characters of the shared strings, which are read before the sheets and kept in memory. */
const MAX_SHARED = 1_000_000;

/** The strings that cells of all sheets refer to by index. */
export interface SharedStrings {
  readonly strings: readonly string[];
  /** Whether the file has more of them than are read. */
  readonly hasMore: boolean;
}

/** The number formats that cells refer to by index. */
export async function formatsOf(zip: Zip, entry: string | undefined): Promise<NumberFormat[]> {
  const codes = new Map<string, string>();
  // Thousands of styles may have the same format.
  const read = new Map<string, NumberFormat>();
  const formats: NumberFormat[] = [];
  if (entry === undefined || !zip.has(entry)) return formats;
  await eachElement(zip.text(entry), new Set(['numFmt', 'xf']), (element, around) => {
    if (element.name === 'numFmt')
      codes.set(attribute(element, 'numFmtId') ?? '', attribute(element, 'formatCode') ?? '');
    else if (around.at(-1)?.name === 'cellXfs') {
      const id = attribute(element, 'numFmtId') ?? '';
      const format = read.get(id) ?? numberFormat(id, codes);
      read.set(id, format);
      formats.push(format);
    }
    return formats.length + codes.size < MAX_FORMATS;
  });
  return formats;
}

/** `isCut` says that elements of a string, or characters of it, are left out. */
export async function sharedStrings(zip: Zip, entry: string | undefined): Promise<SharedStrings & { isCut: boolean }> {
  const room = new Room(MAX_SHARED);
  const strings: string[] = [];
  let isLong = false;
  if (entry === undefined || !zip.has(entry)) return { strings, hasMore: false, isCut: false };
  const { isCut } = await eachElement(zip.text(entry), new Set(['si']), (element) => {
    room.count();
    const text = room.take(cutCell(shownText(element), () => (isLong = true)));
    if (room.isFull) return false;
    strings.push(text);
    return true;
  });
  return { strings, hasMore: room.isFull, isCut: isCut || isLong };
}

/** The text of a cell without its pronunciation (`rPh`). */
export const shownText = (element: Element): string => unescaped(rawText(element));

const rawText = (element: Element): string =>
  childrenOf(element)
    .map((part) => (part.name === 't' ? textIn(part) : part.name === 'rPh' ? '' : rawText(part)))
    .join('');

/** Excel writes characters that XML does not allow as `_x000D_`, and the escape itself as `_x005F_x000D_`. */
export const unescaped = (text: string): string =>
  text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => {
    const point = Number.parseInt(code, 16);
    // What XML does not allow is no text, apart from a line's end.
    return point === 0x0d ? '' : point < 0x20 && point !== 0x09 && point !== 0x0a ? ' ' : String.fromCharCode(point);
  });
