import { operationNames, operations } from '@parley/protocol';
import type { Documents } from './documents.ts';
import type { RenderedDocument } from './markdown.ts';

/** An entry of search.json, which browser/search.ts reads. */
interface SearchEntry {
  /** The page's title. */
  readonly page: string;
  /** The heading. */
  readonly title: string;
  readonly address: string;
  readonly text: string;
}

/** The text below every heading. Of results that fit equally well, the search shows the first ones. */
export const searchIndex = (repository: Documents, documents: ReadonlyMap<string, RenderedDocument>): SearchEntry[] =>
  [...documents].flatMap(([file, { title, passages }]) =>
    passages.map(({ heading, text }) => ({
      page: title,
      title: heading.text,
      address: heading.level === 1 ? repository.address(file) : `${repository.address(file)}#${heading.id}`,
      text,
    })),
  );

/** The operations, on the page of the API at `api`. */
export const apiEntries = (api: string): SearchEntry[] =>
  operationNames.map((name) => ({
    page: 'API reference',
    title: name,
    address: `${api}#${name}`,
    text: operations[name].summary,
  }));
