import { limits } from '@parley/protocol';
import { snippetOf, type Steps } from '../../rules/search-snippet.ts';
import { searchedText } from '../../store/messages.ts';
import { isHeld } from '../held.ts';
import type { Found, Hit, SearchRequest } from '../message-search.ts';
import type { SearchBounds } from './bounds.ts';

/** A page of hits, filled row by row from the newest message; used with both stores (SEARCH-12). */
export class FoundPage {
  readonly #request: Pick<SearchRequest, 'query' | 'has' | 'limit'>;
  readonly #bounds: SearchBounds;
  readonly #hits: Hit[] = [];
  #bytes = 0;
  #lookedAt = 0;
  #bytesRead = 0;
  readonly #steps: Steps = { count: 0 };

  constructor(request: Pick<SearchRequest, 'query' | 'has' | 'limit'>, bounds: SearchBounds) {
    this.#request = request;
    this.#bounds = bounds;
  }

  /** Adds the message if it matches; once the page is full, returns the key before which the next page begins. */
  add(key: number, record: string | undefined): number | undefined {
    const { query, has, limit } = this.#request;
    const snippet = record === undefined ? undefined : snippetOf(searchedText(record), query, this.#steps);
    if (record !== undefined && snippet !== undefined && isHeld(record, has)) {
      const { length } = this.#hits;
      // One hit beyond the limit is needed to know that there is another page.
      if (length === limit || (length > 0 && this.#bytes + record.length > limits.pageBytes))
        return this.#hits.at(-1)?.key;
      this.#hits.push({ key, record, snippet });
      this.#bytes += record.length;
    }
    this.#lookedAt += 1;
    this.#bytesRead += record?.length ?? 0;
    const { lookedAt, bytes, steps } = this.#bounds;
    const isSpent = this.#lookedAt >= lookedAt || this.#bytesRead > bytes || this.#steps.count > steps;
    return isSpent ? key : undefined;
  }

  /** `next` is the key before which the next page begins; null if there is none. */
  until(next: number | null): Found {
    return { hits: this.#hits, next };
  }
}
