import type { Block, Inline } from './tree.ts';

/** All inlines and block tags of a tree, in the order of the text; a node comes before what it contains. */
export function* nodesIn(blocks: readonly Block[]): Generator<Inline> {
  for (const block of blocks) {
    switch (block.kind) {
      case 'paragraph':
      case 'heading':
      case 'footnote':
        yield* inlinesIn(block.children);
        break;
      case 'quote':
        yield* nodesIn(block.blocks);
        break;
      case 'tag':
        yield block;
        yield* nodesIn(block.blocks);
        break;
      case 'list':
        for (const item of block.items) yield* nodesIn(item.blocks);
        break;
      case 'table':
        for (const row of [block.head, ...block.rows]) for (const cell of row) yield* inlinesIn(cell);
        break;
      default:
    }
  }
}

function* inlinesIn(inlines: readonly Inline[]): Generator<Inline> {
  for (const inline of inlines) {
    yield inline;
    if ('children' in inline) yield* inlinesIn(inline.children);
  }
}
