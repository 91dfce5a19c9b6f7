import { MOST_SLIDES } from './limits.ts';
import { relationsOf } from './relations.ts';
import type { Room } from './room.ts';
import { Spans } from './spans.ts';
import { type OpenTable, Tables } from './tables.ts';
import type { Block, OfficeBounds, OfficeDocument, Page, Paragraph, Span } from './tree.ts';
import { attribute, child, childrenOf, type Element, eachElement, textIn } from './xml.ts';
import type { Zip } from './zip.ts';

/** The slides of a PowerPoint presentation, in their order. */
export async function readPresentation(
  zip: Zip,
  entry: string,
  room: Room,
  bounds: OfficeBounds,
): Promise<OfficeDocument> {
  const relations = await relationsOf(zip, entry);
  const slides: string[] = [];
  await eachElement(zip.text(entry), new Set(['sldId']), (element) => {
    const slide = relations.get(attribute(element, 'id', true) ?? '');
    if (slide && !slide.isExternal && zip.has(slide.target)) slides.push(slide.target);
    return slides.length <= MOST_SLIDES;
  });
  const tables = new Tables(bounds);
  const parts: Page[] = [];
  let isCut = slides.length > MOST_SLIDES;
  for (const slide of slides.slice(0, MOST_SLIDES)) {
    if (room.isFull) return { parts, isCut: true };
    room.count();
    const page = await readSlide(zip, slide, room, tables);
    parts.push({ type: 'slide', blocks: page.blocks });
    isCut ||= page.isCut;
  }
  return { parts, isCut: isCut || tables.isCut };
}

/** The blocks of a slide, its titles first. */
async function readSlide(zip: Zip, slide: string, room: Room, tables: Tables) {
  const titles: Block[] = [];
  const others: Block[] = [];
  const { isCut } = await eachElement(zip.text(slide), new Set(['sp', 'tbl']), (element) => {
    if (element.name === 'tbl') others.push(tableOf(element, room, tables));
    else {
      const { isTitle, isBody } = placeholderOf(element);
      let number = 0;
      for (const paragraph of childrenOf(child(element, 'txBody')).filter(({ name }) => name === 'p')) {
        room.count();
        const spans = spansOf(paragraph, room);
        if (spans.every(({ text }) => text.trim() === '')) continue;
        if (isTitle) titles.push({ type: 'paragraph', heading: 2, spans });
        else others.push({ type: 'paragraph', spans, ...(isBody ? listOf(paragraph, (number += 1)) : {}) });
      }
    }
    return !room.isFull;
  });
  return { blocks: [...titles, ...others], isCut };
}

/** Whether the layout's placeholder of a shape is for the title or the body. Text in the body has bullets. */
function placeholderOf(shape: Element): { isTitle: boolean; isBody: boolean } {
  const place = child(child(child(shape, 'nvSpPr'), 'nvPr'), 'ph');
  const type = place && (attribute(place, 'type') ?? 'obj');
  return { isTitle: type === 'title' || type === 'ctrTitle', isBody: type === 'body' || type === 'obj' };
}

function listOf(paragraph: Element, number: number): Pick<Paragraph, 'list'> {
  const properties = child(paragraph, 'pPr');
  if (child(properties, 'buNone')) return {};
  const level = Math.min(8, Math.max(0, Number(properties && attribute(properties, 'lvl')) || 0));
  return { list: child(properties, 'buAutoNum') ? { level, number } : { level } };
}

function tableOf(element: Element, room: Room, tables: Tables): Block {
  const table: OpenTable = { type: 'table', rows: [] };
  for (const row of childrenOf(element).filter(({ name }) => name === 'tr')) {
    room.count();
    const cells = childrenOf(row).filter(({ name }) => name === 'tc');
    tables.addRow(table, cells, (cell) => spansOf(child(cell, 'txBody') ?? cell, room));
  }
  return table;
}

/** The texts of a paragraph, or of all paragraphs of a cell. */
function spansOf(element: Element, room: Room): readonly Span[] {
  room.count();
  const spans = new Spans(room);
  addSpans(element, spans);
  return spans.spans;
}

function addSpans(element: Element, spans: Spans): void {
  for (const part of childrenOf(element)) {
    if (part.name === 'br') spans.add('\n');
    else if (part.name === 'p') {
      spans.breakLine();
      addSpans(part, spans);
    } else if (part.name === 'r' || part.name === 'fld') {
      const properties = child(part, 'rPr');
      const text = child(part, 't');
      const isOn = (name: string) =>
        properties !== undefined && ['1', 'true'].includes(attribute(properties, name) ?? '');
      if (text)
        spans.add(textIn(text), { ...(isOn('b') ? { isBold: true } : {}), ...(isOn('i') ? { isItalic: true } : {}) });
    }
  }
}
