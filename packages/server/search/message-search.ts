// search/: finding messages by their words. The port, what a search asks and answers; engines/ has the index of the
// embedded engine, which is a file of its own beside the database, and the thread that fills and asks it.
import type { SearchQuery } from '../rules/search-query.ts';

/** What is searched for, and by whom. Positions are keys of messages. */
export interface SearchRequest {
  accountKey: number;
  /** Whose turn it takes: a person's with its bots (SEARCH-15). */
  ownerKey: number;
  query: SearchQuery;
  /** 0: all conversations of the account. */
  chatKey: number;
  /** 0: anybody's. */
  senderKey: number;
  /** Positions below this one. */
  before: number;
  /** Positions above this one. */
  after: number;
  limit: number;
}

export interface Hit {
  key: number;
  /** The message's record as it was when the snippet was made. */
  record: string;
  snippet: string;
}

/** `next`: the place before which the search goes on; null where it has come to its end. */
export interface Found {
  hits: readonly Hit[];
  next: number | null;
}

/** The port: an engine answers what the account could see when it looked; whoever shows it looks again. */
export interface MessageSearch {
  /** Rejects with `unavailable` when there is too much to do already. */
  find(request: SearchRequest): Promise<Found>;
  /** Brings the index up to date, in blocks; resolves when it is. */
  tend(): Promise<void>;
  close(): Promise<void>;
}
