/** Other names in brackets are text: `[^abc]` is also a regular expression. */
const MARK = /\[\^([1-9]\d{0,2})\]/y;
const NOTE = /^\[\^([1-9]\d{0,2})\]:(?=[ \t])/;

export interface Footnote {
  readonly number: number;
  /** Of the mark. */
  readonly length: number;
}

/** The mark of a footnote at a position of a text. */
export function footnoteMarkAt(text: string, at: number): Footnote | undefined {
  MARK.lastIndex = at;
  const [mark, digits] = MARK.exec(text) ?? [];
  // With a target it is a link.
  return mark === undefined || text[at + mark.length] === '('
    ? undefined
    : { number: Number(digits), length: mark.length };
}

/** The beginning of a footnote, if the line is one. */
export function footnoteOf(line: string): Footnote | undefined {
  const [mark, digits] = NOTE.exec(line) ?? [];
  return mark === undefined ? undefined : { number: Number(digits), length: mark.length };
}
