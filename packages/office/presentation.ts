import { MOST_SLIDES } from './limits.ts';
import { relationsOf } from './relations.ts';
import type { Room } from './room.ts';
import { Spans } from './spans.ts';
import type { Block, Page, Paragraph, Span } from './tree.ts';
import { attribute, child, childrenOf, type Element, eachElement, textIn } from './xml.ts';
import type { Zip } from './zip.ts';

/** The slides of a PowerPoint presentation, in their order. */
export async function readPresentation(
  zip: Zip,
  entry: string,
  room: Room,
): Promise<{ parts: Page[]; isCut: boolean }> {
  const relations = await relationsOf(zip, entry);
  const slides: string[] = [];
  await eachElement(zip.text(entry), new Set(['sldId']), (element) => {
    const slide = relations.get(attribute(element, 'id', true) ?? '');
    if (slide && !slide.isExternal && zip.has(slide.target)) slides.push(slide.target);
    return slides.length <= MOST_SLIDES;
  });
  const parts: Page[] = [];
  for (const slide of slides.slice(0, MOST_SLIDES)) {
    if (room.isFull) return { parts, isCut: true };
    room.count();
    parts.push({ type: 'slide', blocks: await blocksOf(zip, slide, room) });
  }
  return { parts, isCut: slides.length > MOST_SLIDES };
}

/** The titles of a slide come first. */
async function blocksOf(zip: Zip, slide: string, room: Room): Promise<Block[]> {
  const titles: Block[] = [];
  const others: Block[] = [];
  await eachElement(zip.text(slide), new Set(['sp', 'tbl']), (element) => {
    if (element.name === 'tbl') others.push(tableOf(element, room));
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
  return [...titles, ...others];
}

/** What the place that the slide's layout gives a shape is for. Text in the main place has bullets. */
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

function tableOf(table: Element, room: Room): Block {
  const rows = childrenOf(table).filter(({ name }) => name === 'tr');
  return {
    type: 'table',
    rows: rows.map((row) => {
      room.count();
      return childrenOf(row)
        .filter(({ name }) => name === 'tc')
        .map((cell) => spansOf(child(cell, 'txBody') ?? cell, room));
    }),
  };
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
