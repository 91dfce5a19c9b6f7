import { type DocumentHandle, MAX_PLACES, matcherOf } from './document-handle.ts';

/** Words in different ones of these do not join. */
const BLOCKS = ['p', 'li', 'td', 'th', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'div', 'section'].join(',');
const ALL = 'found-in-file';
const CURRENT = 'current-in-file';

/** Finds words in what an element shows, and marks them. */
export function handleOf(place: () => HTMLElement | null): DocumentHandle {
  let ranges: Range[] = [];
  return {
    async find(words) {
      const element = place();
      ranges = element ? rangesOf(element, words) : [];
      mark(ALL, ranges);
      mark(CURRENT, []);
      return ranges.length;
    },
    show(at) {
      const range = ranges[at];
      if (!range) return;
      mark(CURRENT, [range]);
      const { startContainer: start } = range;
      (start instanceof Element ? start : start.parentElement)?.scrollIntoView({ block: 'center', inline: 'nearest' });
    },
  };
}

/** Browsers that cannot mark ranges scroll to them. */
function mark(name: string, ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

function rangesOf(element: HTMLElement, words: string): Range[] {
  const matcher = matcherOf(words);
  if (!matcher) return [];
  const nodes: { node: Text; start: number }[] = [];
  let whole = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest('[aria-hidden="true"]')) continue;
    const own = node.parentElement?.closest(BLOCKS) ?? null;
    if (own !== block) whole += '\n';
    block = own;
    nodes.push({ node, start: whole.length });
    whole += node.data;
  }
  const ranges: Range[] = [];
  let at = 0;
  /** The node that a character belongs to; characters are asked for in order. */
  const nodeAt = (index: number) => {
    while ((nodes[at + 1]?.start ?? Infinity) <= index) at += 1;
    return nodes[at];
  };
  for (const { index, 0: match } of whole.matchAll(matcher)) {
    const first = nodeAt(index);
    const last = nodeAt(index + match.length - 1);
    if (!first || !last) continue;
    const range = document.createRange();
    range.setStart(first.node, Math.max(0, index - first.start));
    range.setEnd(last.node, Math.min(last.node.length, index + match.length - last.start));
    ranges.push(range);
    if (ranges.length === MAX_PLACES) break;
  }
  return ranges;
}
