import type { Asides } from './asides.ts';
import { shapesIn } from './drawing.ts';
import type { Reading } from './parts.ts';
import { type Relation, relationsOfType } from './relations.ts';
import type { Block } from './tree.ts';
import { attribute, child, childrenOf, type Element, eachElement, textIn } from './xml.ts';
import type { Zip } from './zip.ts';

/** The names of the authors of comments, by their ids. */
export type Authors = ReadonlyMap<string, string>;

const MOST_AUTHORS = 10_000;

/** The authors in both kinds of parts: older programs have the one, newer ones the other. */
export async function authorsOf(zip: Zip, relations: ReadonlyMap<string, Relation>): Promise<Authors> {
  const authors = new Map<string, string>();
  const parts = ['commentAuthors', 'authors', 'person'].flatMap((type) => relationsOfType(relations, type));
  for (const part of parts)
    if (zip.has(part))
      await eachElement(zip.text(part), new Set(['cmAuthor', 'author', 'person']), (element) => {
        const name = attribute(element, 'name') ?? attribute(element, 'displayName');
        if (name !== undefined) authors.set(attribute(element, 'id') ?? '', name);
        return authors.size < MOST_AUTHORS;
      });
  return authors;
}

/** Adds the comments of a slide with the replies to them. */
export async function addSlideComments(part: string, authors: Authors, asides: Asides, { zip, room }: Reading) {
  if (!zip.has(part)) return;
  const add = (comment: Element): void => {
    room.count();
    const text = child(comment, 'text');
    const plain = text ? room.take(textIn(text)) : '';
    const body = child(comment, 'txBody');
    const blocks: Block[] = [
      ...(plain.trim() === '' ? [] : [{ type: 'paragraph', spans: [{ text: plain }] } as const]),
      ...(body ? shapesIn(body, room, new Map()) : []),
    ];
    const author = authors.get(attribute(comment, 'authorId') ?? '');
    asides.add({ kind: 'comment', ...(author === undefined ? {} : { author }), blocks });
    for (const replies of childrenOf(comment).filter(({ name }) => name === 'replyLst'))
      for (const reply of childrenOf(replies)) add(reply);
  };
  const { isCut } = await eachElement(zip.text(part), new Set(['cm']), (comment) => {
    add(comment);
    return !room.isFull;
  });
  asides.isCut ||= isCut;
}
