import type { Asides } from './asides.ts';
import { readChart } from './chart.ts';
import { shapesIn } from './drawing.ts';
import { blocksOfHtml } from './html-text.ts';
import { MAX_NESTED } from './limits.ts';
import type { Reading } from './parts.ts';
import type { Relation } from './relations.ts';
import { Spans } from './spans.ts';
import type { Block, OfficeDocument } from './tree.ts';
import { attribute, childrenOf, type Element, eachElement } from './xml.ts';

/** References from a place in a text, a slide or a sheet to what another part of the file shows there. */
export type Reference = Pick<Relation, 'target'> & { readonly kind: 'chart' | 'diagram' | 'file' };

/** Where an element refers to a chart, a diagram or a file inside the file; undefined for all others. */
export function referenceIn(element: Element, relations: ReadonlyMap<string, Relation>): Reference | undefined {
  const kind = kinds[element.name];
  if (kind === undefined) return undefined;
  const id = attribute(element, kind === 'diagram' ? 'dm' : 'id', true) ?? '';
  const relation = relations.get(id);
  return relation && !relation.isExternal ? { kind, target: relation.target } : undefined;
}

const kinds: Readonly<Record<string, Reference['kind']>> = {
  chart: 'chart',
  relIds: 'diagram',
  OLEObject: 'file',
  oleObj: 'file',
  altChunk: 'file',
};

/** All references in an element, in their order. */
export function referencesIn(element: Element, relations: ReadonlyMap<string, Relation>): Reference[] {
  const found = referenceIn(element, relations);
  return [...(found ? [found] : []), ...childrenOf(element).flatMap((inner) => referencesIn(inner, relations))];
}

/** Adds the words of what is referred to, each object once. */
export async function addObjects(references: readonly Reference[], asides: Asides, reading: Reading): Promise<void> {
  const seen = new Set<string>();
  for (const { kind, target } of references) {
    if (seen.has(target) || !reading.zip.has(target) || reading.room.isFull) continue;
    seen.add(target);
    await asides.read(async () => {
      const { blocks, isCut } = await readers[kind](target, reading);
      asides.isCut ||= isCut;
      asides.add({ kind: 'object', blocks });
    });
  }
}

interface Read {
  readonly blocks: readonly Block[];
  readonly isCut: boolean;
}

const readers: Readonly<Record<Reference['kind'], (target: string, reading: Reading) => Promise<Read>>> = {
  chart: readChart,
  diagram: readDiagram,
  file: readFile,
};

/** The texts of a diagram's points, without those that only ask for a text. */
async function readDiagram(target: string, { zip, room }: Reading): Promise<Read> {
  const blocks: Block[] = [];
  const { isCut } = await eachElement(zip.text(target), new Set(['pt']), (point) => {
    const isPrompt = childrenOf(point).some(
      (properties) => properties.name === 'prSet' && ['1', 'true'].includes(attribute(properties, 'phldr') ?? ''),
    );
    if (!isPrompt) blocks.push(...shapesIn(point, room, new Map()));
    return !room.isFull;
  });
  return { blocks, isCut };
}

/** A file inside the file: another one of an office program, or a page of HTML. */
async function readFile(target: string, { zip, depth, room, inside }: Reading): Promise<Read> {
  if (depth >= MAX_NESTED) return { blocks: [], isCut: true };
  if (/\.x?html?$/i.test(target)) return blocksOfHtml(await zip.bytes(target), room);
  if (/\.txt$/i.test(target)) {
    const spans = new Spans(room);
    for await (const piece of zip.text(target)) spans.add(piece);
    return { blocks: spans.isBlank ? [] : [{ type: 'paragraph', spans: spans.spans }], isCut: false };
  }
  // Other formats, such as those of old programs, have no words that can be read: their picture is shown.
  if (!/\.(?:docx|docm|dotx|xlsx|xlsm|pptx|pptm|odt|ods|odp)$/i.test(target)) return { blocks: [], isCut: false };
  return flat(await inside(await zip.inner(target)));
}

/** All blocks of a file inside the file. */
export function flat({ parts, isCut }: OfficeDocument): Read {
  const blocks = parts.flatMap((part): Block[] => {
    const asides = part.asides.flatMap((aside) => aside.blocks);
    if (part.type !== 'sheet') return [...part.blocks, ...asides];
    if (part.rows.length === 0) return asides;
    return [{ type: 'table', rows: part.rows.map(({ cells }) => cells.map((text) => [{ text }])) }, ...asides];
  });
  return { blocks, isCut: isCut || parts.some((part) => part.type === 'sheet' && part.isCut) };
}
