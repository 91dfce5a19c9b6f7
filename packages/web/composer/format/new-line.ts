import type { Edit, Written } from './edit.ts';

/** What a line of a list or a quote begins with. */
const BEGINNING = /^(\s*)(?:([-*+]|(\d{1,9})([.)]))(\s+)(\[[ xX]\]\s+)?|(?:>\s?)+)/;
const FENCES = /^[ \t]*(?:```|~~~)/gm;

/**
 * A new line in a list or a quote begins as the line before it, in a numbered list with the next number; on an item without
 * words it ends the list. Null if the line is neither, and in code.
 */
export function newLine({ text, start, end }: Written): Edit | null {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const beginning = BEGINNING.exec(text.slice(from, start));
  if (!beginning || (text.slice(0, from).match(FENCES)?.length ?? 0) % 2 === 1) return null;
  const [all, indent = '', bullet = '', digits, sign = '', space = '', box] = beginning;
  const next = text.indexOf('\n', end);
  const to = next < 0 ? text.length : next;
  if (text.slice(from + all.length, to).trim() === '') return { from, to, text: '', start: from, end: from };
  const again =
    bullet === ''
      ? all
      : indent + (digits === undefined ? bullet : `${Number(digits) + 1}${sign}`) + space + (box ? '[ ] ' : '');
  const caret = start + 1 + again.length;
  return { from: start, to: end, text: `\n${again}`, start: caret, end: caret };
}
