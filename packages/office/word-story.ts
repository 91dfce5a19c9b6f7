import { labelOf } from './number-labels.ts';
import { type Reference, referenceIn } from './objects.ts';
import type { Reading } from './parts.ts';
import type { Relation } from './relations.ts';
import { Spans } from './spans.ts';
import { type OpenTable, Tables } from './tables.ts';
import type { Block, ListPlace, Paragraph, Span } from './tree.ts';
import type { WordLists } from './word-lists.ts';
import { addSpans } from './word-spans.ts';
import { type Look, lookOf, valueOf } from './word-styles.ts';
import { child, childrenOf, type Element, eachElement, type Tag } from './xml.ts';

export interface StoryContext extends Reading {
  readonly relations: ReadonlyMap<string, Relation>;
  readonly styles: ReadonlyMap<string, Look>;
  readonly lists: WordLists;
  /** The marks of the notes that the text has referred to, by their ids. */
  readonly notes: Readonly<Record<'footnote' | 'endnote', Map<string, string>>>;
}

/** The text of one part of a document: its main text, a header, or all notes of a kind. */
export interface Story {
  readonly blocks: readonly Block[];
  /** The same blocks by the note or the comment that they are in. */
  readonly grouped: ReadonlyMap<Tag, readonly Block[]>;
  readonly references: readonly Reference[];
  /** The properties of its sections. */
  readonly sections: readonly Element[];
  readonly isCut: boolean;
}

const groups = new Set(['footnote', 'endnote', 'comment']);

export async function readStory(entry: string, context: StoryContext): Promise<Story> {
  const { zip, room, bounds, relations } = context;
  const blocks: Block[] = [];
  const grouped = new Map<Tag, Block[]>();
  const references: Reference[] = [];
  const sections: Element[] = [];
  const tables = new Tables(bounds);
  let table: (OpenTable & { readonly tag: Tag | undefined }) | undefined;
  const names = new Set(['p', 'tr', 'sectPr', 'altChunk']);
  const { isCut } = await eachElement(zip.text(entry), names, (element, around) => {
    const add = (block: Block): void => {
      blocks.push(block);
      const group = around.find(({ name }) => groups.has(name));
      if (!group) return;
      const others = grouped.get(group);
      if (others) others.push(block);
      else grouped.set(group, [block]);
    };
    if (element.name === 'sectPr') sections.push(element);
    const reference = referenceIn(element, relations);
    if (reference) references.push(reference);
    if (element.name !== 'p' && element.name !== 'tr') return !room.isFull;
    room.count();
    if (around.some(({ name }) => name === 'del' || name === 'moveFrom')) return !room.isFull;
    if (element.name === 'p') {
      table = undefined;
      const section = child(child(element, 'pPr'), 'sectPr');
      if (section) sections.push(section);
      const paragraph = paragraphOf(element, context, references);
      if (paragraph) add(paragraph);
      return !room.isFull;
    }
    // A row that the author has deleted.
    if (child(child(element, 'trPr'), 'del')) return true;
    const tag = around.findLast(({ name }) => name === 'tbl');
    if (!table || table.tag !== tag) {
      table = { type: 'table', tag, rows: [] };
      add({ type: 'table', rows: table.rows });
    }
    tables.addRow(table, cellElements(element), (cell) => textOfCell(cell, context, references));
    return !room.isFull;
  });
  return { blocks, grouped, references, sections, isCut: isCut || tables.isCut };
}

function paragraphOf(element: Element, context: StoryContext, references: Reference[]): Paragraph | undefined {
  const properties = child(element, 'pPr');
  const style = valueOf(properties, 'pStyle');
  const { heading, list, isHidden } = { ...context.styles.get(style ?? ''), ...lookOf(properties) };
  const spans = new Spans(context.room);
  addSpans(element, isHidden === true ? { isHidden } : {}, spans, context, references);
  // Text of a shape or a note may stand where the paragraph itself has none.
  if (spans.isBlank) return undefined;
  const place = list && context.lists.next(list, style);
  if (heading !== undefined) return { type: 'paragraph', spans: withLabel(spans.spans, place, context), heading };
  return { type: 'paragraph', spans: spans.spans, ...(place ? { list: taken(place, context) } : {}) };
}

/** A heading may be numbered; it stays a heading. */
function withLabel(spans: readonly Span[], place: ListPlace | undefined, { room }: StoryContext): readonly Span[] {
  const label = place ? labelOf(place) : '';
  return label === '' ? spans : [{ text: room.take(`${label} `) }, ...spans];
}

/** A label takes room: it may be long, and many items may have it. */
const taken = (place: ListPlace, { room }: StoryContext): ListPlace =>
  place.label === undefined ? place : { ...place, label: room.take(place.label) };

/** Cells may stand in an element around them, such as a content control. */
const cellElements = (row: Element): Element[] =>
  childrenOf(row).flatMap((element) => (element.name === 'tc' ? [element] : cellElements(element)));

/** The paragraphs of a cell. */
function textOfCell(cell: Element, context: StoryContext, references: Reference[]): readonly Span[] {
  context.room.count();
  const spans = new Spans(context.room);
  addSpans(cell, {}, spans, context, references);
  return spans.spans;
}
