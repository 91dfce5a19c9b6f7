/** How much is done at once: what the search costs at most, however many messages there are. */
export interface SearchBounds {
  /** Keys of which each so many have a table of their own in the index. */
  partKeys: number;
  /** Keys of a block that goes into the index at once, and bytes of records after which it ends sooner. */
  blockKeys: number;
  blockBytes: number;
  /** So many messages of a store that was never indexed are searched row by row from the first moment on. */
  tailAtFirst: number;
  /** A page looks at no more messages, and at no more bytes of them; then it ends, with a cursor (SEARCH-12). */
  lookedAt: number;
  bytes: number;
  /** After so long it goes into no further part. */
  budgetMs: number;
  /** Messages that are not in the index yet, read at once. */
  tailKeys: number;
  /** Candidates taken from the index at once. */
  candidates: number;
  /** In no more conversations than these, all of them are named to the index from the start. */
  fewChats: number;
  /** In more than these, never: who is in so many shares most words with others anyway. */
  mostChats: number;
}

export const defaultBounds: SearchBounds = {
  partKeys: 32_768,
  blockKeys: 128,
  blockBytes: 256 * 1024,
  tailAtFirst: 10_000,
  lookedAt: 1_000,
  bytes: 1024 * 1024,
  budgetMs: 20,
  tailKeys: 1_000,
  candidates: 128,
  fewChats: 32,
  mostChats: 1_000,
};
