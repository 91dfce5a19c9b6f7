import { Asides } from './asides.ts';
import { addObjects, type Reference } from './objects.ts';
import type { Reading } from './parts.ts';
import { relationOfType, relationsOf } from './relations.ts';
import type { Aside, Block, OfficeDocument } from './tree.ts';
import { hasEvenPages, pageParts } from './word-pages.ts';
import { WordLists } from './word-lists.ts';
import { readStory, type StoryContext, type Story } from './word-story.ts';
import { stylesOf } from './word-styles.ts';
import { attribute, type Tag } from './xml.ts';

/** The text of a Word document, and its headers, footers, notes and comments. */
export async function readWord(reading: Reading, entry: string): Promise<OfficeDocument> {
  const { zip, room } = reading;
  const relations = await relationsOf(zip, entry);
  const part = (type: string): string | undefined => {
    const target = relationOfType(relations, type);
    return target !== undefined && zip.has(target) ? target : undefined;
  };
  const styled = part('styles');
  const styles = styled === undefined ? new Map() : await stylesOf(zip, styled);
  const lists = new WordLists(styles);
  const numbering = part('numbering');
  if (numbering !== undefined) await lists.load(zip, numbering);
  const context: StoryContext = {
    ...reading,
    relations,
    styles,
    lists,
    notes: { footnote: new Map(), endnote: new Map() },
  };
  const asides = new Asides();
  const story = await readStory(entry, context);
  const references: Reference[] = [...story.references];
  const other = async (target: string, add: (other: Story) => void): Promise<void> =>
    asides.read(async () => {
      if (!zip.has(target) || room.isFull) return;
      const read = await readStory(target, { ...context, relations: await relationsOf(zip, target) });
      asides.isCut ||= read.isCut;
      references.push(...read.references);
      add(read);
    });
  let isEven = false;
  await asides.read(async () => {
    isEven = await hasEvenPages(zip, part('settings'));
  });
  for (const [kind, targets] of pageParts(story.sections, relations, isEven))
    for (const target of targets) await other(target, ({ blocks }) => asides.add({ kind, blocks }));
  for (const kind of ['footnote', 'endnote'] as const) {
    const target = part(`${kind}s`);
    if (target === undefined) continue;
    await other(target, ({ grouped }) => {
      for (const [tag, blocks] of grouped) {
        // Separators are notes too, but no text refers to them.
        const label = context.notes[kind].get(attribute(tag, 'id') ?? '');
        if (label !== undefined) asides.add({ kind, label, blocks });
      }
    });
  }
  const comments = part('comments');
  if (comments !== undefined)
    await other(comments, ({ grouped }) => {
      for (const [tag, blocks] of grouped) asides.add(commentOf(tag, blocks));
    });
  await addObjects(references, asides, reading);
  const isCut = story.isCut || asides.isCut;
  return { parts: [{ type: 'text', blocks: story.blocks, asides: asides.all }], isCut };
}

function commentOf(tag: Tag, blocks: readonly Block[]): Aside {
  const author = attribute(tag, 'author');
  return { kind: 'comment', ...(author === undefined ? {} : { author }), blocks };
}
