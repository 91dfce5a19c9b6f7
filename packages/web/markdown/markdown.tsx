import { memo, type ReactNode } from 'react';
import { BlockView } from './views/block-view.tsx';
import styles from './views/markdown.module.css';
import { TagSlotContext } from './views/tag-slot.tsx';
import { TagView } from './tags/tag-view.tsx';
import type { Block } from './parser/tree.ts';

interface MarkdownProps {
  blocks: readonly Block[];
  /** Stands behind the last word. */
  tail?: ReactNode;
}

/** The blocks of a text. One that is the same object as before costs nothing. */
export const Markdown = memo(function Markdown({ blocks, tail = null }: MarkdownProps) {
  const last = blocks.length - 1;
  return (
    <TagSlotContext value={TagView}>
      <div className={styles['markdown']}>
        {blocks.map((block, at) => (
          // Blocks come one behind another, and are told apart by their place alone.
          <BlockView key={at} block={block} tail={at === last ? tail : null} />
        ))}
        {last < 0 ? tail : null}
      </div>
    </TagSlotContext>
  );
});
