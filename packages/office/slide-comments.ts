import type { Asides } from './asides.ts';
import type { Authors } from './comment-authors.ts';
import { shapesIn } from './drawing.ts';
import type { Reading } from './parts.ts';
import type { Block } from './tree.ts';
import { attribute, child, childrenOf, type Element, eachElement, textIn } from './xml.ts';

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
