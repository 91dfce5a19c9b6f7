import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { CodeColors } from './code-colors.ts';
import { contents } from './contents.ts';
import { asMarkdown, Documents, isMarkdown, relativeAddress } from './documents.ts';
import { markdownFile, sourceOf } from './document-source.ts';
import { type RenderedDocument, renderDocument } from './markdown.ts';
import { guidePage, type NavigationSection } from './page.ts';
import { style } from './style.ts';

/** An entry of search.json. */
interface SearchEntry {
  readonly page: string;
  readonly title: string;
  readonly address: string;
  readonly text: string;
}

interface PageEntry {
  readonly title: string;
  readonly address: string;
  readonly summary: string;
}

export interface Site {
  /** The site's files by their addresses. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  /** Links that lead nowhere, as `file: link`; they are shown as text. */
  readonly missing: readonly string[];
}

/** Makes the whole site from the documents below `root`. `api` is the address of the pages of the API. */
export async function makeSite(root: string, api: string): Promise<Site> {
  const documents = new Documents(root);
  const colors = await CodeColors.load();
  const missing: string[] = [];
  const pictures = new Set<string>();
  const found = new Set(documents.start());
  const rendered = new Map<string, RenderedDocument>();

  const addressFrom = (file: string) => (href: string) => {
    const target = documents.target(file, href);
    if (target.kind === 'as written') return href;
    if (target.kind === 'missing') {
      missing.push(`${file}: ${href}`);
      return null;
    }
    (target.kind === 'picture' ? pictures : found).add(target.file);
    const anchor = target.kind === 'file' && target.anchor !== '' ? `#${target.anchor}` : '';
    return relativeAddress(documents.address(file), documents.address(target.file)) + anchor;
  };
  // Rendering a document may find others, which the loop then reaches too.
  for (const file of found)
    rendered.set(file, await renderDocument(sourceOf(documents, file), { colors, address: addressFrom(file) }));

  const navigation: NavigationSection[] = contents.map(({ title, files }) => ({
    title,
    pages: files.flatMap((file) => {
      const document = rendered.get(file);
      return document ? [{ title: document.title, address: documents.address(file) }] : [];
    }),
  }));
  const files = new Map<string, string | Buffer>();
  for (const [file, { title, body, headings }] of rendered) {
    const address = documents.address(file);
    files.set(address, guidePage({ title, address, body, headings }, navigation, api));
    if (isMarkdown(file)) files.set(asMarkdown(address), markdownFile(documents, file));
  }
  for (const picture of pictures) files.set(documents.address(picture), readFileSync(join(root, picture)));
  files.set('style.css', style);
  files.set('search.js', stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'browser/search.ts'), 'utf8')));
  files.set('search.json', JSON.stringify(searchIndex(documents, rendered)));
  files.set(
    'pages.json',
    JSON.stringify(
      contents.map(({ title, files }) => ({
        title,
        pages: files.flatMap((file) => pageEntry(documents, file, rendered.get(file))),
      })),
    ),
  );
  return { files, missing };
}

/** The text below every heading, with the address of the heading. The navigation's pages come first. */
function searchIndex(documents: Documents, rendered: ReadonlyMap<string, RenderedDocument>): SearchEntry[] {
  const first = contents.flatMap(({ files }) => files);
  return [...new Set([...first, ...rendered.keys()])].flatMap((file) => {
    const document = rendered.get(file);
    if (!document) return [];
    return document.passages.map(({ heading, text }) => ({
      page: document.title,
      title: heading.text,
      address: heading.level === 1 ? documents.address(file) : `${documents.address(file)}#${heading.id}`,
      text,
    }));
  });
}

/** For /llms.txt (API-9). */
const pageEntry = (documents: Documents, file: string, document: RenderedDocument | undefined): PageEntry[] =>
  document ? [{ title: document.title, address: asMarkdown(documents.address(file)), summary: document.summary }] : [];
