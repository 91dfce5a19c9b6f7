import { type Block, type Inline, linkAddress } from '@parley/markdown';
import type { Block as OfficeBlock, ListPlace, Paragraph, Span } from '@parley/office';

/** The text of an office file as blocks that the app can show. Its words are only text: nothing in them is a mark. */
export function blocksOf(blocks: readonly OfficeBlock[]): Block[] {
  const shown: Block[] = [];
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at];
    if (block?.type === 'table') shown.push(tableOf(block.rows));
    else if (block?.heading !== undefined)
      shown.push({ kind: 'heading', level: block.heading, children: inlinesOf(block.spans) });
    else if (block?.list?.label !== undefined) shown.push(labelled(block, block.list));
    else if (block && isInList(block)) {
      const items = blocks.slice(
        at,
        firstAfter(blocks, at, (other) => !isInList(other)),
      ) as Paragraph[]; // all of them are in lists
      shown.push(...listsOf(items));
      at += items.length - 1;
    } else if (block) shown.push({ kind: 'paragraph', children: inlinesOf(block.spans) });
  }
  return shown;
}

const isInList = (block: OfficeBlock): boolean =>
  'list' in block && block.list !== undefined && block.list.label === undefined;

/** An item with a label that lists of messages do not have, such as `a)`: a paragraph that begins with it. */
const labelled = ({ spans }: Paragraph, { level, label = '' }: ListPlace): Block => ({
  kind: 'paragraph',
  children: [{ kind: 'markup', text: `${'\u2003'.repeat(level)}${label} ` }, ...inlinesOf(spans)],
});

/** The index of the first item after `at` for which `is` is true, or the length. */
function firstAfter<Item>(items: readonly Item[], at: number, is: (item: Item) => boolean): number {
  for (let next = at + 1; next < items.length; next += 1) {
    const item = items[next];
    if (item !== undefined && is(item)) return next;
  }
  return items.length;
}

type List = Extract<Block, { kind: 'list' }>;

const isNumbered = ({ list }: Paragraph): boolean => list?.number !== undefined;
const levelOf = ({ list }: Paragraph): number => list?.level ?? 0;

/** Lists in lists: an item on a deeper level belongs to the item before it. */
function listsOf(items: readonly Paragraph[]): List[] {
  const lists: (Omit<List, 'items'> & { items: { isDone: null; blocks: Block[] }[] })[] = [];
  for (let at = 0; at < items.length;) {
    const item = items[at];
    if (!item) break;
    const level = levelOf(item);
    const next = firstAfter(items, at, (other) => levelOf(other) <= level);
    const inner = items.slice(at + 1, next);
    let list = lists.at(-1);
    if (!list || (list.start !== null) !== isNumbered(item)) {
      list = { kind: 'list', start: item.list?.number ?? null, isLoose: false, items: [] };
      lists.push(list);
    }
    const text: Block = { kind: 'paragraph', children: inlinesOf(item.spans) };
    list.items.push({ isDone: null, blocks: [text, ...listsOf(inner)] });
    at += 1 + inner.length;
  }
  return lists;
}

/** A short row stays short: filling up the rows of many tables, each with one wide row, could take all memory. */
function tableOf(rows: readonly (readonly (readonly Span[])[])[]): Block {
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const [first = [], ...others] = rows;
  const head = Array.from({ length: columns }, (_, at) => inlinesOf(first[at] ?? []));
  return { kind: 'table', alignments: head.map(() => null), head, rows: others.map((row) => row.map(inlinesOf)) };
}

const inlinesOf = (spans: readonly Span[]): Inline[] =>
  spans.map(({ text, isBold = false, isItalic = false, href }) => {
    let inline: Inline = { kind: 'markup', text };
    if (isItalic) inline = { kind: 'emphasis', children: [inline] };
    if (isBold) inline = { kind: 'strong', children: [inline] };
    const url = href === undefined ? undefined : linkAddress(href);
    return url === undefined ? inline : { kind: 'link', url, children: [inline] };
  });
