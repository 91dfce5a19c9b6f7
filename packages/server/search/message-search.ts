// search/: finding messages by their words. This file is the port: a search and its result. engines/ contains both
// engines: an index file beside the database, filled and queried by a thread, and an index in PostgreSQL.
import type { SearchedKind } from '@parley/protocol';
import type { SearchQuery } from '../rules/search-query.ts';

/** A search. Positions are keys of messages. */
export interface SearchRequest {
  accountKey: number;
  /** The owner whose turn the search takes: a human with its bots (SEARCH-15). */
  ownerKey: number;
  query: SearchQuery;
  /**
   * Set if `query` forgives mistakes: what was typed. Messages that match it are left out, the texts of files are not
   * searched, and of all conversations only the last NEAR_CHATS.
   */
  typed?: SearchQuery | undefined;
  /** 0: all conversations of the account. */
  chatKey: number;
  /** The only conversations that exist for the caller: those of an access token (ACCESS-8); without it all of the account's. */
  within?: readonly number[] | undefined;
  /** 0: any sender. */
  senderKey: number;
  /** Only messages that hold this; null: all. */
  has: SearchedKind | null;
  /** Only positions below this one. */
  before: number;
  /** Only positions above this one. */
  after: number;
  limit: number;
}

/** Maximum conversations that are searched for words with a mistake: each word is looked up in many forms (SEARCH-24). */
export const NEAR_CHATS = 128;

export interface Hit {
  key: number;
  /** The message's record as it was when the snippet was made. */
  record: string;
  snippet: string;
  /** The file that the snippet is from; undefined if it is from the message itself. */
  fileId?: string | undefined;
}

/** `next` is the position before which the next page begins; null if there is none. */
export interface Found {
  hits: readonly Hit[];
  next: number | null;
}

/**
 * The port. A result contains messages that the account could see at the time; the caller checks again before sending
 * it.
 */
export interface MessageSearch {
  /** Rejects with `unavailable` if too many searches wait. */
  find(request: SearchRequest): Promise<Found>;
  /** Updates the index, in blocks; resolves when it is up to date. */
  tend(): Promise<void>;
  close(): Promise<void>;
}
