import { OfficeFailure } from './failure.ts';
import { cutCell, MOST_SHEETS, MOST_SLIDES } from './limits.ts';
import type { Room } from './room.ts';
import { Spans } from './spans.ts';
import { type OpenTable, Tables } from './tables.ts';
import type { Block, OfficeBounds, OfficeDocument, Page, Paragraph, Row, Sheet, Span } from './tree.ts';
import { attribute, child, childrenOf, type Element, eachElement, type Tag } from './xml.ts';
import type { Zip } from './zip.ts';

type Format = Omit<Span, 'text'>;

/** The formats of text styles, and the levels of list styles that have numbers, by the styles' names. */
interface Styles {
  readonly formats: ReadonlyMap<string, Format>;
  readonly numbered: ReadonlyMap<string, ReadonlySet<number>>;
}

interface Context extends Styles {
  readonly room: Room;
}

/** Elements that the reader skips: text that the author has deleted, comments, notes and forms. */
const unread = new Set(['tracked-changes', 'annotation', 'note', 'notes', 'forms']);

/** Reads an OpenDocument file. Its text, sheets or slides are all in one entry. */
export async function readOpenDocument(zip: Zip, room: Room, bounds: OfficeBounds): Promise<OfficeDocument> {
  if (await isEncrypted(zip)) throw new OfficeFailure(true);
  const context: Context = { room, ...(await stylesOf(zip)) };
  const reader = new Reader(context, bounds);
  const { isCut } = await eachElement(zip.text('content.xml'), new Set(['h', 'p', 'table-row']), (element, around) =>
    reader.add(element, around),
  );
  return { parts: reader.parts, isCut: isCut || reader.isCut };
}

async function isEncrypted(zip: Zip): Promise<boolean> {
  const manifest = 'META-INF/manifest.xml';
  let found = false;
  if (zip.has(manifest))
    await eachElement(zip.text(manifest), new Set(['encryption-data']), () => {
      found = true;
      return false;
    });
  return found;
}

/** Reads the styles of both entries. Stops at the body of the second: unpacking it here would use up the limit. */
async function stylesOf(zip: Zip): Promise<Styles> {
  const formats = new Map<string, Format>();
  const numbered = new Map<string, ReadonlySet<number>>();
  const add = (element: Element): boolean => {
    const name = attribute(element, 'name') ?? '';
    if (element.name === 'style') {
      const looks = child(element, 'text-properties');
      formats.set(name, {
        ...(looks && attribute(looks, 'font-weight') === 'bold' ? { isBold: true } : {}),
        ...(looks && attribute(looks, 'font-style') === 'italic' ? { isItalic: true } : {}),
      });
    } else {
      const levels = childrenOf(element).filter((level) => level.name === 'list-level-style-number');
      numbered.set(name, new Set(levels.map((level) => Number(attribute(level, 'level')) - 1)));
    }
    return formats.size + numbered.size < 10_000;
  };
  for (const entry of ['styles.xml', 'content.xml'].filter((name) => zip.has(name)))
    await eachElement(zip.text(entry), new Set(['style', 'list-style']), add, 'body');
  return { formats, numbered };
}

type SheetInWork = Omit<Sheet, 'rows' | 'isCut'> & { rows: Row[]; isCut: boolean };
type PageInWork = Omit<Page, 'blocks'> & { blocks: Block[] };

/** Puts paragraphs and rows into the text, the sheet or the slide around them. */
class Reader {
  readonly #context: Context;
  readonly #bounds: OfficeBounds;
  readonly #tables: Tables;
  readonly parts: (PageInWork | SheetInWork)[] = [];
  /** The tag of the part that elements are added to. */
  #partTag: Tag | undefined;
  #table: (OpenTable & { readonly tag: Tag }) | undefined;
  /** The last item of each list, and its number. */
  readonly #numbers = new WeakMap<Tag, { item: Tag | undefined; number: number }>();
  /** The number of the last row of the sheet. */
  #lastRow = 0;
  #hasMoreParts = false;

  constructor(context: Context, bounds: OfficeBounds) {
    this.#context = context;
    this.#bounds = bounds;
    this.#tables = new Tables(bounds);
  }

  /** Whether the file has more parts than are read, or larger tables in its pages. */
  get isCut(): boolean {
    return this.#hasMoreParts || this.#tables.isCut;
  }

  /** Returns false when no more is read. */
  add(element: Element, around: readonly Tag[]): boolean {
    const body = around.findIndex(({ name }) => name === 'body');
    const kind = around[body + 1];
    const tag = kind?.name === 'text' ? kind : around[body + 2];
    if (body === -1 || !kind || !tag || around.some(({ name }) => unread.has(name))) return true;
    if (tag !== this.#partTag && !this.#begin(tag, kind.name)) return false;
    const part = this.parts.at(-1);
    this.#context.room.count();
    if (part?.type === 'sheet') this.#addRow(element, part);
    else if (part && element.name === 'table-row') this.#addTableRow(element, around, part);
    else if (part) this.#addParagraph(element, around, part);
    return !this.#context.room.isFull;
  }

  #begin(tag: Tag, kind: string): boolean {
    const isSheet = kind === 'spreadsheet';
    this.#hasMoreParts = this.parts.length === (isSheet ? MOST_SHEETS : MOST_SLIDES);
    if (this.#hasMoreParts) return false;
    this.#partTag = tag;
    this.#lastRow = 0;
    this.#table = undefined;
    this.parts.push(
      isSheet
        ? { type: 'sheet', name: attribute(tag, 'name') ?? '', rows: [], isCut: false }
        : { type: kind === 'presentation' ? 'slide' : 'text', blocks: [] },
    );
    return true;
  }

  #addParagraph(element: Element, around: readonly Tag[], { blocks }: PageInWork): void {
    this.#table = undefined;
    const spans = new Spans(this.#context.room);
    addSpans(element, formatOf(element, this.#context), spans, this.#context);
    if (spans.isBlank) return;
    const isTitle = around.some((tag) => tag.name === 'frame' && attribute(tag, 'class') === 'title');
    const paragraph = { type: 'paragraph', spans: spans.spans } as const;
    if (isTitle) blocks.unshift({ ...paragraph, heading: 2 });
    else blocks.push({ ...paragraph, ...this.#placeOf(element, around) });
  }

  #placeOf(element: Element, around: readonly Tag[]): Pick<Paragraph, 'heading' | 'list'> {
    if (element.name === 'h')
      return { heading: Math.min(6, Math.max(1, Number(attribute(element, 'outline-level')) || 1)) };
    const lists = around.filter(({ name }) => name === 'list');
    if (lists.length === 0) return {};
    const level = Math.min(8, lists.length - 1);
    const style = lists.map((list) => attribute(list, 'style-name')).findLast((name) => name !== undefined);
    if (this.#context.numbered.get(style ?? '')?.has(level) !== true) return { list: { level } };
    const item = around.findLast(({ name }) => name === 'list-item');
    const [list] = lists.slice(-1);
    const before = list && this.#numbers.get(list);
    const number = (before?.number ?? 0) + (before?.item === item ? 0 : 1);
    if (list) this.#numbers.set(list, { item, number });
    return { list: { level, number } };
  }

  #addTableRow(element: Element, around: readonly Tag[], { blocks }: PageInWork): void {
    const tag = around.findLast(({ name }) => name === 'table');
    if (!tag) return;
    if (this.#table?.tag !== tag) {
      this.#table = { type: 'table', tag, rows: [] };
      blocks.push({ type: 'table', rows: this.#table.rows });
    }
    this.#tables.addRow(this.#table, cellsOf(element), (cell) => textOfCell(cell, this.#context));
  }

  #addRow(element: Element, sheet: SheetInWork): void {
    if (element.name !== 'table-row') return;
    const { columns, rows } = this.#bounds;
    const cells: string[] = [];
    for (const cell of cellsOf(element)) {
      const text = cutCell(
        textOfCell(cell, this.#context)
          .map((span) => span.text)
          .join(''),
      );
      const count = repeated(cell, 'number-columns-repeated');
      if (text !== '' && cells.length + count > columns) sheet.isCut = true;
      // Each copy takes room: a file of a few bytes may ask for millions.
      for (let at = 0; at < count && cells.length < columns; at += 1)
        cells.push(at === 0 ? text : this.#context.room.take(text));
    }
    while (cells.at(-1) === '') cells.pop();
    const count = repeated(element, 'number-rows-repeated');
    if (cells.length > 0)
      for (let at = 1; at <= count && !sheet.isCut; at += 1)
        if (sheet.rows.length === rows || this.#context.room.isFull) sheet.isCut = true;
        else
          sheet.rows.push({
            number: this.#lastRow + at,
            cells: at === 1 ? cells : cells.map((text) => this.#context.room.take(text)),
          });
    this.#lastRow += count;
  }
}

const repeated = (element: Element, name: string): number => Math.max(1, Number(attribute(element, name)) || 1);

const cellsOf = (row: Element): Element[] =>
  childrenOf(row).filter(({ name }) => name === 'table-cell' || name === 'covered-table-cell');

const formatOf = (element: Element, { formats }: Styles): Format =>
  formats.get(attribute(element, 'style-name') ?? '') ?? {};

/** The paragraphs of a cell. */
function textOfCell(cell: Element, context: Context): readonly Span[] {
  context.room.count();
  const spans = new Spans(context.room);
  addSpans(cell, {}, spans, context);
  return spans.spans;
}

function addSpans(element: Element, format: Format, spans: Spans, context: Context): void {
  for (const part of element.children) {
    // Only strings in a paragraph are text, and white space in them is one space.
    if (typeof part === 'string') {
      if (texts.has(element.name)) spans.add(part.replaceAll(/[ \t\r\n]+/g, ' '), format);
    } else if (unread.has(part.name)) continue;
    else if (part.name === 's') spans.add(' '.repeat(Math.min(100, repeated(part, 'c'))), format);
    else if (part.name === 'tab') spans.add('\t', format);
    else if (part.name === 'line-break') spans.add('\n', format);
    else if (part.name === 'span') addSpans(part, { ...format, ...formatOf(part, context) }, spans, context);
    else if (part.name === 'a') addSpans(part, { ...format, ...linkOf(part) }, spans, context);
    else {
      if (part.name === 'p' || part.name === 'h') spans.breakLine();
      addSpans(part, format, spans, context);
    }
  }
}

/** Elements whose own text is read. */
const texts = new Set(['p', 'h', 'span', 'a', 'date', 'time', 'page-number', 'page-count', 'sheet-name', 'title']);

function linkOf(element: Element): Format {
  const href = attribute(element, 'href');
  return href === undefined ? {} : { href };
}
