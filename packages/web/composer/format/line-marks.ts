// Lists, quotes and blocks of code: marks of whole lines.
import type { Edit, Written } from './edit.ts';

export type LineFormat = 'bullets' | 'numbers' | 'quote';

const MARKERS = {
  bullets: /^(\s*)[-*+]\s+(?:\[[ xX]\]\s+)?/,
  numbers: /^(\s*)\d{1,9}[.)]\s+/,
  quote: /^(\s*)>\s?/,
} as const;
const FENCE = /^\s*(`{3,}|~{3,})/;
const isBlank = (line: string): boolean => line.trim() === '';

/** The lines that a selection touches; one that ends where a line begins does not touch that line. */
function linesOf({ text, start, end }: Written): { from: number; to: number; lines: string[] } {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end > start && text[end - 1] === '\n' ? end - 1 : end);
  const to = next < 0 ? text.length : next;
  return { from, to, lines: text.slice(from, to).split('\n') };
}

/** Makes the selected lines a list or a quote; if they all are, takes it away. */
export function toggleLineMarks(written: Written, format: LineFormat): Edit {
  const { text, start, end } = written;
  const { from, to, lines } = linesOf(written);
  const isEmpty = lines.every(isBlank);
  const isOn = !isEmpty && lines.every((line) => isBlank(line) || MARKERS[format].test(line));
  const above = text.slice(text.lastIndexOf('\n', from - 2) + 1, from);
  let number = Number(/^\s*(\d{1,9})[.)]\s/.exec(above)?.[1] ?? 0);
  const changed = lines.map((line) => {
    if (isOn) return line.replace(MARKERS[format], '$1');
    if (format === 'quote') return isBlank(line) && !isEmpty ? '>' : `> ${line}`;
    if (isBlank(line) && !isEmpty) return line;
    const bare = line.replace(MARKERS.bullets, '$1').replace(MARKERS.numbers, '$1');
    const [indent] = /^\s*/.exec(bare) ?? [''];
    number += 1;
    return `${indent}${format === 'bullets' ? '-' : `${number}.`} ${bare.slice(indent.length)}`;
  });
  const next = changed.join('\n');
  // Without a blank line between them, a line of plain words would belong to the quote or to the last item.
  const [follows = ''] = text.slice(to + 1).split('\n', 1);
  const isApart = isOn || isBlank(follows) || Object.values(MARKERS).some((marker) => marker.test(follows));
  const whole = isApart ? next : `${next}\n`;
  if (start !== end) return { from, to, text: whole, start: from, end: from + next.length };
  const caret = Math.max(from, start + (changed[0] ?? '').length - (lines[0] ?? '').length);
  return { from, to, text: whole, start: caret, end: caret };
}

/** The fenced code around a selection. */
function fenceAround({ text, start, end }: Written): { from: number; to: number; inner: string } | null {
  let begun: { from: number; inner: number; sign: string } | null = null;
  for (let at = 0; at <= text.length;) {
    const next = text.indexOf('\n', at);
    const lineEnd = next < 0 ? text.length : next;
    const [, sign] = FENCE.exec(text.slice(at, lineEnd)) ?? [];
    if (sign !== undefined && begun === null) begun = { from: at, inner: lineEnd + 1, sign };
    else if (sign !== undefined && begun && sign.startsWith(begun.sign)) {
      if (begun.from <= start && end <= lineEnd)
        return { from: begun.from, to: lineEnd, inner: text.slice(begun.inner, Math.max(begun.inner, at - 1)) };
      begun = null;
    }
    at = lineEnd + 1;
  }
  return null;
}

/** Takes a block of code away around the selection; null if there is none. */
export function withoutFence(written: Written): Edit | null {
  const fence = fenceAround(written);
  if (!fence) return null;
  const { from, to, inner } = fence;
  return { from, to, text: inner, start: from, end: from + inner.length };
}

/** Makes the selected lines a block of code. */
export function withFence(written: Written): Edit {
  const { from, to, lines } = linesOf(written);
  const inner = lines.join('\n');
  const most = Math.max(2, ...(inner.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(most + 1);
  const begin = from + fence.length + 1;
  return { from, to, text: `${fence}\n${inner}\n${fence}`, start: begin, end: begin + inner.length };
}
