// Formatting the composer's text, which is Markdown: the keys and the bar, what they write, and what pasted rich text
// becomes. The keys and new lines are in the first script; everything else loads when it is first used. May import: the
// rooms below composer.

/** What a text field holds, with its selection. */
export interface Written {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A change of a text field: `text` replaces what is between `from` and `to`, then `start` to `end` is selected. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Replaces the selection, and puts the caret behind the new text. */
export function pasted(text: string, { start, end }: Written): Edit {
  const caret = start + text.length;
  return { from: start, to: end, text, start: caret, end: caret };
}
