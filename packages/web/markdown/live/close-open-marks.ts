import { CodeSpans, formulasIn, isNameBeginning, tagEnds } from '@parley/markdown';
import remend from 'remend';

/** Longer blocks are shown as they are: closing their marks costs too much time. */
const MOST_LENGTH = 16_384;
const HALF_TAG = /^\{(?:%[ \t\n]*\/?([a-z][\w-]*)?(?![^\s"])|%?$)/;
/** The start of a mark that the next characters may change. */
const HALF_MARK = /(?:^|\n)[ \t>]*(?:[-*+=_#|]{1,2}|\d{1,3}[.)]?|`{1,2}|~{1,2}|[-*+] \[[ xX]?)$/;
/** An opening mark at the end of the text. */
const BARE_OPENING = /(^|[\s(])(?:[*_~`]{1,3}|!?\[)$/;
const TABLE_HEAD = /(?:^|\n)([ \t]*\|[^\n]*\|[ \t]*)(?:\n[-:| \t]*)?$/;
const FENCED = /^[ \t]{0,3}(?:`{3}|~{3})/;
/** Replaces each character of a formula, so that none is read as a mark. */
const COVER = '\uE000';
/** Characters that can open a mark. Most words contain none. */
const MARK = /[*_~`[|]/;

const options = {
  linkMode: 'text-only',
  htmlTags: false,
  comparisonOperators: false,
  singleTilde: false,
  setextHeadings: false,
  katex: false,
  images: false,
  // Code spans are closed first: they contain no marks.
  inlineCode: false,
} as const;

/**
 * Prepares the last block of streaming text: closes open marks and hides unfinished ones, so that what is shown does not
 * change a moment later. Hidden text appears when the text ends.
 */
export function closeOpenMarks(block: string): string {
  if (block.length > MOST_LENGTH || FENCED.test(block)) return block;
  const formulas = formulasIn(block);
  if (formulas.length === 0 || block.includes(COVER)) return closeMarks(block);
  let [covered, hidden, done] = ['', '', 0];
  for (const { start, end } of formulas) {
    const formula = block.slice(start, end);
    covered += block.slice(done, start) + formula.replaceAll(/[^\n]/g, COVER);
    hidden += formula.replaceAll('\n', '');
    done = end;
  }
  let shown = 0;
  return closeMarks(covered + block.slice(done)).replaceAll(COVER, () => hidden.charAt(shown++));
}

function closeMarks(block: string): string {
  const plain = withoutHalfImage(withoutHalfTag(block).replace(HALF_MARK, '')).replace(BARE_OPENING, '$1');
  return MARK.test(plain) ? remend(withTableRule(plain) ?? plain + openCode(plain), options) : plain;
}

/** The backticks that close a code span left open at the end. */
function openCode(block: string): string {
  const spans = new CodeSpans(block, 0, block.length);
  for (let at = block.indexOf('`'); at >= 0;) {
    const length = spans.runAt(at);
    const close = spans.closeOf(at, length);
    if (close === undefined) return '`'.repeat(length);
    at = block.indexOf('`', close + length);
  }
  return '';
}

/** Hides an unfinished image, `![label`, `![label]` or `![label](address`, until it is complete. */
function withoutHalfImage(block: string): string {
  // An address that goes on to the end begins after the last character that would end it.
  let ended = block.length - 1;
  while (ended >= 0 && !/[)\s]/.test(block.charAt(ended))) ended -= 1;
  for (let at = block.indexOf('![', block.lastIndexOf('\n') + 1); at >= 0;) {
    const close = block.indexOf(']', at);
    const after = close + 1;
    if (close < 0 || after === block.length || (block.charAt(after) === '(' && after > ended))
      return block.slice(0, at);
    at = block.indexOf('![', after);
  }
  return block;
}

function withoutHalfTag(block: string): string {
  const at = block.lastIndexOf('{');
  const first = halfTagAt(block, at);
  return first < 0 ? block : block.slice(0, first);
}

/** Where an unfinished registered tag starts, outside of code. */
function halfTagAt(block: string, last: number): number {
  if (last < 0) return -1;
  const ends = tagEnds(block, 0, block.length);
  for (let at = block.indexOf('{'); at >= 0; at = block.indexOf('{', at + 1)) {
    const end = ends.get(at);
    if (end !== undefined) {
      at = end - 1;
      continue;
    }
    const name = HALF_TAG.exec(block.slice(at, at + 80));
    if (!name || (name[1] !== undefined && !isNameBeginning(name[1]))) continue;
    const ticks = block.slice(0, at).split('`').length - 1;
    const isLast = block.indexOf('{%', at + 2) < 0;
    if (ticks % 2 === 0 && isLast) return at;
  }
  return -1;
}

/** A row with bars may be a table head whose rule has not arrived yet. */
function withTableRule(block: string): string | undefined {
  const head = TABLE_HEAD.exec(block);
  const row = head?.[1];
  if (
    !head ||
    row === undefined ||
    /^[-:| \t]*$/.test(row) ||
    /(?:^|\n)[ \t]*\|[^\n]*\n/.test(block.slice(0, head.index + 1))
  )
    return undefined;
  const columns = row.split('|').length - 2;
  const start = block.slice(0, head.index + head[0].length - head[0].trimStart().length);
  return columns < 1 ? undefined : `${start}${row.trim()}\n${'|-'.repeat(columns)}|`;
}
