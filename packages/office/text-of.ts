import type { Block, OfficeDocument, Span } from './tree.ts';

const textOfSpans = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('');
const onOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');

function textOfBlock(block: Block): string {
  if (block.type === 'table')
    return block.rows.map((cells) => cells.map((cell) => onOneLine(textOfSpans(cell))).join(' | ')).join('\n');
  const text = textOfSpans(block.spans);
  if (block.heading !== undefined) return `${'#'.repeat(block.heading)} ${onOneLine(text)}`;
  return block.list
    ? `${'  '.repeat(block.list.level)}${block.list.number === undefined ? '-' : `${block.list.number}.`} ${text}`
    : text;
}

/** Blocks with an empty line between them, but the items of a list without one. */
const textOfBlocks = (blocks: readonly Block[]): string =>
  blocks
    .map((block, at) => {
      const before = blocks[at - 1];
      const isInList = 'list' in block && before !== undefined && 'list' in before;
      return `${before === undefined ? '' : isInList ? '\n' : '\n\n'}${textOfBlock(block)}`;
    })
    .join('');

/**
 * A document as text for models: headings, lists and tables in Markdown, and the cells of sheets separated by tabs. Stops
 * after the row or the part that exceeds `most` characters: empty cells take no room, but each adds a tab.
 */
export function textOf({ parts }: OfficeDocument, most = Number.POSITIVE_INFINITY): string {
  let text = '';
  for (const [at, part] of parts.entries()) {
    if (text.length > most) break;
    if (at > 0) text += '\n\n';
    if (part.type === 'sheet') {
      text += `# Sheet: ${onOneLine(part.name)}`;
      for (const { cells } of part.rows) {
        if (text.length > most) break;
        text += `\n${cells.map(onOneLine).join('\t')}`;
      }
    } else text += `${part.type === 'slide' ? `# Slide ${at + 1}\n\n` : ''}${textOfBlocks(part.blocks)}`;
  }
  return text;
}
