// Reads the words, headings, lists, tables, cells and slides of office files, without their layout, and decodes texts. The app's viewer
// shows them, and the service sends them to models. Pure functions of bytes: they do no I/O, and neither run nor load
// anything in a file.

export { officeKind, type OfficeKind } from './kinds.ts';
export { OfficeFailure } from './failure.ts';
export { ownPicture } from './own-picture.ts';
export { readOffice } from './read.ts';
export { decodedText, cleanText, TEXT_START_BYTES, textEncodingOf } from './plain-text.ts';
export { textOf } from './text-of.ts';
export type {
  Aside,
  AsideKind,
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
