// Pairs tags that have content with their end tags. They must start a line or follow another tag at its start.
import { CodeSpans } from './code-spans.ts';
import { readTag, type ReadTag } from './read-tag.ts';
import { tagEnds } from './tag-ends.ts';
import { ruleOf } from './tag-names.ts';
import { MAX_NESTED_BLOCKS } from './tree.ts';

export interface TagPair {
  readonly tag: ReadTag;
  /** Its content. */
  readonly start: number;
  readonly end: number;
  /** The position after its end tag. */
  readonly after: number;
}

const SPECIAL = /\\|`+|\{%|\n/g;
const END_TAG = /^\{%[ \t]*\//;
const FENCE = /[ \t]*(`{3,}|~{3,})([^\n]*)/y;

interface OpenTag {
  readonly tag: ReadTag;
  readonly at: number;
  readonly start: number;
}

/** Keyed by the position of the opening tag. With `isLive`, tags left open end at the end of the text. */
export function tagPairs(text: string, from: number, isLive: boolean): ReadonlyMap<number, TagPair> {
  const pairs = new Map<number, TagPair>();
  if (!text.includes('{%', from)) return pairs;
  const ends = tagEnds(text, from, text.length);
  const stack: OpenTag[] = [];
  let at = from;
  let spans: CodeSpans | undefined;
  let isBlockStart = true;
  /** At the start of a block: skips fenced code. */
  const skipFence = (): void => {
    const end = fenceEnd(text, at);
    if (end > at) at = end;
    isBlockStart = true;
    spans = undefined;
  };
  skipFence();
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const special = SPECIAL.exec(text);
    const found = special?.index ?? text.length;
    if (isBlockStart && !isSmallIndent(text, at, found)) isBlockStart = false;
    const mark = special?.[0] ?? '';
    at = found + Math.max(mark.length, 1);
    if (mark === '\n') skipFence();
    else if (mark === '\\') {
      isBlockStart = false;
      at += text[at] === '\n' ? 0 : 1;
    } else if (mark.startsWith('`')) {
      isBlockStart = false;
      const lineEnd = text.indexOf('\n', found);
      spans ??= new CodeSpans(text, found, lineEnd < 0 ? text.length : lineEnd);
      const close = spans.closeOf(found, mark.length);
      if (close !== undefined) at = close + mark.length;
    } else if (mark === '{%') {
      const end = ends.get(found);
      const markup = text.slice(found, end ?? found);
      const isOneLine = !markup.includes('\n');
      // Within a line only end tags have an effect.
      const tag = isBlockStart || !isOneLine || END_TAG.test(markup) ? readTag(markup) : undefined;
      if (end === undefined || !tag) {
        isBlockStart = false;
        // Markup of other tags is text, in which nothing is a mark.
        if (end !== undefined && isOneLine) at = end;
        continue;
      }
      at = end;
      if (!isOneLine) spans = undefined;
      if (tag.form === 'close') {
        if (closeTag(tag, { found, end }, stack, pairs)) skipFence();
        // An end tag without an opening tag is text.
        else isBlockStart = false;
      } else if (!isBlockStart) continue;
      else if (tag.form === 'open' && ruleOf(tag.name)?.holds) {
        if (stack.length < MAX_NESTED_BLOCKS) stack.push({ tag, at: found, start: end });
        skipFence();
      } else if (/\n[ \t]*\n/.test(markup)) {
        pairs.set(found, { tag, start: end, end, after: end });
        skipFence();
      } else {
        // A tag without content is inline: the rest of its line starts no block.
        isBlockStart = false;
      }
    }
  }
  if (isLive)
    for (const { tag, at: open, start } of stack) pairs.set(open, { tag, start, end: text.length, after: text.length });
  return pairs;
}

function closeTag(
  { name }: ReadTag,
  { found, end }: { found: number; end: number },
  stack: OpenTag[],
  pairs: Map<number, TagPair>,
): boolean {
  const at = stack.findLastIndex(({ tag }) => tag.name === name);
  const open = stack[at];
  if (!open) return false;
  // Unclosed tags inside it are text.
  stack.length = at;
  pairs.set(open.at, { tag: open.tag, start: open.start, end: found, after: end });
  return true;
}

/** Returns the index after the fenced code block that starts on this line, or `start` if none starts there. */
function fenceEnd(text: string, start: number): number {
  FENCE.lastIndex = start;
  const open = FENCE.exec(text);
  const fence = open?.[1] ?? '';
  if (!open || (fence.startsWith('`') && open[2]?.includes('`'))) return start;
  for (let at = text.indexOf('\n', start); at >= 0; at = text.indexOf('\n', at + 1)) {
    FENCE.lastIndex = at + 1;
    const close = FENCE.exec(text);
    const isEnd = close?.[1]?.startsWith(fence) && close[2]?.trim() === '';
    if (isEnd) return FENCE.lastIndex;
  }
  return text.length;
}

function isSmallIndent(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (text[at] !== ' ') return false;
  return to - from <= 3 || (from > 0 && text[from - 1] !== '\n');
}
