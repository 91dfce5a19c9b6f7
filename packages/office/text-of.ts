import { labelOf } from './number-labels.ts';
import type { Aside, AsideKind, Block, OfficeDocument, Span } from './tree.ts';

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
  if (!block.list) return text;
  const label = labelOf(block.list);
  return `${'  '.repeat(block.list.level)}${label === '' ? '-' : label} ${text}`;
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

const names: Readonly<Record<AsideKind, string>> = {
  header: 'Header',
  footer: 'Footer',
  footnote: 'Footnote',
  endnote: 'Endnote',
  comment: 'Comment',
  notes: 'Speaker notes',
  object: '',
};

/** What stands beside the text, after a word in brackets that says what it is. */
function textOfAside({ kind, label, author, blocks }: Aside): string {
  const name = names[kind];
  const text = textOfBlocks(blocks);
  if (name === '') return text;
  const place = label === undefined || label === '' ? '' : `${kind === 'comment' ? ' on' : ''} ${onOneLine(label)}`;
  const by = author === undefined ? '' : ` by ${onOneLine(author)}`;
  return `[${name}${place}${by}]${blocks.length === 1 && blocks[0]?.type === 'paragraph' ? ' ' : '\n'}${text}`;
}

/**
 * A document as text for models: headings, lists and tables in Markdown, and the cells of sheets separated by tabs. Stops
 * after the row or the part that exceeds `most` characters: empty cells take no room, but each adds a tab.
 */
export function textOf({ parts }: OfficeDocument, most = Number.POSITIVE_INFINITY): string {
  let text = '';
  const add = (more: string): void => {
    if (more !== '') text += `${text === '' || text.endsWith('\n\n') ? '' : '\n\n'}${more}`;
  };
  for (const [at, part] of parts.entries()) {
    if (text.length > most) break;
    const asides = (isHeader: boolean): void => {
      for (const aside of part.asides)
        if ((aside.kind === 'header') === isHeader && text.length <= most) add(textOfAside(aside));
    };
    if (part.type === 'slide') add(`# Slide ${at + 1}`);
    asides(true);
    if (part.type === 'sheet') {
      add(`# Sheet: ${onOneLine(part.name)}`);
      for (const { cells } of part.rows) {
        if (text.length > most) break;
        text += `\n${cells.map(onOneLine).join('\t')}`;
      }
    } else add(textOfBlocks(part.blocks));
    asides(false);
  }
  return text;
}
