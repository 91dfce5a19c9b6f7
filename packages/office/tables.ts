import type { OfficeBounds, Span, Table } from './tree.ts';
import type { Element } from './xml.ts';

/** A table whose rows are still added. */
export interface OpenTable extends Table {
  readonly rows: (readonly Span[])[][];
}

/** Adds rows to the tables of a text or of slides, up to the rows and columns of a sheet. */
export class Tables {
  readonly #bounds: OfficeBounds;
  /** Whether a table had more rows or columns. */
  isCut = false;

  constructor(bounds: OfficeBounds) {
    this.#bounds = bounds;
  }

  addRow(table: OpenTable, cells: readonly Element[], textOf: (cell: Element) => readonly Span[]): void {
    this.#add(table, cells, textOf);
  }

  /** Returns false if the table had no room for the row. */
  addTexts(table: OpenTable, texts: readonly string[]): boolean {
    return this.#add(table, texts, (text) => (text === '' ? [] : [{ text }]));
  }

  #add<Cell>({ rows }: OpenTable, cells: readonly Cell[], textOf: (cell: Cell) => readonly Span[]): boolean {
    const hasRoom = rows.length < this.#bounds.rows;
    this.isCut ||= !hasRoom || cells.length > this.#bounds.columns;
    if (hasRoom) rows.push(cells.slice(0, this.#bounds.columns).map(textOf));
    return hasRoom;
  }
}
