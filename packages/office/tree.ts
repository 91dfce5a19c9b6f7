/** What is read of a file, at most. */
export interface OfficeBounds {
  /** Of all texts together, in UTF-16 code units. */
  readonly characters: number;
  /** Of each sheet. */
  readonly rows: number;
  readonly columns: number;
}

/** A text with one look. */
export interface Span {
  readonly text: string;
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
  /** As the file has it, which may be anything. */
  readonly href?: string;
}

/** 0 is the outermost list. */
export interface ListPlace {
  readonly level: number;
  /** Of an item in a list with numbers. */
  readonly number?: number;
}

export interface Paragraph {
  readonly type: 'paragraph';
  readonly spans: readonly Span[];
  /** 1 to 6. */
  readonly heading?: number;
  readonly list?: ListPlace;
}

/** Rows of cells. The paragraphs of a cell are separated by line breaks. */
export interface Table {
  readonly type: 'table';
  readonly rows: readonly (readonly (readonly Span[])[])[];
}

export type Block = Paragraph | Table;

/** All of a text, or one slide. */
export interface Page {
  readonly type: 'text' | 'slide';
  readonly blocks: readonly Block[];
}

export interface Row {
  /** The first row of a sheet has 1. Empty rows are left out. */
  readonly number: number;
  readonly cells: readonly string[];
}

export interface Sheet {
  readonly type: 'sheet';
  readonly name: string;
  readonly rows: readonly Row[];
  /** The sheet has more rows, columns or text. */
  readonly isCut: boolean;
}

export interface OfficeDocument {
  /** One text, or slides, or sheets, as the file orders them. */
  readonly parts: readonly (Page | Sheet)[];
  /** The file has more parts, or more text in its pages. */
  readonly isCut: boolean;
}
