import { readFile } from 'node:fs/promises';
import { decodedText, officeKind, cleanText } from '@parley/office';
import { idText } from '../core/ids.ts';
import type { FileRow } from '../store/files.ts';
import { base64Of } from './base64.ts';
import { ANY_TYPE } from './content-types.ts';
import type { Inspector, Work } from './inspector.ts';
import type { Spool } from './spool.ts';
import type { FileStorage } from './storage.ts';
import { bytesOf } from './stored-files.ts';

/** What was read of a file, for a model or for the search, or why it cannot. Binary data is base64 in ASCII. */
export type Reading =
  | { type: 'image'; data: Buffer; bytes: number; width: number; height: number }
  | { type: 'pdf'; text: string; pages: number; pagesRead: number }
  | { type: 'text'; text: string; isWhole: boolean }
  | { type: 'unreadable'; why: 'missing' | 'damaged' | 'locked' | 'too_large' | 'unknown_type' };

export interface Forms {
  /** Maximum of the longest side of an image. */
  px: number;
  /** Maximum UTF-16 code units of a text. */
  characters: number;
  /** Maximum pages read of a PDF. */
  pages: number;
  /** The pages of a PDF are separated by a form feed. */
  isPaged?: boolean;
}

/** Maximum size of a photo or PDF that is copied to the local disk to be read. */
const MAX_COPIED_BYTES = 64 * 1024 * 1024;
/** Maximum size of a PDF or an office file: its reader needs it in memory as a whole. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
/** Maximum bytes of one UTF-16 code unit in UTF-8. */
const BYTES_PER_UNIT = 3;

const unreadable = (why: (Reading & { type: 'unreadable' })['why']): Reading => ({ type: 'unreadable', why });

/** Whether a file is read by the inspecting process, which reads one file at a time. */
export const isInspected = ({ kind, mime_type: type, name }: FileRow): boolean =>
  kind === 'photo' || type === 'application/pdf' || officeKind(type, name) !== null;

/** Whether a file may contain text that can be read. Of unknown content its beginning decides, when it is read. */
export const mayHaveText = ({ kind, mime_type: type, name }: Pick<FileRow, 'kind' | 'mime_type' | 'name'>): boolean =>
  kind === 'file' &&
  (type === 'application/pdf' || type === 'text/plain' || type === ANY_TYPE || officeKind(type, name) !== null);

export interface ReaderNeeds {
  storage: FileStorage;
  spool: Spool;
  inspector: Inspector;
}

/**
 * Reads files: photos scaled, PDFs, office files and text files as text. Whether a reader may see the file is checked by
 * the caller, each time.
 */
export class FileReader {
  readonly #needs: ReaderNeeds;

  constructor(needs: ReaderNeeds) {
    this.#needs = needs;
  }

  /** Throws if the storage is not available at the moment. */
  read(file: FileRow, forms: Forms, ownerKey: number): Promise<Reading> {
    if (file.kind === 'photo') return this.#image(file, forms.px, ownerKey);
    if (file.mime_type === 'application/pdf') return this.#pdf(file, forms, ownerKey);
    if (officeKind(file.mime_type, file.name) !== null) return this.#office(file, forms.characters, ownerKey);
    return this.#text(file, forms.characters);
  }

  async #image(file: FileRow, px: number, ownerKey: number): Promise<Reading> {
    if (file.size > MAX_COPIED_BYTES) return unreadable('too_large');
    const copy = await this.#copy(file, { type: 'scaled', px }, ownerKey);
    if (!copy) return unreadable('missing');
    const { found, bytes } = copy;
    if (!found?.photo) return unreadable('damaged');
    const { width, height } = found.photo;
    return { type: 'image', data: await base64Of([bytes]), bytes: bytes.length, width, height };
  }

  async #pdf(file: FileRow, { pages, characters, isPaged }: Forms, ownerKey: number): Promise<Reading> {
    if (file.size > MAX_DOCUMENT_BYTES) return unreadable('too_large');
    const copy = await this.#copy(file, { type: 'pdf', pages, characters, isPaged }, ownerKey);
    if (!copy) return unreadable('missing');
    const { found, bytes } = copy;
    if (!found?.text) return unreadable('damaged');
    if (found.text.isLocked) return unreadable('locked');
    const text = isPaged ? decoded(bytes).split('\f').map(cleanText).join('\f') : cleanText(decoded(bytes));
    return { type: 'pdf', text, pages: found.text.pages, pagesRead: found.text.pagesRead };
  }

  async #office(file: FileRow, characters: number, ownerKey: number): Promise<Reading> {
    if (file.size > MAX_DOCUMENT_BYTES) return unreadable('too_large');
    const copy = await this.#copy(file, { type: 'office', characters }, ownerKey);
    if (!copy) return unreadable('missing');
    const { found, bytes } = copy;
    if (!found?.office) return unreadable('damaged');
    if (found.office.isLocked) return unreadable('locked');
    return { type: 'text', text: cleanText(decoded(bytes)), isWhole: found.office.isWhole };
  }

  /** Lets the inspecting process make a copy. Null if the bytes are missing; `found` is null if that failed. */
  async #copy(file: FileRow, work: Exclude<Work, { type: 'look' | 'draw' }>, ownerKey: number) {
    const { storage, spool, inspector } = this.#needs;
    const path = spool.newPath();
    const to = `${path}-copy`;
    try {
      const source = await storage.read(bytesOf(idText(file.id)));
      if (!source) return null;
      await spool.receive(source, path, file.size);
      const found = await inspector.copy(path, to, work, ownerKey);
      return { found, bytes: found?.photo || found?.text || found?.office ? await readFile(to) : Buffer.alloc(0) };
    } finally {
      await spool.drop(path, to);
    }
  }

  async #text(file: FileRow, characters: number): Promise<Reading> {
    const last = Math.min(file.size, characters * BYTES_PER_UNIT) - 1;
    if (last < 0) return { type: 'text', text: '', isWhole: true };
    const source = await this.#needs.storage.read(bytesOf(idText(file.id)), { first: 0, last });
    if (!source) return unreadable('missing');
    const pieces: Buffer[] = [];
    for await (const piece of source) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    // The content decides, because stored types omit those that browsers would execute, such as SVG.
    const text = decodedText(bytes);
    if (text === null) return unreadable('unknown_type');
    const cut = text.slice(0, characters).toWellFormed();
    return { type: 'text', text: cut, isWhole: cut.length === text.length && bytes.length === file.size };
  }
}

/** What the inspecting process wrote is in UTF-8. */
const decoded = (bytes: Buffer): string => new TextDecoder().decode(bytes);
