import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { GuideSection } from '@parley/server/transport/guide.ts';
import { CodeColors } from './code-colors.ts';
import { contents } from './contents.ts';
import { markdownFile, sourceOf } from './document-source.ts';
import { asMarkdown, Documents, isMarkdown, relativeAddress } from './documents.ts';
import { type RenderedDocument, renderDocument } from './markdown.ts';
import { guidePage } from './page.ts';
import { apiEntries, searchIndex } from './search-index.ts';
import { style } from './style.ts';

export interface Site {
  /** The site's files by their addresses. */
  readonly files: ReadonlyMap<string, string | Buffer>;
}

/** Links of documents, as `file: link`, lead to files that do not exist. */
export class DeadLinkError extends Error {
  constructor(links: readonly string[]) {
    super(`these links lead nowhere:\n${links.join('\n')}`);
    this.name = 'DeadLinkError';
  }
}

interface Rendering {
  readonly documents: ReadonlyMap<string, RenderedDocument>;
  /** The files of pictures that documents show. */
  readonly pictures: ReadonlySet<string>;
}

/**
 * Makes the whole site from the documents below `root`; throws a DeadLinkError if a link of one leads nowhere. `api` is the
 * address of the pages of the API.
 */
export async function makeSite(root: string, api: string): Promise<Site> {
  const repository = new Documents(root);
  const { documents, pictures } = await renderAll(repository);
  const sections: readonly GuideSection[] = contents.map(({ title, entries }) => ({
    title,
    pages: entries.flatMap(({ file, title: shown }) => {
      const document = documents.get(file);
      if (!document) return [];
      return [{ title: shown ?? document.title, address: repository.address(file), summary: document.summary }];
    }),
  }));
  const files = new Map<string, string | Buffer>();
  for (const [file, { title, body, headings }] of documents) {
    const address = repository.address(file);
    if (files.has(address)) throw new Error(`${file} would replace another page at ${address}`);
    files.set(address, guidePage({ title, address, body, headings }, sections, api));
    if (isMarkdown(file)) files.set(asMarkdown(address), markdownFile(repository, file));
  }
  for (const picture of pictures) files.set(repository.address(picture), readFileSync(join(root, picture)));
  files.set('style.css', style);
  for (const name of ['copy', 'search']) files.set(`${name}.js`, browserScript(name));
  files.set('search.json', JSON.stringify([...searchIndex(repository, documents), ...apiEntries(api)]));
  // For /llms.txt, which names the pages as Markdown (API-9).
  const pages: readonly GuideSection[] = sections.map((section) => ({
    ...section,
    pages: section.pages.map((page) => ({ ...page, address: asMarkdown(page.address) })),
  }));
  files.set('pages.json', JSON.stringify(pages));
  return { files };
}

const browserScript = (name: string): string =>
  stripTypeScriptTypes(readFileSync(join(import.meta.dirname, `browser/${name}.ts`), 'utf8'));

/** Renders the documents of the contents, those in docs/, and every file to which one of them links. */
async function renderAll(repository: Documents): Promise<Rendering> {
  const colors = await CodeColors.load();
  const missing: string[] = [];
  const pictures = new Set<string>();
  const documents = new Map<string, RenderedDocument>();
  const shown = contents.flatMap(({ entries }) => entries.map(({ file }) => file));
  const found = new Set([...shown.filter((file) => repository.has(file)), ...repository.documents()]);
  // Rendering a document may find others, which the loop then reaches too.
  for (const file of found) {
    const address = (href: string): string | null => {
      const target = repository.target(file, href);
      if (target.kind === 'as written') return href;
      if (target.kind === 'missing') {
        missing.push(`${file}: ${href}`);
        return null;
      }
      (target.kind === 'picture' ? pictures : found).add(target.file);
      const to = relativeAddress(repository.address(file), repository.address(target.file));
      return target.kind === 'file' ? to + target.anchor : to;
    };
    documents.set(file, await renderDocument(sourceOf(repository, file), { colors, address }));
  }
  if (missing.length > 0) throw new DeadLinkError(missing);
  return { documents, pictures };
}
