// Returns the text that a tree shows.
import type { Block, Inline, Tag } from './tree.ts';

interface TextOptions {
  /** Returns the display name for a mention; if undefined, the mention stays as written. */
  readonly nameOf?: ((username: string) => string | undefined) | undefined;
  /** Leaves out what only an app can use: the languages of code, and markup of unknown tags. */
  readonly isBare?: boolean;
}

export function textOfInlines(inlines: readonly Inline[], options: TextOptions = {}): string {
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
        text += textOfTag(inline, options);
        break;
      case 'footnote mark':
        text += inline.number;
        break;
      case 'text':
      case 'code':
      case 'formula':
        text += inline.text;
        break;
      case 'markup':
        if (!options.isBare) text += inline.text;
        break;
      case 'mention': {
        const name = options.nameOf?.(inline.username);
        text += name === undefined ? inline.text : `@${name}`;
        break;
      }
      default:
        text += textOfInlines(inline.children, options);
    }
  }
  return text;
}

/** The text of blocks, without the attributes of tags. */
export const textOfBlocks = (blocks: readonly Block[], options: TextOptions = {}): string =>
  blocks.map((block) => textOf(block, options)).join('\n');

function textOf(block: Block, options: TextOptions): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return textOfInlines(block.children, options);
    case 'code':
      return options.isBare ? block.text : `${block.info}\n${block.text}`;
    case 'rule':
      return '';
    case 'footnote':
      return `${block.number} ${textOfInlines(block.children, options)}`;
    case 'quote':
      return textOfBlocks(block.blocks, options);
    case 'list':
      return block.items.map(({ blocks }) => textOfBlocks(blocks, options)).join('\n');
    case 'table':
      return [block.head, ...block.rows]
        .map((row) => row.map((cell) => textOfInlines(cell, options)).join('\t'))
        .join('\n');
    case 'tag':
      return textOfTag(block, options);
    default:
      return block satisfies never;
  }
}

/** The text of a tag: its content, or its label. */
const textOfTag = ({ attributes, blocks }: Tag, options: TextOptions): string =>
  blocks.length > 0
    ? textOfBlocks(blocks, options)
    : typeof attributes['label'] === 'string'
      ? attributes['label']
      : '';
