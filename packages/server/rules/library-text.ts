// What the library of an agent keeps of a file or a page: its passages, and the index of their words.
import { wordsIndex } from './passage-index.ts';
import { sectionsOfPage } from './page-sections.ts';
import { decoderOf } from './page-text.ts';
import { PAGE_END, pagesIn, type Passage, passagesOf, sectionsIn, type Section } from './passages.ts';

/** Maximum UTF-16 units of the text of a source, and pages of a document (KNOW-3). */
export const SOURCE_CHARACTERS = 500_000;
export const SOURCE_PAGES = 500;

/** A text as a file has it. */
export interface FileText {
  text: string;
  /** Its pages are separated by PAGE_END. */
  isPaged: boolean;
  /** Its headings are those of Markdown. */
  hasHeadings: boolean;
}

/** A page as a server sent it. */
export interface WholePage {
  contentType: string;
  bytes: Uint8Array;
}

export interface LibraryText {
  /** Of a page, in one line. */
  title?: string | undefined;
  /** JSON of the passages. */
  passages: string;
  words: string;
  isCut: boolean;
}

/** A text, or that no word stands in it. */
export type LibraryReading = LibraryText | { failure: 'no_text' };

export function libraryTextOfFile({ text, isPaged, hasHeadings }: FileText): LibraryReading {
  if (isPaged && text.includes(PAGE_END)) return kept(pagesIn(text), false);
  return kept(hasHeadings ? sectionsIn(text) : [{ ...(isPaged && { page: 1 }), text }], false);
}

export function libraryTextOfPage({ contentType, bytes }: WholePage): LibraryReading {
  const text = decoderOf(contentType, bytes).decode(bytes);
  if (!/^(?:text\/html|application\/xhtml\+xml)/i.test(contentType)) {
    const cut = text.slice(0, SOURCE_CHARACTERS);
    return kept(/^text\/markdown/i.test(contentType) ? sectionsIn(cut) : [{ text: cut }], cut.length < text.length);
  }
  const { title, sections, isCut } = sectionsOfPage(text, SOURCE_CHARACTERS);
  const found = kept(sections, isCut);
  return 'failure' in found ? found : { ...found, title };
}

function kept(sections: Iterable<Section>, isCut: boolean): LibraryReading {
  const passages = passagesOf(sections);
  const words = wordsIndex(passages);
  // A line of lengths alone has no word.
  if (words.indexOf('\n') === words.length - 1) return { failure: 'no_text' };
  return { passages: JSON.stringify(passages), words, isCut };
}

/** The passages as they are kept. */
export const passagesIn = (json: string): Passage[] => JSON.parse(json) as Passage[]; // written by `kept`
