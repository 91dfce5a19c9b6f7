/** Limits of what the reader takes from a file. */
export interface OfficeBounds {
  /** Maximum UTF-16 code units of all texts together. */
  readonly characters: number;
  /** Maximum rows and columns of each sheet, and of each table in a text or on a slide. */
  readonly rows: number;
  readonly columns: number;
}

/** A run of text with the same format. */
export interface Span {
  readonly text: string;
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
  /** The address as the file has it: untrusted, of any scheme. */
  readonly href?: string;
}

/** 0 is the outermost list. */
export interface ListPlace {
  readonly level: number;
  /** Of an item in a list with numbers that are shown as `1.`, `2.` … */
  readonly number?: number;
  /** How the file shows the number of an item in any other way, such as `a)` or `1.2`. */
  readonly label?: string;
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

/** An `object` is what stands on or beside a page or a sheet: a chart, a diagram, a text box, or a file inside the file. */
export type AsideKind = 'header' | 'footer' | 'footnote' | 'endnote' | 'comment' | 'notes' | 'object';

/** Text that does not stand in the main text. */
export interface Aside {
  readonly kind: AsideKind;
  /** The mark of a note, which is in the text as `[mark]`, or the cell of a comment. */
  readonly label?: string;
  /** Who wrote a comment. */
  readonly author?: string;
  readonly blocks: readonly Block[];
}

/** All of a text, or one slide. */
export interface Page {
  readonly type: 'text' | 'slide';
  readonly blocks: readonly Block[];
  readonly asides: readonly Aside[];
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
  readonly asides: readonly Aside[];
  /** The reader left out rows, columns or text. */
  readonly isCut: boolean;
}

export interface OfficeDocument {
  /** One text, or slides, or sheets, as the file orders them. */
  readonly parts: readonly (Page | Sheet)[];
  /** The reader left out parts, or text, rows or columns of its pages. */
  readonly isCut: boolean;
}
