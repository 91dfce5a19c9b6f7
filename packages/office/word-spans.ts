import { hasHidingProperties } from './drawing.ts';
import { labelOf } from './number-labels.ts';
import { type Reference, referenceIn } from './objects.ts';
import type { Spans } from './spans.ts';
import type { Span } from './tree.ts';
import type { StoryContext } from './word-story.ts';
import { hidingOf, isOn, lookOf, valueOf } from './word-styles.ts';
import { attribute, child, childrenOf, type Element, elementsIn, textIn } from './xml.ts';

type Format = Omit<Span, 'text'> & { readonly isHidden?: boolean };

/** Elements whose text a reader of the document does not see: properties, field codes, and text that was deleted. */
const unread = new Set(['rPr', 'tcPr', 'sdtPr', 'del', 'moveFrom', 'instrText', 'delText', 'delInstrText', 'rt']);

/** The text of simple elements. */
const signs: Readonly<Record<string, string>> = {
  tab: '\t',
  ptab: '\t',
  br: '\n',
  cr: '\n',
  noBreakHyphen: '\u2011',
};

/** Adds the text of all elements, also of those that are not known, and what they refer to. */
export function addSpans(
  element: Element,
  format: Format,
  spans: Spans,
  context: StoryContext,
  references: Reference[],
): void {
  for (const part of childrenOf(element)) {
    if (unread.has(part.name) || isHiddenShape(part)) continue;
    const sign = Object.hasOwn(signs, part.name) ? signs[part.name] : undefined;
    const { isHidden = false, ...shown } = format;
    const reference = isHidden ? undefined : referenceIn(part, context.relations);
    if (reference) references.push(reference);
    const add = (text: string): void => void (isHidden || spans.add(text, shown));
    if (part.name === 'pPr') continue;
    if (part.name === 't') add(textIn(part));
    else if (sign !== undefined) add(sign);
    else if (part.name === 'footnoteReference' || part.name === 'endnoteReference') {
      // Hidden notes are not counted.
      if (!isHidden) add(markOf(part, context));
    } else if (part.name === 'ddList') add(chosen(part));
    else if (part.name === 'textpath') add(attribute(part, 'string') ?? '');
    else {
      const inner = { ...format, ...formatOf(part, context) };
      // The paragraphs of a cell or a text box.
      if (part.name === 'p') {
        spans.breakLine();
        if (inner.isHidden !== true) add(labelBefore(part, context));
      }
      addSpans(part, inner, spans, context, references);
      const reading = part.name === 'ruby' ? child(part, 'rt') : undefined;
      if (reading)
        add(
          `(${elementsIn(reading, 't')
            .map((text) => textIn(text))
            .join('')})`,
        );
    }
  }
}

/** The label of a paragraph in a list that is in a cell or a text box, and a space after it. */
function labelBefore(paragraph: Element, { styles, lists }: StoryContext): string {
  const properties = child(paragraph, 'pPr');
  const style = valueOf(properties, 'pStyle');
  const { list } = { ...styles.get(style ?? ''), ...lookOf(properties) };
  const place = list && lists.next(list, style);
  const label = place ? labelOf(place) : '';
  return label === '' ? '' : `${label} `;
}

/** The mark of a note, by its number among the notes of its kind. */
function markOf(reference: Element, { notes }: StoryContext): string {
  const marks = reference.name === 'footnoteReference' ? notes.footnote : notes.endnote;
  const id = attribute(reference, 'id') ?? '';
  const label = marks.get(id) ?? String(marks.size + 1);
  marks.set(id, label);
  return `[${label}]`;
}

/** The entry of a drop-down field that is shown. */
function chosen(list: Element): string {
  const entries = childrenOf(list).filter(({ name }) => name === 'listEntry');
  const entry = entries[Number(valueOf(list, 'result') ?? valueOf(list, 'default') ?? 0)];
  return entry ? (attribute(entry, 'val') ?? '') : '';
}

function formatOf(element: Element, context: StoryContext): Format {
  if (element.name === 'hyperlink') return linkOf(element, context);
  if (element.name === 'p') return hidingOfStyle(valueOf(child(element, 'pPr'), 'pStyle'), context);
  if (element.name !== 'r') return {};
  const properties = child(element, 'rPr');
  return {
    ...(isOn(properties, 'b') ? { isBold: true } : {}),
    ...(isOn(properties, 'i') ? { isItalic: true } : {}),
    ...hidingOfStyle(valueOf(properties, 'rStyle'), context),
    ...hidingOf(properties),
  };
}

/** Whether a style hides the text of its paragraphs or runs, if it says so. */
function hidingOfStyle(style: string | undefined, { styles }: StoryContext): Pick<Format, 'isHidden'> {
  const isHidden = styles.get(style ?? '')?.isHidden;
  return isHidden === undefined ? {} : { isHidden };
}

/** Whether a shape, a group or a picture is hidden, in DrawingML or as older programs say it. */
const isHiddenShape = (element: Element): boolean =>
  hasHidingProperties(element) || /(?:^|;)\s*visibility\s*:\s*hidden/i.test(element.attributes['style'] ?? '');

function linkOf(element: Element, { relations }: StoryContext): Format {
  const relation = relations.get(attribute(element, 'id', true) ?? '');
  return relation?.isExternal === true ? { href: relation.target } : {};
}
