import { type Relation, relationOfType, relationsOf } from './relations.ts';
import type { Room } from './room.ts';
import { Spans } from './spans.ts';
import { type OpenTable, Tables } from './tables.ts';
import type { Block, ListPlace, OfficeBounds, OfficeDocument, Paragraph, Span } from './tree.ts';
import { attribute, child, childrenOf, type Element, eachElement, type Tag, textIn } from './xml.ts';
import type { Zip } from './zip.ts';

/** Which heading a paragraph is, and which list it is in, by its style or its own properties. */
interface Look {
  heading?: number;
  list?: { id: string; level: number };
}

interface Context {
  readonly room: Room;
  readonly relations: ReadonlyMap<string, Relation>;
  readonly styles: ReadonlyMap<string, Look>;
  /** The ids of lists with numbers, each with the levels that have bullets. */
  readonly numbered: ReadonlyMap<string, ReadonlySet<number>>;
  /** The last numbers of each list, by level. */
  readonly numbers: Map<string, number[]>;
}

type Format = Omit<Span, 'text'>;

/** The text of a Word document. */
export async function readWord(zip: Zip, entry: string, room: Room, bounds: OfficeBounds): Promise<OfficeDocument> {
  const relations = await relationsOf(zip, entry);
  const [styles, numbering] = ['styles', 'numbering'].map((type) => relationOfType(relations, type));
  const context: Context = {
    room,
    relations,
    styles: styles !== undefined && zip.has(styles) ? await stylesOf(zip, styles) : new Map(),
    numbered: numbering !== undefined && zip.has(numbering) ? await numberedOf(zip, numbering) : new Map(),
    numbers: new Map(),
  };
  const blocks: Block[] = [];
  const tables = new Tables(bounds);
  let table: (OpenTable & { readonly tag: Tag | undefined }) | undefined;
  const { isCut } = await eachElement(zip.text(entry), new Set(['p', 'tr']), (element, around) => {
    room.count();
    if (element.name === 'p') {
      table = undefined;
      const paragraph = paragraphOf(element, context);
      if (paragraph) blocks.push(paragraph);
      return !room.isFull;
    }
    const tag = around.findLast(({ name }) => name === 'tbl');
    if (!table || table.tag !== tag) {
      table = { type: 'table', tag, rows: [] };
      blocks.push({ type: 'table', rows: table.rows });
    }
    tables.addRow(table, cellElements(element), (cell) => textOfCell(cell, context));
    return !room.isFull;
  });
  return { parts: [{ type: 'text', blocks }], isCut: isCut || tables.isCut };
}

/** The look of each style by its id. A style inherits from the style that it is based on. */
async function stylesOf(zip: Zip, entry: string): Promise<Map<string, Look>> {
  const looks = new Map<string, Look>();
  await eachElement(zip.text(entry), new Set(['style']), (style) => {
    const id = attribute(style, 'styleId');
    if (id === undefined) return true;
    const based = looks.get(valueOf(style, 'basedOn') ?? '');
    const named = /^heading (\d)$/i.exec(valueOf(style, 'name') ?? '')?.[1];
    const title = valueOf(style, 'name')?.toLowerCase() === 'title' ? '1' : undefined;
    const look = { ...based, ...lookOf(child(style, 'pPr')) };
    if (named !== undefined || title !== undefined) look.heading = headingOf(named ?? title);
    looks.set(id, look);
    return looks.size < 10_000;
  });
  return looks;
}

/** What the properties of a paragraph or a style set. */
function lookOf(properties: Element | undefined): Look {
  const outline = valueOf(properties, 'outlineLvl');
  const numbers = child(properties, 'numPr');
  const id = valueOf(numbers, 'numId');
  return {
    // 9 is body text.
    ...(outline === undefined || Number(outline) > 8 ? {} : { heading: headingOf(String(Number(outline) + 1)) }),
    ...(id === undefined ? {} : { list: { id, level: levelOf(valueOf(numbers, 'ilvl')) } }),
  };
}

const headingOf = (level: string | undefined): number => Math.min(6, Math.max(1, Number(level) || 1));
const levelOf = (level: string | undefined): number => Math.min(8, Math.max(0, Number(level) || 0));

/** The attribute `val` of a child. */
function valueOf(element: Element | undefined, name: string): string | undefined {
  const found = child(element, name);
  return found && attribute(found, 'val');
}

async function numberedOf(zip: Zip, entry: string): Promise<Map<string, ReadonlySet<number>>> {
  const bullets = new Map<string, Set<number>>();
  const numbered = new Map<string, ReadonlySet<number>>();
  await eachElement(zip.text(entry), new Set(['abstractNum', 'num']), (element) => {
    if (element.name === 'abstractNum') {
      const levels = childrenOf(element).filter((level) => valueOf(level, 'numFmt') === 'bullet');
      const places = levels.map((level) => levelOf(attribute(level, 'ilvl')));
      bullets.set(attribute(element, 'abstractNumId') ?? '', new Set(places));
      return bullets.size < 10_000;
    }
    const levels = bullets.get(valueOf(element, 'abstractNumId') ?? '');
    if (levels) numbered.set(attribute(element, 'numId') ?? '', levels);
    return numbered.size < 10_000;
  });
  return numbered;
}

function paragraphOf(element: Element, context: Context): Paragraph | undefined {
  const properties = child(element, 'pPr');
  const { heading, list } = { ...context.styles.get(valueOf(properties, 'pStyle') ?? ''), ...lookOf(properties) };
  const spans = new Spans(context.room);
  addSpans(element, {}, spans, context);
  if (spans.isBlank) return undefined;
  const place = list && placeOf(list, context);
  return {
    type: 'paragraph',
    spans: spans.spans,
    // A heading may be numbered; it stays a heading.
    ...(heading === undefined ? (place ? { list: place } : {}) : { heading }),
  };
}

/**
 * The place of a paragraph in its list. Undefined for list 0, which no file defines: it takes a paragraph out of the list
 * of its style.
 */
function placeOf({ id, level }: NonNullable<Look['list']>, { numbered, numbers }: Context): ListPlace | undefined {
  const bullets = numbered.get(id);
  if (!bullets) return undefined;
  const before = numbers.get(id) ?? [];
  const number = (before[level] ?? 0) + 1;
  // A new item begins the numbers of deeper levels again.
  numbers.set(id, [...before.slice(0, level), number]);
  return bullets.has(level) ? { level } : { level, number };
}

/** Cells may stand in an element around them, such as a content control. */
const cellElements = (row: Element): Element[] =>
  childrenOf(row).flatMap((element) => (element.name === 'tc' ? [element] : cellElements(element)));

/** The paragraphs of a cell. */
function textOfCell(cell: Element, context: Context): readonly Span[] {
  context.room.count();
  const spans = new Spans(context.room);
  addSpans(cell, {}, spans, context);
  return spans.spans;
}

/** Elements whose text the reader skips: properties, field codes, and text that the author has deleted. */
const unread = new Set(['pPr', 'rPr', 'tcPr', 'del', 'moveFrom', 'instrText']);

function addSpans(element: Element, format: Format, spans: Spans, context: Context): void {
  for (const part of childrenOf(element)) {
    if (unread.has(part.name)) continue;
    if (part.name === 't') spans.add(textIn(part), format);
    else if (part.name === 'tab') spans.add('\t', format);
    else if (part.name === 'br' || part.name === 'cr') spans.add('\n', format);
    else if (part.name === 'noBreakHyphen') spans.add('\u2011', format);
    else if (part.name === 'r') addSpans(part, { ...format, ...formatOf(child(part, 'rPr')) }, spans, context);
    else if (part.name === 'hyperlink') addSpans(part, { ...format, ...linkOf(part, context) }, spans, context);
    else {
      // The paragraphs of a cell or a text box.
      if (part.name === 'p') spans.breakLine();
      addSpans(part, format, spans, context);
    }
  }
}

function formatOf(properties: Element | undefined): Format {
  return { ...(isOn(properties, 'b') ? { isBold: true } : {}), ...(isOn(properties, 'i') ? { isItalic: true } : {}) };
}

function isOn(properties: Element | undefined, name: string): boolean {
  const found = child(properties, name);
  return found !== undefined && !['0', 'false', 'off', 'none'].includes(attribute(found, 'val') ?? '');
}

function linkOf(element: Element, { relations }: Context): Format {
  const relation = relations.get(attribute(element, 'id', true) ?? '');
  return relation?.isExternal === true ? { href: relation.target } : {};
}
