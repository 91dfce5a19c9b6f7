// What of a source is not shown. Each mark that goes is told, so that a test can hold all of them against the source:
// what is no mark is text, and is shown.

export type MarkKind =
  /** `*`, `_`, `**`, `__`, `~~`, in pairs. */
  | 'emphasis'
  /** Backticks around code, in pairs. */
  | 'code span'
  /** A backslash before punctuation. */
  | 'escape'
  /** `[` or `![`. */
  | 'link open'
  /** `](target)`, maybe with a title. */
  | 'link target'
  /** `<` or `>` around an address. */
  | 'autolink'
  | 'fence'
  | 'heading'
  | 'rule'
  | 'quote'
  | 'list marker'
  | 'task'
  | 'table bar'
  | 'table rule'
  /** A registered tag, or its end. */
  | 'tag';

export interface Mark {
  readonly kind: MarkKind;
  readonly start: number;
  readonly end: number;
}

/** Told of each mark, by its place in the source. */
export type MarkListener = (mark: Mark) => void;
