// Parses the Markdown of a message into a tree of plain data. Imports from no other folder.
import { BlockParser, type PlacedBlock } from './blocks.ts';
import type { MarkListener } from './marks.ts';
import { tagPairs } from './tag-pairs.ts';
import type { Block } from './tree.ts';

/** Normalizes line breaks. The places of marks refer to this text. */
export const normalized = (text: string): string => (text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text);

/** Parses a message's text. Takes linear time for any text. */
export function parseMarkdown(text: string, onMark?: MarkListener): Block[] {
  const source = normalized(text);
  return placedBlocks(source, 0, false, onMark).map(({ block }) => block);
}

/** Parses from a place where a block starts. `isLive`: more text may follow. */
export function placedBlocks(source: string, from: number, isLive: boolean, onMark?: MarkListener): PlacedBlock[] {
  return parserOf(source, from, { isLive, onMark }).range(from, source.length);
}

/** Parses streaming text; also returns whether a formula is open at its end. */
export function liveBlocks(source: string, from: number): { blocks: PlacedBlock[]; endsInFormula: boolean } {
  const parser = parserOf(source, from, { isLive: true });
  return { blocks: parser.range(from, source.length), endsInFormula: parser.endsInFormula };
}

const parserOf = (source: string, from: number, options: { isLive: boolean; onMark?: MarkListener | undefined }) =>
  new BlockParser(source, tagPairs(source, from, options.isLive), options);
