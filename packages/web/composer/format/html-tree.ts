// HTML of the clipboard as a tree. The browser's own parser takes minutes for some megabytes of HTML, and looks at the
// styles and pictures in it; this one does neither.
import { Parser } from 'htmlparser2';

export interface HtmlElement {
  /** In lower case. */
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: HtmlNode[];
  /** It has a block in it, at whatever depth. */
  holdsBlock: boolean;
}
export type HtmlNode = string | HtmlElement;

/** Elements that begin and end a block of their own. */
const BLOCKS = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
/** Maximum depth of elements. The parser looks through all that are open when one ends. */
const MAX_DEPTH = 250;
/** Maximum number of elements. Longer texts than these hold become files. */
const MAX_ELEMENTS = 20_000;
/** How much is parsed before the limits are checked. */
const CHUNK = 16_384;

export const isBlock = ({ tag }: HtmlElement): boolean => BLOCKS.has(tag);

const made = (tag: string, attributes: ReadonlyMap<string, string>): HtmlElement => ({
  tag,
  attributes,
  children: [],
  holdsBlock: false,
});

/** The body that holds all of it; null if it has too many elements, or too deep ones. Takes linear time. */
export function htmlTree(html: string): HtmlElement | null {
  const root = made('body', new Map());
  const open = [root];
  let elements = 0;
  let words = '';
  const endWords = (): void => {
    if (words !== '') open.at(-1)?.children.push(words);
    words = '';
  };
  const parser = new Parser({
    onopentag(tag, attributes) {
      elements += 1;
      endWords();
      const element = made(tag, new Map(Object.entries(attributes)));
      open.at(-1)?.children.push(element);
      if (isBlock(element)) markHolders(open);
      open.push(element);
    },
    ontext(text) {
      words += text;
    },
    onclosetag() {
      endWords();
      if (open.length > 1) open.pop();
    },
  });
  for (let at = 0; at < html.length; at += CHUNK) {
    parser.write(html.slice(at, at + CHUNK));
    if (elements > MAX_ELEMENTS || open.length > MAX_DEPTH) return null;
  }
  parser.end();
  endWords();
  return root;
}

/** Notes in the open elements that there is a block in them; what holds a block is in elements that do. */
function markHolders(open: readonly HtmlElement[]): void {
  for (const element of open.toReversed()) {
    if (element.holdsBlock) return;
    element.holdsBlock = true;
  }
}

export const styleOf = (element: HtmlElement): string => element.attributes.get('style') ?? '';

/** All text in a node. */
export const textOf = (node: HtmlNode): string =>
  typeof node === 'string' ? node : node.children.map(textOf).join('');

/** The elements in an element, in their order. */
export function* within(element: HtmlElement): Generator<HtmlElement> {
  for (const child of element.children)
    if (typeof child !== 'string') {
      yield child;
      yield* within(child);
    }
}

/** The first element with one of these tags in an element. */
export function firstIn(element: HtmlElement, ...tags: string[]): HtmlElement | undefined {
  for (const one of within(element)) if (tags.includes(one.tag)) return one;
  return undefined;
}
