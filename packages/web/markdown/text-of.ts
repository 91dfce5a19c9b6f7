// The text that a tree shows.
import type { Block, Inline, Tag } from './tree.ts';

export function textOfInlines(inlines: readonly Inline[]): string {
  let text = '';
  for (const inline of inlines) {
    switch (inline.kind) {
      case 'break':
        text += '\n';
        break;
      case 'image':
        text += inline.alt;
        break;
      case 'tag':
        text += textOfTag(inline);
        break;
      case 'text':
      case 'code':
      case 'mention':
        text += inline.text;
        break;
      default:
        text += textOfInlines(inline.children);
    }
  }
  return text;
}

/** Without what tags hold in their attributes: see tag-text.ts. */
export const textOfBlocks = (blocks: readonly Block[]): string => blocks.map((block) => textOf(block)).join('\n');

function textOf(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return textOfInlines(block.children);
    case 'code':
      return `${block.info}\n${block.text}`;
    case 'rule':
      return '';
    case 'quote':
      return textOfBlocks(block.blocks);
    case 'list':
      return block.items.map(({ blocks }) => textOfBlocks(blocks)).join('\n');
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(textOfInlines).join('\t')).join('\n');
    case 'tag':
      return textOfTag(block);
    default:
      return block satisfies never;
  }
}

/** What stands in it; a label is text that stood there. */
const textOfTag = ({ attributes, blocks }: Tag): string =>
  blocks.length > 0 ? textOfBlocks(blocks) : typeof attributes['label'] === 'string' ? attributes['label'] : '';
