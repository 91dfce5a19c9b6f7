// Messages as they are displayed: live/ reads text that streams in, highlight/ finds the colours of code, views/ render
// text, tags/ render components. The parser is @parley/markdown. May import: browser, words, calls, ui, session, emoji. Within:
// live, highlight, views, tags, markdown.tsx, each importing only earlier ones.
import type { Block } from '@parley/markdown';
import { Fragment, memo, type ReactNode, useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { t } from '../words/t.ts';
import { BUDGET, withinBudget } from './live/within-budget.ts';
import { BlockView } from './views/block-view.tsx';
import { HeadingShift, headingShift } from './views/heading-shift.ts';
import styles from './views/markdown.module.css';
import { CutContext } from './views/copy-action.tsx';
import { TagSlotContext } from './views/tag-slot.tsx';
import { TagView } from './tags/tag-view.tsx';

interface MarkdownProps {
  blocks: readonly Block[];
  /** Rendered after the last word. */
  tail?: ReactNode;
  /** Rendered before the blocks with these indices; the number of blocks is the end. */
  between?: ReadonlyMap<number, ReactNode> | undefined;
  /** Set if the text goes on: draws more of it (WEB-474). */
  onMore?: (() => void) | undefined;
}

/** Renders blocks. A block that is the same object as before does not render again. */
export const Markdown = memo(function Markdown({ blocks, tail = null, between, onMore }: MarkdownProps) {
  const last = blocks.length - 1;
  // What stands between blocks that are not drawn yet follows at the end.
  const end = between && [...between].filter(([at]) => at >= blocks.length).map(([, nodes]) => nodes);
  const hasEnd = onMore !== undefined || (end !== undefined && end.length > 0);
  const shift = useMemo(() => headingShift(blocks), [blocks]);
  return (
    <TagSlotContext value={TagView}>
      <HeadingShift value={shift}>
        <div className={styles['markdown']}>
          {blocks.map((block, at) => (
            // Blocks are only appended, so the index is a stable key.
            <Fragment key={at}>
              {between?.get(at)}
              <CutContext value={onMore !== undefined && at === last}>
                <BlockView block={block} tail={at === last && !hasEnd ? tail : null} />
              </CutContext>
            </Fragment>
          ))}
          {onMore ? (
            <Button size="small" look="quiet" data-fold className={styles['more']} onClick={onMore}>
              {t('Show more')}
            </Button>
          ) : null}
          {end}
          {last < 0 || hasEnd ? tail : null}
        </div>
      </HeadingShift>
    </TagSlotContext>
  );
});

/** Renders blocks that may be too many to be drawn at once: the first of them, and more when the reader asks. */
export function LongMarkdown({ blocks }: { blocks: readonly Block[] }) {
  const [times, setTimes] = useState(1);
  const { blocks: shown, isCut } = useMemo(() => withinBudget(blocks, times * BUDGET), [blocks, times]);
  return <Markdown blocks={shown} onMore={isCut ? () => setTimes(times + 1) : undefined} />;
}
