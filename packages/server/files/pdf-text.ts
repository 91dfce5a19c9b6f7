// Runs in the inspecting process only: the text of a PDF, read by pdf.js without anything that draws.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import type { PdfText } from './inspector.ts';
import { textsOfAnnotations } from './pdf-annotations.ts';
import { textOfPieces } from './pdf-lines.ts';

/** How long pages are read; the pages read until then count. */
const READ_MS = 4_000;

export interface PdfBounds {
  pages: number;
  characters: number;
  /** Pages are separated by a form feed, which stands nowhere else; otherwise by an empty line. */
  isPaged?: boolean | undefined;
}

/** The folders of a package in which pdf.js finds the tables of characters and fonts that a PDF only names. */
const folders: Readonly<Record<string, string>> = { cMapUrl: 'cmaps', standardFontDataUrl: 'standard_fonts' };

/** Gives pdf.js these tables: by itself it would fetch them, which the inspecting process cannot. */
class Tables {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const folder = folders[kind];
    if (folder === undefined) throw new Error(`there is no ${kind}`);
    const home = new URL(`${folder}/`, import.meta.resolve('pdfjs-dist/package.json'));
    return new Uint8Array(await readFile(fileURLToPath(new URL(basename(filename), home))));
  }
}

/** Opens a PDF with everything that it may only name. */
export async function openPdf(bytes: Buffer, options: object = {}): Promise<PDFDocumentProxy> {
  // Loaded for the first PDF: it takes 100 ms, and most processes inspect photos only.
  const { getDocumentProxy } = await import('unpdf');
  return getDocumentProxy(new Uint8Array(bytes), {
    disableFontFace: true,
    verbosity: 0,
    BinaryDataFactory: Tables,
    // The folders are those of `Tables`; pdf.js asks for nothing without them.
    cMapUrl: '/',
    standardFontDataUrl: '/',
    cMapPacked: true,
    ...options,
  });
}

/** Reads pages from the first one until a bound is reached. A PDF that needs a password is `isLocked`. */
export async function readPdf(bytes: Buffer, bounds: PdfBounds): Promise<{ text: string; found: PdfText }> {
  const endsAt = performance.now() + READ_MS;
  let pdf;
  try {
    pdf = await openPdf(bytes);
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      return { text: '', found: { pages: 0, pagesRead: 0, isLocked: true } };
    throw error;
  }
  const texts: string[] = [];
  let left = bounds.characters;
  let damaged = 0;
  const mayHaveAnnotations = bytes.includes('/Annots') || bytes.includes('/ObjStm');
  const pages = Math.min(pdf.numPages, bounds.pages);
  // One page is read in any case: opening the file may have taken all the time.
  while (texts.length < pages && left > 0 && (texts.length === 0 || performance.now() < endsAt)) {
    const text =
      (await textOfPage(pdf, texts.length + 1, mayHaveAnnotations).catch(() => void (damaged += 1)))?.slice(0, left) ??
      '';
    texts.push(text);
    left -= text.length + 2;
  }
  if (damaged > 0 && damaged === texts.length) throw new Error('no page can be read');
  const text = bounds.isPaged ? texts.map((page) => page.replaceAll('\f', '\n')).join('\f') : texts.join('\n\n').trim();
  const pagesRead = texts.length - damaged;
  return { text: text.toWellFormed(), found: { pages: pdf.numPages, pagesRead, isLocked: false } };
}

/** Reading annotations takes as long as reading a short page, so it is left out where the file cannot have any. */
async function textOfPage(pdf: PDFDocumentProxy, number: number, mayHaveAnnotations: boolean): Promise<string> {
  const page = await pdf.getPage(number);
  const [{ items }, annotations] = await Promise.all([
    page.getTextContent(),
    // Damaged annotations do not keep the text from being read.
    mayHaveAnnotations ? page.getAnnotations().catch(() => []) : [],
  ]);
  page.cleanup();
  const pieces = items.filter((item) => 'str' in item);
  return [textOfPieces(pieces), ...textsOfAnnotations(annotations)].filter((text) => text !== '').join('\n');
}
