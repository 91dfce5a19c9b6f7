// What stands in the files of office programs: words, headings, lists, tables, cells and slides, without looks. The app
// shows it, models read it. Pure functions of bytes: no I/O, nothing that a file contains runs or is loaded.

export { officeKind, type OfficeKind } from './kinds.ts';
export { OfficeFailure } from './failure.ts';
export { readOffice } from './read.ts';
export { textOf } from './text-of.ts';
export type {
  Block,
  ListPlace,
  OfficeBounds,
  OfficeDocument,
  Page,
  Paragraph,
  Row,
  Sheet,
  Span,
  Table,
} from './tree.ts';
