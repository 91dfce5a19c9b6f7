import { Asides } from './asides.ts';
import { type Authors, authorsOf } from './comment-authors.ts';
import { cellSpans, shapesIn, shownShapes, spansIn } from './drawing.ts';
import { OfficeFailure } from './failure.ts';
import { MAX_SLIDES } from './limits.ts';
import { addObjects, type Reference, referencesIn } from './objects.ts';
import type { Reading } from './parts.ts';
import { type Relation, relationsOf, relationsOfType } from './relations.ts';
import { addSlideComments } from './slide-comments.ts';
import { type OpenTable, Tables } from './tables.ts';
import type { Block, OfficeDocument, Page, Paragraph } from './tree.ts';
import { attribute, child, childrenOf, type Element, elementsIn, eachElement } from './xml.ts';

/** The slides of a PowerPoint presentation, in their order. */
export async function readPresentation(reading: Reading, entry: string): Promise<OfficeDocument> {
  const { zip, room, bounds } = reading;
  const relations = await relationsOf(zip, entry);
  const slides: string[] = [];
  await eachElement(zip.text(entry), new Set(['sldId']), (element) => {
    const slide = relations.get(attribute(element, 'id', true) ?? '');
    if (slide && !slide.isExternal && zip.has(slide.target)) slides.push(slide.target);
    return slides.length <= MAX_SLIDES;
  });
  const tables = new Tables(bounds);
  const authors = await authorsOf(zip, relations);
  const parts: Page[] = [];
  let isCut = slides.length > MAX_SLIDES;
  let damaged = 0;
  for (const slide of slides.slice(0, MAX_SLIDES)) {
    if (room.isFull) return { parts, isCut: true };
    room.count();
    try {
      const page = await readSlide(slide, { ...reading, tables, authors });
      parts.push(page.page);
      isCut ||= page.isCut;
    } catch (error) {
      // A damaged slide is left out; the others are read.
      if (!(error instanceof OfficeFailure)) throw error;
      damaged += 1;
      if (damaged === slides.length) throw error;
      parts.push({ type: 'slide', blocks: [], asides: [] });
      isCut = true;
    }
  }
  return { parts, isCut: isCut || tables.isCut };
}

interface SlideReading extends Reading {
  readonly tables: Tables;
  readonly authors: Authors;
}

async function readSlide(slide: string, reading: SlideReading): Promise<{ page: Page; isCut: boolean }> {
  const { zip, authors } = reading;
  const relations = await relationsOf(zip, slide);
  const asides = new Asides();
  const { blocks, references, isCut } = await readShapes(slide, relations, reading);
  await addObjects(references, asides, reading);
  for (const notes of relationsOfType(relations, 'notesSlide'))
    await asides.read(async () => {
      if (!zip.has(notes)) return;
      const read = await readShapes(notes, await relationsOf(zip, notes), reading, besideNotes);
      asides.add({ kind: 'notes', blocks: read.blocks });
      asides.isCut ||= read.isCut;
    });
  for (const comments of relationsOfType(relations, 'comments'))
    await asides.read(async () => addSlideComments(comments, authors, asides, reading));
  return { page: { type: 'slide', blocks, asides: asides.all }, isCut: isCut || asides.isCut };
}

/** Placeholders of a page of notes that are for its header, footer and date. */
const besideNotes = new Set(['hdr', 'ftr', 'dt']);
/** Elements of a slide that have text. */
const shapes = new Set(['sp', 'graphicFrame', 'tbl', 'p']);

/** The blocks of a slide or its notes, their titles first, and what they refer to. */
async function readShapes(
  part: string,
  relations: ReadonlyMap<string, Relation>,
  { zip, room, tables }: SlideReading,
  skipped: ReadonlySet<string> = new Set(),
) {
  const titles: Block[] = [];
  const others: Block[] = [];
  const references: Reference[] = [];
  const add = (element: Element): void => {
    const { type, isTitle, isBody } = placeholderOf(element);
    if (skipped.has(type)) return;
    references.push(...referencesIn(element, relations));
    const found =
      element.name === 'tbl' ? [element] : element.name === 'graphicFrame' ? elementsIn(element, 'tbl') : [];
    for (const table of found) others.push(tableOf(table, relations, room, tables));
    if (element.name === 'p') others.push(...shapesIn({ ...element, children: [element] }, room, relations));
    else if (element.name === 'sp') {
      let number = 0;
      for (const paragraph of elementsIn(element, 'p')) {
        const spans = spansIn(paragraph, room, relations);
        if (!spans) continue;
        if (isTitle) titles.push({ type: 'paragraph', heading: 2, spans });
        else others.push({ type: 'paragraph', spans, ...(isBody ? listOf(paragraph, (number += 1)) : {}) });
      }
    }
  };
  const { isCut } = await eachElement(zip.text(part), new Set(['grpSp', ...shapes]), (element) => {
    for (const shape of shownShapes(element, shapes)) add(shape);
    return !room.isFull;
  });
  return { blocks: [...titles, ...others], references, isCut };
}

/** The layout's placeholder of a shape, and whether it is for the title or the body. Text in the body has bullets. */
function placeholderOf(shape: Element): { type: string; isTitle: boolean; isBody: boolean } {
  const place = child(child(child(shape, 'nvSpPr'), 'nvPr'), 'ph');
  const type = place ? (attribute(place, 'type') ?? 'obj') : '';
  return { type, isTitle: type === 'title' || type === 'ctrTitle', isBody: type === 'body' || type === 'obj' };
}

function listOf(paragraph: Element, number: number): Pick<Paragraph, 'list'> {
  const properties = child(paragraph, 'pPr');
  if (child(properties, 'buNone')) return {};
  const level = Math.min(8, Math.max(0, Number(properties && attribute(properties, 'lvl')) || 0));
  return { list: child(properties, 'buAutoNum') ? { level, number } : { level } };
}

function tableOf(
  element: Element,
  relations: ReadonlyMap<string, Relation>,
  room: Reading['room'],
  tables: Tables,
): Block {
  const table: OpenTable = { type: 'table', rows: [] };
  for (const row of childrenOf(element).filter(({ name }) => name === 'tr')) {
    room.count();
    const cells = childrenOf(row).filter(({ name }) => name === 'tc');
    tables.addRow(table, cells, (cell) => cellSpans(cell, room, relations));
  }
  return table;
}
