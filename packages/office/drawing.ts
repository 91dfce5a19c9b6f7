import type { Relation } from './relations.ts';
import type { Room } from './room.ts';
import { Spans } from './spans.ts';
import type { Block, Span } from './tree.ts';
import { attribute, child, childrenOf, type Element, elementsIn, textIn } from './xml.ts';

type Relations = ReadonlyMap<string, Relation>;

/** The paragraphs of a shape, a diagram's point or a chart's title, without the empty ones. */
export function shapesIn(element: Element, room: Room, relations: Relations): Block[] {
  return elementsIn(element, 'p').flatMap((paragraph): Block[] => {
    const spans = spansIn(paragraph, room, relations);
    return spans === undefined ? [] : [{ type: 'paragraph', spans }];
  });
}

/** The text of a paragraph of DrawingML; undefined if it is blank. */
export function spansIn(paragraph: Element, room: Room, relations: Relations): readonly Span[] | undefined {
  const spans = cellSpans(paragraph, room, relations);
  return spans.every(({ text }) => text.trim() === '') ? undefined : spans;
}

/** All paragraphs of an element, such as a cell, on lines of their own. */
export function cellSpans(element: Element, room: Room, relations: Relations): readonly Span[] {
  room.count();
  const spans = new Spans(room);
  addSpans(element, {}, spans, relations);
  return spans.spans;
}

/** Whether an element has the properties of a shape, a group or a picture that its author has hidden. */
export const hasHidingProperties = (element: Element): boolean =>
  childrenOf(element).some(
    ({ name, attributes }) =>
      (name === 'cNvPr' || name === 'docPr') && ['1', 'true'].includes(attributes['hidden'] ?? ''),
  );

/** The elements of these names in a shape or a group that are not hidden, but not those inside one another. */
export function shownShapes(element: Element, names: ReadonlySet<string>): Element[] {
  if (childrenOf(element).some(hasHidingProperties)) return [];
  if (names.has(element.name)) return [element];
  return childrenOf(element).flatMap((inner) => shownShapes(inner, names));
}

/** Elements without text of their own. In all others, also in those that are not known, the elements `t` are text. */
const unread = new Set(['pPr', 'rPr', 'endParaRPr', 'extLst']);

function addSpans(element: Element, format: Omit<Span, 'text'>, spans: Spans, relations: Relations): void {
  for (const part of childrenOf(element)) {
    if (unread.has(part.name)) continue;
    if (part.name === 't' && !childrenOf(part).some(({ name }) => name === 'p')) spans.add(textIn(part), format);
    else if (part.name === 'br') spans.add('\n', format);
    else if (part.name === 'tab') spans.add('\t', format);
    else {
      if (part.name === 'p') spans.breakLine();
      addSpans(part, { ...format, ...formatOf(child(part, 'rPr'), relations) }, spans, relations);
    }
  }
}

function formatOf(properties: Element | undefined, relations: Relations): Omit<Span, 'text'> {
  const isOn = (name: string): boolean =>
    properties !== undefined && ['1', 'true'].includes(attribute(properties, name) ?? '');
  const click = child(properties, 'hlinkClick');
  const link = click && relations.get(attribute(click, 'id', true) ?? '');
  return {
    ...(isOn('b') ? { isBold: true } : {}),
    ...(isOn('i') ? { isItalic: true } : {}),
    ...(link?.isExternal === true ? { href: link.target } : {}),
  };
}
