import { BlockParser, type PlacedBlock } from './blocks.ts';
import type { MarkListener } from './marks.ts';
import { tagPairs } from './tag-pairs.ts';
import type { Block } from './tree.ts';

/** Line ends as they are counted on: marks tell places in this text. */
export const normalized = (text: string): string => (text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text);

/** A message's text as what is shown of it. In time linear in the text, whatever the text. */
export function parseMarkdown(text: string, onMark?: MarkListener): Block[] {
  const source = normalized(text);
  return placedBlocks(source, 0, false, onMark).map(({ block }) => block);
}

/** The blocks from a place on where a block begins. `isLive`: the text is still being written. */
export function placedBlocks(source: string, from: number, isLive: boolean, onMark?: MarkListener): PlacedBlock[] {
  return parserOf(source, from, { isLive, onMark }).range(from, source.length);
}

/** The blocks of a text that is still being written, and whether a formula is open at its end. */
export function liveBlocks(source: string, from: number): { blocks: PlacedBlock[]; endsInFormula: boolean } {
  const parser = parserOf(source, from, { isLive: true });
  return { blocks: parser.range(from, source.length), endsInFormula: parser.endsInFormula };
}

const parserOf = (source: string, from: number, options: { isLive: boolean; onMark?: MarkListener | undefined }) =>
  new BlockParser(source, tagPairs(source, from, options.isLive), options);
