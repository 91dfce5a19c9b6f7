/** The colours of code: classes of code-block.module.css. The index is what the worker sends. */
export const colorNames = ['plain', 'comment', 'string', 'constant', 'keyword', 'function', 'type'] as const;

/** A line as lengths in UTF-16 code units, each with the index of its colour: `[3, 4, 1, 0]`. */
export type LineColors = readonly number[];

export interface ColorRequest {
  /** Of the code block. */
  readonly block: number;
  readonly language: string;
  /** How many lines of the last request stay as they were. */
  readonly kept: number;
  /** The lines after them. */
  readonly lines: readonly string[];
}

/** The block is not shown any more. */
export interface BlockGone {
  readonly gone: number;
}

export interface ColorReply {
  readonly block: number;
  readonly from: number;
  readonly colors: readonly LineColors[];
  /** Whether the request is finished; a long one is answered in pieces, and first with none, once the grammar is loaded. */
  readonly isDone: boolean;
}
