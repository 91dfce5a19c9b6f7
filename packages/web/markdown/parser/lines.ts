// Lines as ranges of a source: what stands before them in their block, as `> `, is cut off by moving the start.

export interface Range {
  readonly start: number;
  readonly end: number;
}
export type Line = Range;

const TAB_STOP = 4;

/** The lines between two places, without their ends. */
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

/** Where a line's text begins, and in which column. */
export function indentOf(source: string, { start, end }: Line): { at: number; columns: number } {
  let [at, columns] = [start, 0];
  while (at < end && isSpace(source[at])) {
    columns += source[at] === '\t' ? TAB_STOP - (columns % TAB_STOP) : 1;
    at += 1;
  }
  return { at, columns };
}

/** The line without so many columns of its indent; a tab goes as a whole. */
export function withoutIndent(source: string, { start, end }: Line, most: number): Line {
  let [at, columns] = [start, 0];
  while (at < end && columns < most && isSpace(source[at])) {
    columns += source[at] === '\t' ? TAB_STOP - (columns % TAB_STOP) : 1;
    at += 1;
  }
  return { start: at, end };
}

export const isBlank = (source: string, line: Line): boolean => indentOf(source, line).at >= line.end;

/** The range without white space at its ends. */
export function trimmed(source: string, range: Range): Range {
  let { start, end } = range;
  while (start < end && isSpace(source[start])) start += 1;
  while (end > start && isSpace(source[end - 1])) end -= 1;
  return { start, end };
}
