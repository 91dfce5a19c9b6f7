// Runs in the inspecting process only: the text of a PDF, read by pdf.js without anything that draws.
import type { PdfText } from './inspector.ts';

/** How long pages are read; the pages read until then count. */
const READ_MS = 4_000;

const textOfItems = (items: readonly object[]): string =>
  items
    .map((item) => ('str' in item ? `${String(item.str)}${'hasEOL' in item && item.hasEOL ? '\n' : ''}` : ''))
    .join('');

export interface PdfBounds {
  pages: number;
  characters: number;
}

/** Reads pages from the first one until a bound is reached. A PDF that needs a password is `isLocked`. */
export async function readPdf(bytes: Uint8Array, bounds: PdfBounds): Promise<{ text: string; found: PdfText }> {
  // Loaded for the first PDF: it takes 100 ms, and most processes inspect photos only.
  const { getDocumentProxy } = await import('unpdf');
  const endsAt = performance.now() + READ_MS;
  let pdf;
  try {
    pdf = await getDocumentProxy(new Uint8Array(bytes), { disableFontFace: true, verbosity: 0 });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      return { text: '', found: { pages: 0, pagesRead: 0, isLocked: true } };
    throw error;
  }
  const texts: string[] = [];
  let left = bounds.characters;
  while (texts.length < Math.min(pdf.numPages, bounds.pages) && left > 0 && performance.now() < endsAt) {
    const page = await pdf.getPage(texts.length + 1);
    const text = textOfItems((await page.getTextContent()).items)
      .trim()
      .slice(0, left);
    page.cleanup();
    texts.push(text);
    left -= text.length + 2;
  }
  const text = texts.join('\n\n').trim();
  return { text: text.toWellFormed(), found: { pages: pdf.numPages, pagesRead: texts.length, isLocked: false } };
}
