import { Asides } from './asides.ts';
import { OfficeFailure } from './failure.ts';
import { MAX_NESTED, MAX_SHEETS, MAX_SLIDES } from './limits.ts';
import { flat } from './objects.ts';
import { addRow, cellsIn, type SheetInWork } from './open-cells.ts';
import { OpenLists } from './open-lists.ts';
import { OpenPages } from './open-pages.ts';
import { addComment, isHidden, isHiddenParagraph, type OpenContext, spansOf } from './open-spans.ts';
import { type Styles, stylesOf } from './open-styles.ts';
import type { Reading } from './parts.ts';
import { type OpenTable, Tables } from './tables.ts';
import type { AsideKind, Block, OfficeDocument, Page, Paragraph, Sheet } from './tree.ts';
import { attribute, type Element, eachElement, type Tag, textIn } from './xml.ts';
import type { Zip } from './zip.ts';

/** Reads an OpenDocument file. Its text, sheets or slides are all in one entry; its objects are in folders. */
export async function readOpenDocument(reading: Reading, folder = ''): Promise<OfficeDocument> {
  const { zip } = reading;
  if (folder === '' && (await isEncrypted(zip))) throw new OfficeFailure(true);
  const reader = new Reader(reading, await stylesOf(zip, folder));
  const names = new Set(['h', 'p', 'table-row', 'object', 'annotation', 'math']);
  const { isCut } = await eachElement(zip.text(`${folder}content.xml`), names, (element, around) =>
    reader.add(element, around),
  );
  const styles = `${folder}styles.xml`;
  if (reader.isText && zip.has(styles)) await reader.addPageParts(styles);
  for (const part of reader.parts) await addObjects(part, reading, folder);
  const parts = reader.parts.map(({ work, context }): Page | Sheet => ({ ...work, asides: context.asides.all }));
  return { parts, isCut: isCut || reader.isCut };
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

/** Adds the words of charts, formulas and other files that are shown in a text, a slide or a sheet. */
async function addObjects({ context: { asides, objects } }: Part, reading: Reading, folder: string): Promise<void> {
  const { zip, depth, room } = reading;
  for (const object of new Set(objects)) {
    const inner = `${folder}${object.replace(/\/$/, '')}/`;
    if (!zip.has(`${inner}content.xml`) || room.isFull) continue;
    await asides.read(async () => {
      if (depth >= MAX_NESTED) throw new OfficeFailure(false);
      const { blocks, isCut } = flat(await readOpenDocument({ ...reading, depth: depth + 1 }, inner));
      asides.add({ kind: 'object', blocks });
      asides.isCut ||= isCut;
    });
  }
}

type PageInWork = Omit<Page, 'blocks'> & { blocks: Block[] };

interface Part {
  readonly work: PageInWork | SheetInWork;
  readonly context: OpenContext;
}

/** Elements around text that is not shown: what the author has deleted, forms, and templates of tables of contents. */
const unread = new Set(['tracked-changes', 'forms', 'content-validations', 'dde-links', 'page-thumbnail']);

/** Puts paragraphs and rows into the text, the sheet or the slide around them. */
class Reader {
  readonly #reading: Reading;
  readonly #styles: Styles;
  readonly #tables: Tables;
  readonly #lists: OpenLists;
  readonly #pages: OpenPages;
  readonly parts: Part[] = [];
  /** The tag of the part that elements are added to; of a hidden sheet too. */
  #partTag: Tag | undefined;
  #isHidden = false;
  #table: (OpenTable & { readonly tag: Tag }) | undefined;
  /** Paragraphs that stand beside the main text, by the element that they are in. */
  readonly #beside = new Map<Tag, Block[]>();
  /** The number of the last row of the sheet. */
  #lastRow = 0;
  #hasMoreParts = false;
  isText = false;

  constructor(reading: Reading, styles: Styles) {
    this.#reading = reading;
    this.#styles = styles;
    this.#tables = new Tables(reading.bounds);
    this.#lists = new OpenLists(styles);
    this.#pages = new OpenPages(styles);
  }

  /** Whether the file has more parts than are read, larger tables in its pages, or damaged objects. */
  get isCut(): boolean {
    return this.#hasMoreParts || this.#tables.isCut || this.parts.some(({ context }) => context.asides.isCut);
  }

  /** Returns false when no more is read. */
  add(element: Element, around: readonly Tag[]): boolean {
    const { room } = this.#reading;
    if (element.name === 'math' && around.length === 0) return this.#addFormula(element);
    const body = around.findIndex(({ name }) => name === 'body');
    const kind = around[body + 1];
    const isWhole = kind?.name === 'text' || kind?.name === 'chart';
    const tag = isWhole ? kind : around[body + 2];
    if (body === -1 || !kind || !tag || around.some(isUnread)) return true;
    if (kind.name === 'presentation' && tag.name !== 'page') return true;
    if (kind.name === 'spreadsheet' && tag.name !== 'table') return true;
    if (tag !== this.#partTag && !this.#begin(tag, kind.name)) return false;
    const part = this.parts.at(-1);
    if (!part || this.#isHidden) return !room.isFull;
    room.count();
    const { context } = part;
    const beside = besideOf(around);
    if (element.name === 'annotation') addComment(element, context);
    else if (element.name === 'object') spansOf({ ...element, children: [element] }, context);
    else if (beside) this.#addBeside(element, around, part, beside);
    else this.#addToBody(element, around, part);
    return !room.isFull;
  }

  #addToBody(element: Element, around: readonly Tag[], { work, context }: Part): void {
    if (work.type === 'sheet') {
      if (element.name === 'table-row')
        this.#lastRow = addRow(element, this.#lastRow, work, this.#reading.bounds, context);
      return;
    }
    this.#pages.add(element, around);
    if (element.name === 'table-row') this.#addTableRow(element, around, work.blocks, context);
    else this.#addParagraph(element, around, work.blocks, context);
  }

  #begin(tag: Tag, kind: string): boolean {
    const isSheet = kind === 'spreadsheet';
    this.#partTag = tag;
    this.#lastRow = 0;
    this.#table = undefined;
    const name = attribute(tag, 'name') ?? '';
    // Sheets of other files are kept as copies, whose names say where they come from.
    this.#isHidden =
      isSheet && (this.#styles.hidden.has(attribute(tag, 'style-name') ?? '') || /^'\w+:.*'#/.test(name));
    if (this.#isHidden) return true;
    this.#hasMoreParts = this.parts.length === (isSheet ? MAX_SHEETS : MAX_SLIDES);
    if (this.#hasMoreParts) return false;
    this.isText ||= kind === 'text';
    const { room } = this.#reading;
    const work: Part['work'] = isSheet
      ? { type: 'sheet', name, rows: [], asides: [], isCut: false }
      : { type: kind === 'presentation' ? 'slide' : 'text', blocks: [], asides: [] };
    this.parts.push({ work, context: { styles: this.#styles, room, asides: new Asides(), objects: [] } });
    return true;
  }

  #addParagraph(element: Element, around: readonly Tag[], blocks: Block[], context: OpenContext): void {
    this.#table = undefined;
    if (isHiddenParagraph(element)) return;
    const spans = spansOf(element, context);
    const heading = element.name === 'h' ? Math.max(1, Number(attribute(element, 'outline-level')) || 1) : undefined;
    const label = heading === undefined ? '' : this.#lists.labelOf(Math.min(9, heading - 1));
    if (spans.every(({ text }) => text.trim() === '')) return;
    const isTitle = around.some((tag) => tag.name === 'frame' && attribute(tag, 'class') === 'title');
    if (isTitle) blocks.unshift({ type: 'paragraph', spans, heading: 2 });
    else if (heading !== undefined) {
      const labelled = label === '' ? spans : [{ text: context.room.take(`${label} `) }, ...spans];
      blocks.push({ type: 'paragraph', spans: labelled, heading: Math.min(6, heading) });
    } else blocks.push({ type: 'paragraph', spans, ...this.#placeOf(element, around, context) });
  }

  #placeOf(element: Element, around: readonly Tag[], { room }: OpenContext): Pick<Paragraph, 'list'> {
    const place = this.#lists.placeOf(element, around);
    if (!place) return {};
    return { list: place.label === undefined ? place : { ...place, label: room.take(place.label) } };
  }

  #addTableRow(element: Element, around: readonly Tag[], blocks: Block[], context: OpenContext): void {
    const tag = around.findLast(({ name }) => name === 'table');
    if (!tag) return;
    if (this.#table?.tag !== tag) {
      this.#table = { type: 'table', tag, rows: [] };
      blocks.push({ type: 'table', rows: this.#table.rows });
    }
    this.#tables.addRow(this.#table, cellsIn(element), (cell) => spansOf(cell, context));
  }

  /** Speaker notes, the shapes on a sheet, and in the part of styles headers and footers. */
  #addBeside(element: Element, around: readonly Tag[], { context }: Part, { tag, kind }: Beside): void {
    let blocks = this.#beside.get(tag);
    if (!blocks) {
      blocks = [];
      this.#beside.set(tag, blocks);
    }
    const before = blocks.length;
    if (element.name === 'table-row') this.#addTableRow(element, around, blocks, context);
    else this.#addParagraph(element, around, blocks, context);
    // The aside holds the list that later paragraphs are added to.
    if (before === 0) context.asides.add({ kind, blocks });
  }

  /** Adds the headers and footers of the kinds of pages that the text has. */
  async addPageParts(entry: string): Promise<void> {
    const { zip, room } = this.#reading;
    const [part] = this.parts;
    if (!part) return;
    const shown = new Set<string>();
    const used = this.#pages.used();
    await part.context.asides.read(async () => {
      await eachElement(zip.text(entry), new Set(pageParts.keys()), (element, around) => {
        const kind = pageParts.get(element.name);
        const page = around.at(-1);
        if (!kind || attribute(element, 'display') === 'false' || page?.name !== 'master-page') return true;
        if (!used.has(attribute(page, 'name') ?? '')) return true;
        // Most documents have the same header on all kinds of pages.
        const text = textIn(element);
        if (shown.has(text)) return true;
        shown.add(text);
        const blocks: Block[] = [];
        this.#addAll(element, blocks, part.context);
        part.context.asides.add({ kind, blocks });
        return !room.isFull;
      });
    });
  }

  #addAll(element: Element, blocks: Block[], context: OpenContext): void {
    for (const inner of element.children)
      if (typeof inner === 'string' || isUnread(inner)) continue;
      else if (inner.name === 'p' || inner.name === 'h') this.#addParagraph(inner, [], blocks, context);
      else if (inner.name === 'table-row') this.#addTableRow(inner, [element], blocks, context);
      else this.#addAll(inner, blocks, context);
  }

  /** A formula is a file of its own, whose only element it is. */
  #addFormula(element: Element): boolean {
    const context = { styles: this.#styles, room: this.#reading.room, asides: new Asides(), objects: [] };
    const text = this.#reading.room.take(symbolsIn(element).trim());
    const blocks: Block[] = text === '' ? [] : [{ type: 'paragraph', spans: [{ text }] }];
    this.parts.push({ work: { type: 'text', blocks, asides: [] }, context });
    return false;
  }
}

/** The symbols of a formula, without the source that it was written in. */
const symbolsIn = ({ children }: Element): string =>
  children
    .map((part) => (typeof part === 'string' ? part.trim() : part.name === 'annotation' ? '' : symbolsIn(part)))
    .filter((text) => text !== '')
    .join(' ');

const pageParts: ReadonlyMap<string, AsideKind> = new Map([
  ['header', 'header'],
  ['header-left', 'header'],
  ['header-first', 'header'],
  ['footer', 'footer'],
  ['footer-left', 'footer'],
  ['footer-first', 'footer'],
]);

interface Beside {
  readonly tag: Tag;
  readonly kind: AsideKind;
}

/** The element around a paragraph that stands beside the main text. */
function besideOf(around: readonly Tag[]): Beside | undefined {
  const tag = around.find(({ name }) => name === 'notes' || name === 'shapes');
  return tag && { tag, kind: tag.name === 'notes' ? 'notes' : 'object' };
}

const isUnread = (tag: Tag): boolean => unread.has(tag.name) || isHidden(tag);
