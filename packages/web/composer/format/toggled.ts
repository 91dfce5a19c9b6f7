import type { Edit, Written } from './edit.ts';
import type { Format } from './formats.ts';
import { toggleMarks } from './inline-marks.ts';
import { toggleLineMarks, withFence, withoutFence } from './line-marks.ts';

/** Formats the selection, or takes the format away if it is there. */
export function toggled(written: Written, format: Format): Edit {
  switch (format) {
    case 'bold':
    case 'italic':
      return toggleMarks(written, format);
    case 'link':
      return toggleLink(written);
    case 'bullets':
    case 'numbers':
    case 'quote':
      return toggleLineMarks(written, format);
    case 'code': {
      const isLong = written.text.slice(written.start, written.end).includes('\n');
      return withoutFence(written) ?? (isLong ? withFence(written) : toggleMarks(written, format));
    }
    default:
      return format satisfies never;
  }
}

const LINK = /\[([^[\]\n]*)\]\([^()\n]*\)/g;
const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/;
/** Stands where the address goes, and is selected, so that a pasted address replaces it. */
const PLACE = 'https://';

function toggleLink({ text, start, end }: Written): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const line = text.slice(from, next < 0 ? text.length : next);
  for (const { 0: link, 1: words = '', index } of line.matchAll(LINK)) {
    const at = from + index;
    if (start < at || end > at + link.length || (start === end && (start === at || start === at + link.length)))
      continue;
    return { from: at, to: at + link.length, text: words, start: at, end: at + words.length };
  }
  const chosen = text.slice(start, end).trim();
  if (ADDRESS.test(chosen)) return { from: start, to: end, text: `[](${chosen})`, start: start + 1, end: start + 1 };
  const place = start + chosen.length + 3;
  const [first, last] = chosen === '' ? [start + 1, start + 1] : [place, place + PLACE.length];
  return { from: start, to: end, text: `[${chosen}](${PLACE})`, start: first, end: last };
}
