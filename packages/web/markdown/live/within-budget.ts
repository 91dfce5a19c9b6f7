import type { Block, Inline, ListItem, Tag, Value } from '@parley/markdown';

/**
 * What is drawn of a text at once, in about the elements that it makes: what a slow phone draws in a fifth of a second. A
 * longer text is drawn up to there, and further when the reader asks.
 */
export const BUDGET = 400;

/** Characters that cost as much as an element. */
const CHARACTERS = 40;
/** Elements of what is more than its text: its own buttons, icons and boxes. */
const costs = {
  code: 40,
  diagram: 120,
  table: 12,
  tag: 16,
  formula: 7,
  mention: 4,
  footnote: 5,
  link: 3,
  image: 6,
  block: 2,
  item: 4,
  mark: 2,
} as const;

/** Each sign of a formula is about an element; long ones are drawn in a frame of their own. */
const MAX_SIGNS = 100;

interface Purse {
  left: number;
}

/** The blocks that fit into a budget, in their order. One that does not fit as a whole is cut; others stay the same objects. */
export function withinBudget(blocks: readonly Block[], budget: number): { blocks: readonly Block[]; isCut: boolean } {
  const purse = { left: budget };
  const kept = cutAll(blocks, purse, cutBlock);
  return { blocks: kept, isCut: kept !== blocks };
}

const pay = (purse: Purse, cost: number): boolean => {
  purse.left -= cost;
  return purse.left >= 0;
};

/** The first of the items; the same list if all fit. */
function cutAll<Item>(
  items: readonly Item[],
  purse: Purse,
  cut: (item: Item, purse: Purse) => Item | null,
): readonly Item[] {
  for (const [at, item] of items.entries()) {
    const kept = purse.left > 0 ? cut(item, purse) : null;
    if (kept === item && (purse.left > 0 || at === items.length - 1)) continue;
    return [...items.slice(0, at), ...(kept === null ? [] : [kept])];
  }
  return items;
}

/** Units of text that cost more than a letter does. */
const SLOW = /[:\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uD800-\uDFFF\uFB1D-\uFEFC]/;

function costOf(unit: string): number {
  if (!SLOW.test(unit)) return 1 / CHARACTERS;
  // It may begin an emoji's name, which is looked for.
  if (unit === ':') return 2;
  // Half of an emoji.
  if ((unit >= '\uD800' && unit <= '\uDFFF') || unit === '\uFE0F') return 0.5;
  // It changes the direction.
  if (unit >= '\u200E' && unit <= '\u2069') return 2;
  return 0.2;
}

/** A text up to the budget, not within a character. */
function cutText(text: string, purse: Purse): string {
  if (!SLOW.test(text)) {
    const most = Math.max(0, Math.floor(purse.left * CHARACTERS));
    purse.left -= text.length / CHARACTERS;
    return text.slice(0, most);
  }
  for (let at = 0; at < text.length; at += 1) {
    if (purse.left <= 0) return text.slice(0, at).replace(/[\uD800-\uDBFF]$/, '');
    purse.left -= costOf(text.charAt(at));
  }
  return text;
}

/** Lines are laid out each by itself. */
function cutCode(text: string, purse: Purse): string {
  const lines = text.split('\n', Math.max(1, Math.floor(purse.left)) + 1);
  const most = Math.max(0, Math.floor(purse.left));
  const kept = lines.length > most ? lines.slice(0, most).join('\n') : text;
  purse.left -= Math.min(lines.length, most);
  return cutText(kept, purse);
}

function cutBlock(block: Block, purse: Purse): Block | null {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
    case 'footnote': {
      if (!pay(purse, block.kind === 'footnote' ? costs.footnote : costs.block)) return null;
      const children = cutAll(block.children, purse, cutInline);
      return children === block.children ? block : { ...block, children };
    }
    case 'code': {
      // A diagram is drawn by a large library.
      if (!pay(purse, block.info === 'mermaid' ? costs.diagram : costs.code)) return null;
      const text = cutCode(block.text, purse);
      return text === block.text ? block : { ...block, text };
    }
    case 'quote': {
      if (!pay(purse, costs.block)) return null;
      const blocks = cutAll(block.blocks, purse, cutBlock);
      return blocks === block.blocks ? block : { ...block, blocks };
    }
    case 'list': {
      const items = cutAll(block.items, purse, cutItem);
      return items === block.items ? block : { ...block, items };
    }
    case 'table': {
      if (!pay(purse, costs.table)) return null;
      const head = cutAll(block.head, purse, cutCell);
      // A short row costs the cell that stands for those it lacks.
      const rows = cutAll(block.rows, purse, (row, left) => (pay(left, 3) ? cutAll(row, left, cutCell) : null));
      return head === block.head && rows === block.rows ? block : { ...block, head, rows };
    }
    case 'tag':
      return cutTag(block, purse);
    default:
      return pay(purse, 1) ? block : null;
  }
}

function cutItem(item: ListItem, purse: Purse): ListItem | null {
  if (!pay(purse, costs.item)) return null;
  const blocks = cutAll(item.blocks, purse, cutBlock);
  return blocks === item.blocks ? item : { ...item, blocks };
}

function cutCell(cell: readonly Inline[], purse: Purse): readonly Inline[] | null {
  return pay(purse, 1) ? cutAll(cell, purse, cutInline) : null;
}

/** A form or a card is drawn whole or not at all, but for the blocks in it. */
function cutTag(tag: Tag, purse: Purse): Tag | null {
  const most = Math.max(0, purse.left);
  if (!pay(purse, costs.tag + weightOf(tag.attributes, most))) return null;
  const blocks = cutAll(tag.blocks, purse, cutBlock);
  return blocks === tag.blocks ? tag : { ...tag, blocks };
}

/** About the elements of a value, at most a little more than `most`. */
function weightOf(value: Value, most: number): number {
  if (typeof value === 'string') return 1 + value.length / CHARACTERS;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const inner of Object.values(value)) {
    weight += 2 + weightOf(inner, most);
    if (weight > most) break;
  }
  return weight;
}

function cutInline(inline: Inline, purse: Purse): Inline | null {
  switch (inline.kind) {
    case 'text': {
      const text = cutText(inline.text, purse);
      return text === inline.text ? inline : { ...inline, text };
    }
    case 'code':
    case 'markup': {
      purse.left -= 1;
      const text = cutCode(inline.text, purse);
      return text === inline.text ? inline : { ...inline, text };
    }
    case 'formula':
      // A formula that is cut cannot be drawn.
      return pay(purse, costs.formula + Math.min(inline.text.length, MAX_SIGNS)) ? inline : null;
    case 'link':
    case 'strong':
    case 'emphasis':
    case 'strike': {
      purse.left -= inline.kind === 'link' ? costs.link : costs.mark;
      const children = cutAll(inline.children, purse, cutInline);
      return children === inline.children ? inline : { ...inline, children };
    }
    case 'tag':
      return cutTag(inline, purse);
    case 'mention':
      return pay(purse, costs.mention) ? inline : null;
    case 'image':
      return pay(purse, costs.image + inline.alt.length / CHARACTERS) ? inline : null;
    case 'footnote mark':
      return pay(purse, costs.link) ? inline : null;
    default:
      return pay(purse, 1) ? inline : null;
  }
}
