import type { Asides } from './asides.ts';
import type { Authors } from './comment-authors.ts';
import { shapesIn, shownShapes } from './drawing.ts';
import { addObjects, type Reference, referencesIn } from './objects.ts';
import type { Reading } from './parts.ts';
import { relationsOf, relationsOfType } from './relations.ts';
import type { Block } from './tree.ts';
import { shownText } from './workbook-parts.ts';
import { attribute, child, childrenOf, eachElement, textIn } from './xml.ts';

/** Adds the text boxes, charts, diagrams and comments of a sheet. */
export async function addSheetAsides(sheet: string, asides: Asides, people: Authors, reading: Reading): Promise<void> {
  const { zip } = reading;
  const relations = await relationsOf(zip, sheet);
  for (const drawing of relationsOfType(relations, 'drawing'))
    await asides.read(async () => addDrawing(drawing, asides, reading));
  const threads = relationsOfType(relations, 'threadedComment');
  const threaded = new Set<string>();
  for (const part of threads) await asides.read(async () => addThreads(part, people, threaded, asides, reading));
  for (const part of relationsOfType(relations, 'comments'))
    await asides.read(async () => addComments(part, threaded, asides, reading));
}

/** Elements of a drawing that have text. */
const shapes = new Set(['sp', 'graphicFrame', 'txBody']);

async function addDrawing(part: string, asides: Asides, reading: Reading): Promise<void> {
  const { zip, room } = reading;
  if (!zip.has(part)) return;
  const relations = await relationsOf(zip, part);
  const references: Reference[] = [];
  const { isCut } = await eachElement(zip.text(part), new Set(['grpSp', ...shapes]), (element) => {
    for (const shape of shownShapes(element, shapes)) {
      references.push(...referencesIn(shape, relations));
      asides.add({ kind: 'object', blocks: shapesIn(shape, room, relations) });
    }
    return !room.isFull;
  });
  asides.isCut ||= isCut;
  await addObjects(references, asides, reading);
}

/** Comments that are answered: older programs see them as one comment, which is left out then. */
async function addThreads(
  part: string,
  people: Authors,
  threaded: Set<string>,
  asides: Asides,
  { zip, room }: Reading,
) {
  if (!zip.has(part)) return;
  await eachElement(zip.text(part), new Set(['threadedComment']), (comment) => {
    const label = attribute(comment, 'ref') ?? '';
    threaded.add(label);
    const text = child(comment, 'text');
    const author = people.get(attribute(comment, 'personId') ?? '');
    asides.add({
      kind: 'comment',
      label,
      ...(author === undefined ? {} : { author }),
      blocks: text ? paragraphOf(room.take(textIn(text))) : [],
    });
    return !room.isFull && threaded.size < 10_000;
  });
}

async function addComments(part: string, threaded: ReadonlySet<string>, asides: Asides, { zip, room }: Reading) {
  if (!zip.has(part)) return;
  const authors: string[] = [];
  const { isCut } = await eachElement(zip.text(part), new Set(['author', 'comment']), (element) => {
    if (element.name === 'author') return authors.push(textIn(element)) < 10_000;
    const label = attribute(element, 'ref') ?? '';
    if (threaded.has(label)) return true;
    room.count();
    const text = childrenOf(element)
      .filter(({ name }) => name === 'text')
      .map((inner) => shownText(inner))
      .join('');
    const author = authors[Number(attribute(element, 'authorId'))];
    asides.add({
      kind: 'comment',
      label,
      ...(author === undefined || author === '' ? {} : { author }),
      blocks: paragraphOf(room.take(text)),
    });
    return !room.isFull;
  });
  asides.isCut ||= isCut;
}

const paragraphOf = (text: string): Block[] =>
  text.trim() === '' ? [] : [{ type: 'paragraph', spans: [{ text: text.trim() }] }];
