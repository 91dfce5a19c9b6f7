import type { Block, OfficeDocument, Span } from './tree.ts';

const textOfSpans = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('');
const onOneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

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

/** A document as text for models: headings, lists and tables as Markdown writes them, the cells of sheets with tabs. */
export function textOf({ parts }: OfficeDocument): string {
  const texts = parts.map((part, at) => {
    if (part.type === 'sheet') {
      const rows = part.rows.map(({ cells }) => cells.map(onOneLine).join('\t'));
      return [`# Sheet: ${onOneLine(part.name)}`, ...rows].join('\n');
    }
    const text = textOfBlocks(part.blocks);
    return part.type === 'slide' ? `# Slide ${at + 1}\n\n${text}` : text;
  });
  return texts.join('\n\n');
}
