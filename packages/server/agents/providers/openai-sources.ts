import { isObject, listIn, textIn } from '../../rules/json-values.ts';
import type { ProviderEvent } from './provider.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields with lists of pages that the vendor has found: of a chunk, its choice or its delta. */
const listFields = ['search_results', 'citations', 'web_search'];

/** Reads the pages that a reply is based on, from the forms of several vendors (PART-17). */
export class OpenaiSources {
  /** Vendors repeat the list with every chunk. A page that was an address alone may come again with its title. */
  readonly #known = new Map<string, boolean>();

  *read(data: Fields, choice: Fields, delta: Fields): Generator<ProviderEvent> {
    for (const annotation of listIn(delta['annotations'])) yield* cited(annotation);
    for (const holder of [data, choice, delta])
      for (const field of listFields) for (const item of listIn(holder[field])) yield* this.#found(item);
  }

  *#found(item: unknown): Generator<ProviderEvent> {
    const page = isObject(item) ? item : { url: item };
    const url = textIn(page['url']) || textIn(page['link']);
    const title = textIn(page['title']) || textIn(page['name']);
    if (url === '' || this.#known.get(url) === true || (this.#known.has(url) && title === '')) return;
    this.#known.set(url, title !== '');
    const excerpt = textIn(page['snippet']) || textIn(page['content']);
    yield { type: 'source', url, title: title || undefined, excerpt: excerpt || undefined };
  }
}

/** A page that the text cites, in OpenAI's form. */
function* cited(annotation: unknown): Generator<ProviderEvent> {
  const page = isObject(annotation) && annotation['type'] === 'url_citation' ? annotation['url_citation'] : undefined;
  if (!isObject(page) || typeof page['url'] !== 'string') return;
  const { url } = page;
  const title = textIn(page['title']) || undefined;
  yield { type: 'source', url, title, excerpt: textIn(page['content']) || undefined, isCited: true };
}
