import type { Run, Wrap } from './emphasis.ts';
import type { InlineMarkListener } from './inline-marks.ts';
import { textOfInlines } from './text-of.ts';
import { type Inline, MAX_NESTED_INLINES } from './tree.ts';

/** The items that the scanner found, in order. */
export type Item =
  | { readonly start: number; readonly end: number; readonly opens?: Wrap; readonly closes?: Wrap }
  | { readonly run: Run }
  | { readonly node: Inline };

interface Frame {
  readonly wrap: Wrap | undefined;
  readonly children: Inline[];
}

/** Builds the tree from items. Wraps are properly nested; those nested too deeply become text. */
export function buildInlines(text: string, items: readonly Item[], onMark: InlineMarkListener | undefined): Inline[] {
  const root: Frame = { wrap: undefined, children: [] };
  const stack: Frame[] = [root];
  const top = (): Frame => stack.at(-1) ?? root;

  const addText = (start: number, end: number): void => {
    if (end > start) add(top().children, { kind: 'text', text: text.slice(start, end) });
  };
  // Images do not count: what they contain becomes one text.
  let depth = 0;
  const open = (wrap: Wrap, start: number, end: number): void => {
    if (wrap.kind !== 'image' && depth >= MAX_NESTED_INLINES) {
      wrap.isLiteral = true;
      return addText(start, end);
    }
    onMark?.(wrap.url === undefined ? 'emphasis' : 'link open', start, end);
    stack.push({ wrap, children: [] });
    if (wrap.kind !== 'image') depth += 1;
    return undefined;
  };
  const close = (wrap: Wrap, start: number, end: number): void => {
    if (wrap.isLiteral) return addText(start, end);
    onMark?.(wrap.url === undefined ? 'emphasis' : 'link target', start, end);
    const frame = stack.pop();
    if (wrap.kind !== 'image') depth -= 1;
    add(top().children, nodeOf(wrap, frame?.children ?? []));
    return undefined;
  };

  for (const item of items) {
    if ('node' in item) add(top().children, item.node);
    else if ('run' in item) {
      let at = item.run.start;
      for (const { wrap, length } of item.run.closes) close(wrap, at, (at += length));
      addText(at, (at += item.run.rest));
      for (const { wrap, length } of item.run.opens.toReversed()) open(wrap, at, (at += length));
    } else if (item.opens) open(item.opens, item.start, item.end);
    else if (item.closes) close(item.closes, item.start, item.end);
    else addText(item.start, item.end);
  }
  return root.children;
}

function nodeOf(wrap: Wrap, children: Inline[]): Inline {
  switch (wrap.kind) {
    case 'link':
      return { kind: 'link', url: wrap.url ?? '', children: children.flatMap(withoutLinks) };
    case 'image':
      return { kind: 'image', url: wrap.url ?? '', alt: textOfInlines(children) };
    default:
      return { kind: wrap.kind, children };
  }
}

/** Links cannot nest: an address in a label is part of the label. */
function withoutLinks(inline: Inline): readonly Inline[] {
  if (inline.kind === 'link') return inline.children;
  if (!('children' in inline)) return [inline];
  return [{ ...inline, children: inline.children.flatMap(withoutLinks) }];
}

/** Joins adjacent texts. */
function add(children: Inline[], node: Inline): void {
  const last = children.at(-1);
  if (node.kind === 'text' && last?.kind === 'text')
    children[children.length - 1] = { kind: 'text', text: last.text + node.text };
  else children.push(node);
}
