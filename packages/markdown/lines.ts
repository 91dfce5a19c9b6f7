// Lines as ranges of the source. Prefixes such as `> ` are removed by moving the start.

export interface Range {
  readonly start: number;
  readonly end: number;
}
export type Line = Range;

const TAB_STOP = 4;

/** The lines between two positions, without line breaks. */
export function linesOf(source: string, start: number, end: number): Line[] {
  const lines: Line[] = [];
  let from = start;
  for (;;) {
    const newline = source.indexOf('\n', from);
    if (newline < 0 || newline >= end) {
      lines.push({ start: from, end });
      return lines;
    }
    lines.push({ start: from, end: newline });
    from = newline + 1;
  }
}

const isSpace = (char: string | undefined): boolean => char === ' ' || char === '\t';

/** The start of a line's text and its column. */
export function indentOf(source: string, { start, end }: Line): { at: number; columns: number } {
  let [at, columns] = [start, 0];
  while (at < end && isSpace(source[at])) {
    columns += source[at] === '\t' ? TAB_STOP - (columns % TAB_STOP) : 1;
    at += 1;
  }
  return { at, columns };
}

/** Removes up to this many columns of indentation; tabs are removed whole. */
export function withoutIndent(source: string, { start, end }: Line, most: number): Line {
  let [at, columns] = [start, 0];
  while (at < end && columns < most && isSpace(source[at])) {
    columns += source[at] === '\t' ? TAB_STOP - (columns % TAB_STOP) : 1;
    at += 1;
  }
  return { start: at, end };
}

export const isBlank = (source: string, line: Line): boolean => indentOf(source, line).at >= line.end;

/** Trims white space from a range. */
export function trimmed(source: string, range: Range): Range {
  let { start, end } = range;
  while (start < end && isSpace(source[start])) start += 1;
  while (end > start && isSpace(source[end - 1])) end -= 1;
  return { start, end };
}
