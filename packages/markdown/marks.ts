// The parts of a source that are not shown. The parser reports each of them, so that a test can check that everything
// else is shown as text.

export type MarkKind =
  /** `*`, `_`, `**`, `__`, `~~`, in pairs. */
  | 'emphasis'
  /** Backticks around code, in pairs. */
  | 'code span'
  /** A backslash before punctuation or a line end. */
  | 'escape'
  /** `&amp;`: it is shown as the character that it names. */
  | 'entity'
  /** `[` or `![`. */
  | 'link open'
  /** `](target)`, optionally with a title. */
  | 'link target'
  /** `<` or `>` around an address. */
  | 'autolink'
  | 'fence'
  | 'heading'
  | 'rule'
  | 'quote'
  | 'list marker'
  /** `[^`, `]` or `]:` around a footnote's number. */
  | 'footnote'
  | 'task'
  | 'table bar'
  | 'table rule'
  /** A registered tag, or its end. */
  | 'tag';

export interface Mark {
  readonly kind: MarkKind;
  readonly start: number;
  readonly end: number;
  /** What is shown in its place; nothing unless given. */
  readonly shown?: string | undefined;
}

/** Called for each mark with its position in the source. */
export type MarkListener = (mark: Mark) => void;
