import { limits } from '@parley/protocol';
import { snippetOf, type Steps } from '../../rules/search-snippet.ts';
import { contentOf } from '../../store/messages.ts';
import type { Found, Hit, SearchRequest } from '../message-search.ts';
import type { SearchBounds } from './bounds.ts';

/** A page of hits, filled row by row from the newest on, whatever the store (SEARCH-12). */
export class FoundPage {
  readonly #request: Pick<SearchRequest, 'query' | 'limit'>;
  readonly #bounds: SearchBounds;
  readonly #hits: Hit[] = [];
  #bytes = 0;
  #lookedAt = 0;
  #bytesRead = 0;
  readonly #steps: Steps = { count: 0 };

  constructor(request: Pick<SearchRequest, 'query' | 'limit'>, bounds: SearchBounds) {
    this.#request = request;
    this.#bounds = bounds;
  }

  /** Takes a message if it meets the query; answers the key to go on before, once the page is full. */
  add(key: number, record: string | undefined): number | undefined {
    const { query, limit } = this.#request;
    const snippet = record === undefined ? undefined : snippetOf(contentOf(record), query, this.#steps);
    if (record !== undefined && snippet !== undefined) {
      const { length } = this.#hits;
      // One more than is asked for: only then does the page have another behind it.
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

  /** `next`: the key before which the next page begins; null where there is nothing more. */
  until(next: number | null): Found {
    return { hits: this.#hits, next };
  }
}
