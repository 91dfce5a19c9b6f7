// Renders the text of a message. May import: the rooms below markdown.
import type { Block, Inline, ListItem } from '@parley/markdown';
import { lazy, memo, type ReactNode, Suspense, use } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { CodeBlock } from './code-block.tsx';
import { FootnoteView } from './footnote-view.tsx';
import { HeadingShift } from './heading-shift.ts';
import { Inlines } from './inlines.tsx';
import styles from './markdown.module.css';
import { TableView } from './table-view.tsx';
import { TagSlot } from './tag-slot.tsx';
import { t } from '../../words/t.ts';

/** The language after the fence of a diagram. */
const DIAGRAM = 'mermaid';
// Few conversations have any.
const DiagramBlock = lazy(async () => import('./diagram-block.tsx'));

interface BlockViewProps {
  block: Block;
  /** Its text decides the direction of what is around it; otherwise a block has a direction of its own. */
  isLeading?: boolean;
  tail?: ReactNode;
}

export const BlockView = memo(function BlockView({ block, isLeading = false, tail = null }: BlockViewProps) {
  switch (block.kind) {
    case 'paragraph':
      return <Paragraph inlines={block.children} dir={isLeading ? undefined : 'auto'} tail={tail} />;
    case 'heading':
      return (
        <Heading level={block.level}>
          <Inlines inlines={block.children} />
          {tail}
        </Heading>
      );
    case 'footnote':
      return <FootnoteView number={block.number} inlines={block.children} tail={tail} />;
    case 'quote':
      return (
        <blockquote className={styles['quote']} dir="auto">
          {/* Its bar stands where its text begins. */}
          <Blocks blocks={block.blocks} isLeading tail={tail} />
        </blockquote>
      );
    case 'list':
      return <ListView list={block} tail={tail} />;
    default:
      return (
        <>
          {block.kind === 'code' ? <CodeView info={block.info} text={block.text} isGrowing={tail !== null} /> : null}
          {block.kind === 'rule' ? <hr className={styles['rule']} /> : null}
          {block.kind === 'table' ? <TableView table={block} /> : null}
          {block.kind === 'tag' ? <TagSlot tag={block} /> : null}
          {tail}
        </>
      );
  }
});

function CodeView({ info, text, isGrowing }: { info: string; text: string; isGrowing: boolean }) {
  const code = <CodeBlock info={info} text={text} />;
  if (info !== DIAGRAM || isGrowing) return code;
  return (
    <Suspense fallback={code}>
      <DiagramBlock text={text} />
    </Suspense>
  );
}

interface BlocksProps {
  blocks: readonly Block[];
  /** The first block decides the direction of what is around them. */
  isLeading?: boolean;
  tail?: ReactNode;
}

/** Blocks nested in another block. */
export function Blocks({ blocks, isLeading = false, tail = null }: BlocksProps) {
  return (
    <>
      {blocks.map((block, at) => (
        <BlockView
          key={at}
          block={block}
          isLeading={isLeading && at === 0}
          tail={at === blocks.length - 1 ? tail : null}
        />
      ))}
      {blocks.length === 0 ? tail : null}
    </>
  );
}

const isGap = (inline: Inline): boolean =>
  inline.kind === 'break' || (inline.kind === 'text' && inline.text.trim() === '');

interface ParagraphProps {
  inlines: readonly Inline[];
  /** Without it the text counts for `dir="auto"` of an element around it. */
  dir: 'auto' | undefined;
  tail: ReactNode;
}

function Paragraph({ inlines, dir, tail }: ParagraphProps) {
  if (!inlines.some(({ kind }) => kind === 'tag'))
    return (
      <p className={styles['paragraph']} dir={dir}>
        <Inlines inlines={inlines} />
        {tail}
      </p>
    );
  const isRow = inlines.every((inline) => inline.kind === 'tag' || isGap(inline));
  return (
    <div className={isRow ? styles['tags'] : styles['paragraph']} dir={dir}>
      <Inlines inlines={isRow ? inlines.filter((inline) => !isGap(inline)) : inlines} />
      {tail}
    </div>
  );
}

function ListView({ list, tail }: { list: Extract<Block, { kind: 'list' }>; tail: ReactNode }) {
  const { items, start, isLoose } = list;
  const isTasks = items.some(({ isDone }) => isDone !== null);
  const names = classNames(styles['list'], isLoose && styles['loose'], isTasks && styles['tasks']);
  const children = items.map((item, at) => <Item key={at} item={item} tail={at === items.length - 1 ? tail : null} />);
  return start === null ? (
    <ul className={names}>{children}</ul>
  ) : (
    <ol className={names} start={start}>
      {children}
    </ol>
  );
}

const Item = memo(function Item({ item: { isDone, blocks }, tail }: { item: ListItem; tail: ReactNode }) {
  return (
    <li className={isDone === null ? undefined : styles['task']} dir="auto">
      {isDone === null ? null : (
        <input type="checkbox" checked={isDone} disabled aria-label={isDone ? t('Done') : t('To do')} />
      )}
      <div className="ui-shrink">
        {/* The number stands where the text of the item begins. */}
        <Blocks blocks={blocks} isLeading tail={tail} />
      </div>
    </li>
  );
});

/** A message's headings are not headings of the page. */
function Heading({ level, children }: { level: number; children: ReactNode }) {
  const shift = use(HeadingShift);
  return (
    <p
      className={styles[`heading${Math.min(level, 4)}`]}
      role="heading"
      data-level={level}
      aria-level={Math.max(2, Math.min(level + shift, 6))}
      dir="auto"
    >
      {children}
    </p>
  );
}
