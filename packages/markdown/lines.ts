// Lines as ranges of the source. Prefixes such as `> ` are removed by moving the start.

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Line extends Range {
  /** The column of `start`: tab stops are counted from the margin, whatever prefixes were removed. */
  readonly column: number;
  /** Columns of a tab before `start` that belong to the line: a prefix took the others. */
  readonly pad: number;
  /** It may only continue a paragraph: it lacks the indentation of the list item in which it stands. */
  readonly isLazy: boolean;
}

const TAB_STOP = 4;

/** A line from a position on; the column counts only if tabs follow. */
export const lineFrom = (start: number, end: number, column = 0): Line => ({
  start,
  end,
  column,
  pad: 0,
  isLazy: false,
});

/** The lines between two positions, without line breaks. A line break at the end begins no other line. */
export function linesOf(source: string, start: number, end: number): Line[] {
  const lines: Line[] = [];
  let from = start;
  for (;;) {
    const newline = source.indexOf('\n', from);
    if (newline < 0 || newline >= end) {
      if (from < end || lines.length === 0) lines.push(lineFrom(from, end));
      return lines;
    }
    lines.push(lineFrom(from, newline));
    from = newline + 1;
  }
}

const [TAB, SPACE] = [0x09, 0x20];
/** Whether a character is a blank within a line. */
export const isSpaceAt = (source: string, at: number): boolean => {
  const code = source.charCodeAt(at);
  return code === SPACE || code === TAB;
};

const widthAt = (source: string, at: number, column: number): number =>
  source.charCodeAt(at) === TAB ? TAB_STOP - (column % TAB_STOP) : 1;

/** The start of a line's text, its column, and the columns of its indentation. */
export function indentOf(source: string, line: Line): { at: number; column: number; columns: number } {
  let [at, column] = [line.start, line.column];
  while (at < line.end && isSpaceAt(source, at)) {
    column += widthAt(source, at, column);
    at += 1;
  }
  return { at, column, columns: line.pad + column - line.column };
}

/** Removes up to this many columns of indentation. Of a tab that is removed in part, the rest is `pad`. */
export function withoutIndent(source: string, line: Line, most: number): Line {
  let [at, column] = [line.start, line.column];
  let left = most - line.pad;
  while (left > 0 && at < line.end && isSpaceAt(source, at)) {
    const width = widthAt(source, at, column);
    column += width;
    left -= width;
    at += 1;
  }
  return { start: at, end: line.end, column, pad: Math.max(0, -left), isLazy: line.isLazy };
}

/** What a line of code shows. */
export const codeOf = (source: string, { start, end, pad }: Line): string => ' '.repeat(pad) + source.slice(start, end);

export function isBlank(source: string, { start, end }: Range): boolean {
  let at = start;
  while (at < end && isSpaceAt(source, at)) at += 1;
  return at >= end;
}

/** Trims white space from a range. */
export function trimmed(source: string, range: Range): Range {
  const { start } = trimmedStart(source, range);
  let { end } = range;
  while (end > start && isSpaceAt(source, end - 1)) end -= 1;
  return { start, end };
}

/** Trims white space from the start of a range. */
export function trimmedStart(source: string, { start: from, end }: Range): Range {
  let start = from;
  while (start < end && isSpaceAt(source, start)) start += 1;
  return { start, end };
}
