// Messages as they are displayed: live/ reads text that streams in, highlight/ finds the colours of code, views/ render
// text, tags/ render components. The parser is @parley/markdown. May import: browser, words, calls, ui, session, emoji. Within:
// live, highlight, views, tags, markdown.tsx, each importing only earlier ones.
import type { Block } from '@parley/markdown';
import { Fragment, memo, type ReactNode } from 'react';
import { BlockView } from './views/block-view.tsx';
import styles from './views/markdown.module.css';
import { TagSlotContext } from './views/tag-slot.tsx';
import { TagView } from './tags/tag-view.tsx';

interface MarkdownProps {
  blocks: readonly Block[];
  /** Rendered after the last word. */
  tail?: ReactNode;
  /** Rendered before the blocks with these indices; the number of blocks is the end. */
  between?: ReadonlyMap<number, ReactNode> | undefined;
}

/** Renders blocks. A block that is the same object as before does not render again. */
export const Markdown = memo(function Markdown({ blocks, tail = null, between }: MarkdownProps) {
  const last = blocks.length - 1;
  const end = between?.get(blocks.length);
  return (
    <TagSlotContext value={TagView}>
      <div className={styles['markdown']}>
        {blocks.map((block, at) => (
          // Blocks are only appended, so the index is a stable key.
          <Fragment key={at}>
            {between?.get(at)}
            <BlockView block={block} tail={at === last && !end ? tail : null} />
          </Fragment>
        ))}
        {end}
        {last < 0 || end ? tail : null}
      </div>
    </TagSlotContext>
  );
});
