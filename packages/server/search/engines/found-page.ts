import { limits } from '@parley/protocol/limits';
import { fileSnippetOf } from '../../rules/file-snippet.ts';
import { snippetOf, type Steps } from '../../rules/search-snippet.ts';
import { searchedText } from '../../store/messages.ts';
import { isHeld, type SearchedFile } from '../held.ts';
import type { Found, Hit, SearchRequest } from '../message-search.ts';
import type { SearchBounds } from './bounds.ts';

type Match = Pick<Hit, 'snippet' | 'fileId'>;

/** A page of hits, filled row by row from the newest message; used with both stores (SEARCH-12). */
export class FoundPage {
  readonly #request: Pick<SearchRequest, 'query' | 'typed' | 'has' | 'limit'>;
  readonly #bounds: SearchBounds;
  readonly #hits: Hit[] = [];
  #bytes = 0;
  #lookedAt = 0;
  #bytesRead = 0;
  #characters = 0;
  readonly #steps: Steps = { count: 0 };

  constructor(request: Pick<SearchRequest, 'query' | 'typed' | 'has' | 'limit'>, bounds: SearchBounds) {
    this.#request = request;
    this.#bounds = bounds;
  }

  /** The snippet of a message whose own text matches the query, if the message holds what the search is for. */
  match(record: string): Match | undefined {
    const { query, typed, has } = this.#request;
    if (!isHeld(record, has)) return undefined;
    const text = searchedText(record);
    const snippet = snippetOf(text, query, this.#steps);
    if (snippet === undefined || (typed && snippetOf(text, typed, this.#steps) !== undefined)) return undefined;
    return { snippet };
  }

  /** The places at which a message that does not match itself has files to examine. */
  placesIn(record: string, places: readonly number[] = []): readonly number[] {
    return places.length > 0 && isHeld(record, this.#request.has) ? places : [];
  }

  /** The snippet of a file that matches the query (SEARCH-20). */
  matchFile({ id, name }: SearchedFile, text: string): Match | undefined {
    this.#characters += text.length;
    const snippet = fileSnippetOf({ name, text }, this.#request.query, this.#steps);
    return snippet === undefined ? undefined : { snippet, fileId: id };
  }

  /** Adds the message if it matches; once the page is full, returns the key before which the next page begins. */
  add(key: number, record: string | undefined, match: Match | undefined): number | undefined {
    const { limit } = this.#request;
    if (record !== undefined && match !== undefined) {
      const { length } = this.#hits;
      // One hit beyond the limit is needed to know that there is another page.
      if (length === limit || (length > 0 && this.#bytes + record.length > limits.pageBytes))
        return this.#hits.at(-1)?.key;
      this.#hits.push({ key, record, ...match });
      this.#bytes += record.length;
    }
    this.#lookedAt += 1;
    this.#bytesRead += record?.length ?? 0;
    const { lookedAt, bytes, steps, fileCharacters } = this.#bounds;
    const isSpent =
      this.#lookedAt >= lookedAt ||
      this.#bytesRead > bytes ||
      this.#steps.count > steps ||
      this.#characters > fileCharacters;
    return isSpent ? key : undefined;
  }

  /** `next` is the key before which the next page begins; null if there is none. */
  until(next: number | null): Found {
    return { hits: this.#hits, next };
  }
}
