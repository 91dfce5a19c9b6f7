import type { Asides } from './asides.ts';
import type { Format, Styles } from './open-styles.ts';
import type { Room } from './room.ts';
import { Spans } from './spans.ts';
import type { Block, Span } from './tree.ts';
import { attribute, child, childrenOf, type Element, type Tag, textIn } from './xml.ts';

/** What the text of one page or sheet is read into. */
export interface OpenContext {
  readonly styles: Styles;
  readonly room: Room;
  readonly asides: Asides;
  /** The folders of objects, such as charts, that the text shows. */
  readonly objects: string[];
  /** The cell that is read. */
  readonly cell?: string;
}

/** Elements whose text a reader of the document does not see. All others are read, also those that are not known. */
const unread = new Set([
  'tracked-changes',
  'deletion',
  'forms',
  'script',
  'event-listeners',
  'binary-data',
  'ruby-text',
  'object-ole',
  'floating-frame',
]);

/** Elements in which a title is a field. In drawings it is an alternative text. */
const titled = /^(?:p|h|span|a|meta|meta-field|ruby-base)$/;

/**
 * Whether an element hides what is in it: always, or because its condition was true when the file was stored. Programs
 * evaluate conditions when they open a file, and one that is always false hides nothing, whatever the file says.
 */
export function isHidden(tag: Tag): boolean {
  const display = attribute(tag, 'display');
  if (display === 'none' || display === 'true') return display === 'none';
  return attribute(tag, 'is-hidden') === 'true' && !/^(?:\w+:)?(?:false|0)$/i.test(attribute(tag, 'condition') ?? '');
}

/** What hidden text hides with it. */
const anchored = new Set(['note', 'annotation', 'object']);

/** Elements of a paragraph's own text, as opposed to what is anchored in it. */
const inline = /^(?:span|a|meta|meta-field|ruby|ruby-base)$/;

/** Whether a paragraph has a field that hides it. */
export const isHiddenParagraph = (element: Element): boolean =>
  childrenOf(element).some((part) =>
    part.name === 'hidden-paragraph' ? isHidden(part) : inline.test(part.name) && isHiddenParagraph(part),
  );

export function addSpans(element: Element, format: Format, spans: Spans, context: OpenContext): void {
  if (element.name === 'p' || element.name === 'h') {
    if (isHiddenParagraph(element)) return;
    spans.breakLine();
  }
  for (const part of element.children) {
    const { isHidden: isGone = false, ...look } = format;
    const add = (text: string): void => void (isGone || spans.add(text, look));
    // White space is one space; between elements that have no text of their own it is none.
    if (typeof part === 'string') {
      const text = part.replaceAll(/(?<![ \t\r\n])[ \t\r\n]+/g, ' ');
      if (text !== ' ' || titled.test(element.name)) add(text);
    } else if (unread.has(part.name) || isHidden(part)) continue;
    else if (isAlternative(part, element)) {
      spans.breakLine();
      add(`${textIn(part)}\n`);
    } else if (isGone && anchored.has(part.name)) continue;
    else if (part.name === 'note') addNote(part, add, context);
    else if (part.name === 'annotation') addComment(part, context);
    else if (part.name === 's') add(' '.repeat(Math.min(100, repeated(part, 'c'))));
    else if (part.name === 'tab') add('\t');
    else if (part.name === 'line-break') add('\n');
    else if (part.name === 'object') addObject(part, spans, format, context);
    else {
      addSpans(part, { ...format, ...formatOf(part, context.styles) }, spans, context);
      const reading = part.name === 'ruby' ? child(part, 'ruby-text') : undefined;
      if (reading && textIn(reading).trim() !== '') add(`(${textIn(reading).trim()})`);
    }
  }
}

/** Whether an element is what an author has written for people who do not see a drawing. */
const isAlternative = ({ name }: Element, around: Element): boolean =>
  name === 'desc' || (name === 'title' && !titled.test(around.name));

export function formatOf(element: Element, { formats }: Styles): Format {
  if (element.name === 'a') {
    const href = attribute(element, 'href');
    return href === undefined ? {} : { href };
  }
  return formats.get(attribute(element, 'style-name') ?? '') ?? {};
}

/** A footnote or an endnote: its mark is in the text. */
function addNote(note: Element, add: (text: string) => void, context: OpenContext): void {
  const citation = child(note, 'note-citation');
  const body = child(note, 'note-body');
  const label = citation ? textIn(citation).trim() : '';
  add(`[${label}]`);
  const kind = attribute(note, 'note-class') === 'endnote' ? 'endnote' : 'footnote';
  if (body) context.asides.add({ kind, label: context.room.take(label), blocks: blocksIn(body, context) });
}

export function addComment(comment: Element, context: OpenContext): void {
  const creator = child(comment, 'creator');
  const author = creator ? context.room.take(textIn(creator).trim()) : '';
  const content = childrenOf(comment).filter(({ name }) => name === 'p' || name === 'list' || name === 'h');
  context.asides.add({
    kind: 'comment',
    ...(context.cell === undefined ? {} : { label: context.cell }),
    ...(author === '' ? {} : { author }),
    blocks: blocksIn({ ...comment, children: content }, context),
  });
}

/** An object is in a folder of the file, or in the element itself. */
function addObject(object: Element, spans: Spans, format: Format, context: OpenContext): void {
  const href = attribute(object, 'href');
  if (href === undefined) addSpans(object, format, spans, context);
  else if (!/^[a-z]+:/i.test(href)) context.objects.push(href.replace(/^\.\//, ''));
}

/** The paragraphs in an element that has nothing else, such as a note. */
function blocksIn(element: Element, context: OpenContext): Block[] {
  return childrenOf(element).flatMap((part): Block[] => {
    if (part.name !== 'p' && part.name !== 'h') return blocksIn(part, context);
    const spans = spansOf(part, context);
    return spans.every(({ text }) => text.trim() === '') ? [] : [{ type: 'paragraph', spans }];
  });
}

/** The text of a paragraph, or of all paragraphs of a cell on lines of their own. */
export function spansOf(element: Element, context: OpenContext): readonly Span[] {
  context.room.count();
  const spans = new Spans(context.room);
  addSpans(element, formatOf(element, context.styles), spans, context);
  return spans.spans;
}

/** Maximum copies of a row, a cell or a space: more than sheets have rows. */
const MAX_COPIES = 2 ** 24;

/** How often a file repeats something; once if it says no whole number. */
export function repeated(element: Element, name: string): number {
  const count = Number(attribute(element, name));
  return Number.isInteger(count) ? Math.min(MAX_COPIES, Math.max(1, count)) : 1;
}
