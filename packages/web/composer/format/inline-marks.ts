// Bold, italic and code within lines.
import type { Edit, Written } from './edit.ts';

export type InlineFormat = 'bold' | 'italic' | 'code';

/** A mark at both ends of some text, such as `**`. */
interface Pair {
  readonly sign: string;
  readonly length: number;
  /** Where the first mark begins. */
  readonly open: number;
  /** Where the second mark begins. */
  readonly close: number;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const SIGNS = { bold: ['*', '_'], italic: ['_', '*'], code: ['`'] } as const;
const MARKS = { bold: '**', italic: '_', code: '`' } as const;
/** Quotes and lists begin their lines with this; marks follow it. */
const BEGINNING = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?|(?:>\s?)+|#{1,6}\s+)?/;
const RUN = /\\.|`+|\*+|_+/gs;
const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{M}\p{N}]/u.test(char);

/** The pairs of marks in a line. In code there are no other marks. */
function pairsIn(text: string, line: Range): Pair[] {
  const pairs: Pair[] = [];
  const open: { sign: string; length: number; at: number }[] = [];
  for (const { 0: run, index } of text.slice(line.start, line.end).matchAll(RUN)) {
    const at = line.start + index;
    const sign = run.charAt(0);
    const code = open.find((one) => one.sign === '`');
    if (sign === '\\' || (code && (sign !== '`' || code.length !== run.length))) continue;
    const begun = open.findLastIndex((one) => one.sign === sign && one.length === run.length);
    const [first] = begun < 0 ? [] : open.splice(begun);
    if (first) pairs.push({ sign, length: run.length, open: first.at, close: at });
    // What nothing closes is no code.
    else if (sign !== '`' || text.slice(at + run.length, line.end).includes(run))
      open.push({ sign, length: run.length, at });
  }
  return pairs;
}

/** Three signs are bold and italic. */
const isOf = (format: InlineFormat, { length }: Pair): boolean =>
  format === 'code' || length >= 3 || length === (format === 'bold' ? 2 : 1);

/** The marks around a range; the selected text may include them. A caret stands between them. */
function around(text: string, { start, end }: Range, format: InlineFormat): Pair | undefined {
  return pairsIn(text, lineAround(text, start, end)).find((pair) => {
    if (!SIGNS[format].some((sign) => sign === pair.sign) || !isOf(format, pair)) return false;
    const last = pair.close + pair.length;
    return start === end ? pair.open < start && start < last : pair.open <= start && end <= last;
  });
}

function lineAround(text: string, start: number, end: number): Range {
  const next = text.indexOf('\n', end);
  return { start: text.lastIndexOf('\n', start - 1) + 1, end: next < 0 ? text.length : next };
}

function without({ sign, length, open, close }: Pair, format: InlineFormat, { text, start, end }: Written): Edit {
  const width = format === 'code' ? length : format === 'bold' ? 2 : 1;
  const rest = sign.repeat(length - width);
  const marked = text.slice(open + length, close);
  // A space at both ends of code belongs to its marks.
  const pad = format === 'code' && marked.startsWith(' ') && marked.endsWith(' ') && marked.trim() !== '' ? 1 : 0;
  const inner = marked.slice(pad, marked.length - pad);
  const [first, last] = [open + rest.length, open + rest.length + inner.length];
  const moved = (at: number): number => Math.min(last, Math.max(first, at - width - pad));
  return { from: open, to: close + length, text: rest + inner + rest, start: moved(start), end: moved(end) };
}

function withMarks(format: InlineFormat, { text, start, end }: Written): Edit {
  const chosen = start === end ? wordAt(text, start) : trimmed(text, { start, end });
  const inner = text.slice(chosen.start, chosen.end);
  const [before, after] = marksFor(format, inner, isWord(text[chosen.start - 1]) || isWord(text[chosen.end]));
  const moved = start === end ? { start, end } : chosen;
  return {
    from: chosen.start,
    to: chosen.end,
    text: before + inner + after,
    start: moved.start + before.length,
    end: moved.end + before.length,
  };
}

/** Underscores within a word mark nothing; code with backticks needs more of them around it. */
function marksFor(format: InlineFormat, inner: string, isInWord: boolean): [before: string, after: string] {
  if (format !== 'code') {
    const mark = format === 'italic' && isInWord ? '*' : MARKS[format];
    return [mark, mark];
  }
  const most = Math.max(0, ...(inner.match(/`+/g) ?? []).map(({ length }) => length));
  const mark = '`'.repeat(most + 1);
  return most === 0 ? [mark, mark] : [`${mark} `, ` ${mark}`];
}

/** The word around a caret; the caret itself if it stands beside a word. */
function wordAt(text: string, at: number): Range {
  if (!isWord(text[at - 1]) || !isWord(text[at])) return { start: at, end: at };
  let [start, end] = [at, at];
  while (isWord(text[start - 1])) start -= 1;
  while (isWord(text[end])) end += 1;
  return { start, end };
}

function trimmed(text: string, { start, end }: Range): Range {
  const chosen = text.slice(start, end);
  const first = start + chosen.length - chosen.trimStart().length;
  return { start: first, end: Math.max(first, start + chosen.trimEnd().length) };
}

/** The parts of a selection that lie on lines with words, without what lists and quotes begin with. */
function parts({ text, start, end }: Written): Range[] {
  const found: Range[] = [];
  for (let at = start; at <= end;) {
    const line = lineAround(text, at, at);
    const [{ length }] = BEGINNING.exec(text.slice(line.start, line.end)) ?? [''];
    const part = trimmed(text, { start: Math.max(at, line.start + length), end: Math.min(end, line.end) });
    if (part.end > part.start) found.push(part);
    at = line.end + 1;
  }
  return found;
}

/** Sets the marks around the selection, or around the word at the caret; takes them away if they are there. */
export function toggleMarks(written: Written, format: InlineFormat): Edit {
  const { text, start, end } = written;
  if (text.slice(start, end).includes('\n')) return toggleLines(written, format);
  const mark = MARKS[format];
  const [from, to] = [start - mark.length, end + mark.length];
  if (start === end && from >= 0 && text.slice(from, to) === mark + mark)
    return { from, to, text: '', start: from, end: from };
  const pair = around(text, written, format);
  if (!pair) return withMarks(format, written);
  // Behind the last word of what is bold, what follows is not bold.
  if (start === end && start === pair.close) {
    const behind = pair.close + pair.length;
    return { from: behind, to: behind, text: '', start: behind, end: behind };
  }
  return without(pair, format, written);
}

/** Marks end with their line: each line gets its own. */
function toggleLines(written: Written, format: InlineFormat): Edit {
  const { text } = written;
  const found = parts(written).map((part) => ({ part, pair: around(text, part, format) }));
  const isOn = found.every(({ pair }) => pair !== undefined);
  const edits = found.flatMap(({ part, pair }) => {
    if (!pair) return [withMarks(format, { text, ...part })];
    return isOn ? [without(pair, format, { text, ...part })] : [];
  });
  const [from, to] = [edits[0]?.from ?? written.start, edits.at(-1)?.to ?? written.end];
  let next = '';
  let at = from;
  for (const edit of edits) {
    next += text.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return { from, to, text: next, start: from, end: from + next.length };
}
