// Returns the text that a tree shows.
import type { Block, Inline, Tag } from './tree.ts';

/** Returns the display name for a mention; if undefined, the mention stays as written. */
type NameOf = ((username: string) => string | undefined) | undefined;

export function textOfInlines(inlines: readonly Inline[], nameOf?: NameOf): string {
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
        text += textOfTag(inline, nameOf);
        break;
      case 'text':
      case 'code':
        text += inline.text;
        break;
      case 'mention': {
        const name = nameOf?.(inline.username);
        text += name === undefined ? inline.text : `@${name}`;
        break;
      }
      default:
        text += textOfInlines(inline.children, nameOf);
    }
  }
  return text;
}

/** The text of blocks, without the attributes of tags. */
export const textOfBlocks = (blocks: readonly Block[], nameOf?: NameOf): string =>
  blocks.map((block) => textOf(block, nameOf)).join('\n');

function textOf(block: Block, nameOf: NameOf): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return textOfInlines(block.children, nameOf);
    case 'code':
      return `${block.info}\n${block.text}`;
    case 'rule':
      return '';
    case 'quote':
      return textOfBlocks(block.blocks, nameOf);
    case 'list':
      return block.items.map(({ blocks }) => textOfBlocks(blocks, nameOf)).join('\n');
    case 'table':
      return [block.head, ...block.rows]
        .map((row) => row.map((cell) => textOfInlines(cell, nameOf)).join('\t'))
        .join('\n');
    case 'tag':
      return textOfTag(block, nameOf);
    default:
      return block satisfies never;
  }
}

/** The text of a tag: its content, or its label. */
const textOfTag = ({ attributes, blocks }: Tag, nameOf: NameOf): string =>
  blocks.length > 0 ? textOfBlocks(blocks, nameOf) : typeof attributes['label'] === 'string' ? attributes['label'] : '';
