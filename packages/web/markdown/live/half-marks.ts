import { formulasIn, isNameBeginning, tagEnds } from '@parley/markdown';

/** Longer blocks are shown as they are: finding their half marks costs too much time. */
const MAX_LENGTH = 16_384;
const HALF_TAG = /^\{(?:%[ \t\n]*\/?([a-z][\w-]*)?(?![^\s"])|%?$)/;
/** The start of a mark that the next characters may change. */
const HALF_MARK = /(?:^|\n)[ \t>]*(?:[-*+=_#|]{1,2}|\d{1,3}[.)]?|`{1,2}|~{1,2}|[-*+] \[[ xX]?)$/;
/** An opening mark at the end of the text. */
const BARE_OPENING = /(^|[\s(])(?:[*_~`]{1,3}|!?\[)$/;
const TABLE_HEAD = /(?:^|\n)([ \t]*\|[^\n]*\|[ \t]*)(?:\n[-:| \t]*)?$/;
const FENCED = /^[ \t]{0,3}(?:`{3}|~{3})/;
/** Replaces each character of a formula, so that none is read as a mark. */
const COVER = '\uE000';

/**
 * The last block of streaming text without its unfinished marks, so that what is shown does not change a moment later.
 * Hidden text appears when the text ends. The parser itself closes marks that are open at the end.
 */
export function withoutHalfMarks(block: string): string {
  if (block.length > MAX_LENGTH || FENCED.test(block)) return block;
  const covered = withoutFormulas(block);
  const kept = withoutHalfImage(withoutHalfTag(covered).replace(HALF_MARK, '')).replace(BARE_OPENING, '$1');
  return withTableRule(kept, block.slice(0, kept.length)) ?? block.slice(0, kept.length);
}

function withoutFormulas(block: string): string {
  let [covered, done] = ['', 0];
  for (const { start, end } of formulasIn(block)) {
    covered += block.slice(done, start) + block.slice(start, end).replaceAll(/[^\n]/g, COVER);
    done = end;
  }
  return covered + block.slice(done);
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

/** A row with bars may be a table head whose rule has not arrived yet. `covered`: without what is in formulas. */
function withTableRule(covered: string, block: string): string | undefined {
  const head = TABLE_HEAD.exec(covered);
  const row = head?.[1];
  if (
    !head ||
    row === undefined ||
    /^[-:| \t]*$/.test(row) ||
    /(?:^|\n)[ \t]*\|[^\n]*\n/.test(covered.slice(0, head.index + 1))
  )
    return undefined;
  const columns = row.split('|').length - 2;
  const start = covered.length - head[0].trimStart().length;
  const line = block.slice(start, start + row.trimStart().length).trimEnd();
  return columns < 1 ? undefined : `${block.slice(0, start)}${line}\n${'|-'.repeat(columns)}|`;
}
