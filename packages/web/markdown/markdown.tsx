// Messages as they are displayed: live/ reads text that streams in, views/ render text, tags/ render components. The
// parser is @parley/markdown. May import: browser, words, calls, ui, session. Within: live, views, tags, markdown.tsx,
// each importing only earlier ones.
import type { Block } from '@parley/markdown';
import { memo, type ReactNode } from 'react';
import { BlockView } from './views/block-view.tsx';
import styles from './views/markdown.module.css';
import { TagSlotContext } from './views/tag-slot.tsx';
import { TagView } from './tags/tag-view.tsx';

interface MarkdownProps {
  blocks: readonly Block[];
  /** Rendered after the last word. */
  tail?: ReactNode;
}

/** Renders blocks. A block that is the same object as before does not render again. */
export const Markdown = memo(function Markdown({ blocks, tail = null }: MarkdownProps) {
  const last = blocks.length - 1;
  return (
    <TagSlotContext value={TagView}>
      <div className={styles['markdown']}>
        {blocks.map((block, at) => (
          // Blocks are only appended, so the index is a stable key.
          <BlockView key={at} block={block} tail={at === last ? tail : null} />
        ))}
        {last < 0 ? tail : null}
      </div>
    </TagSlotContext>
  );
});
