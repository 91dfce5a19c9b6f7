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
  /** Maximum work on texts in a page, beyond the message that reaches it: their words, and comparisons with the query. */
  steps: number;
  /** After so long it goes into no further part. */
  budgetMs: number;
  /** Messages that are not in the index yet, read at once. */
  tailKeys: number;
  /** Candidates taken from the index at once. */
  candidates: number;
  /** So many conversations are named to the index at once; who is in more asks it several times. */
  chatsAtOnce: number;
}

export const defaultBounds: SearchBounds = {
  partKeys: 32_768,
  blockKeys: 128,
  blockBytes: 256 * 1024,
  tailAtFirst: 10_000,
  lookedAt: 1_000,
  bytes: 1024 * 1024,
  steps: 1_000_000,
  budgetMs: 20,
  tailKeys: 1_000,
  candidates: 128,
  chatsAtOnce: 128,
};

/** Of rows that tell their bytes as many as a block has room for, at least one. */
export function withinBlock<Row extends { bytes: number }>(rows: readonly Row[], { blockBytes }: SearchBounds): Row[] {
  let left = blockBytes;
  const end = rows.findIndex(({ bytes }, at) => (left -= bytes) < 0 && at > 0);
  return end < 0 ? [...rows] : rows.slice(0, end);
}

export function inBatches(keys: readonly number[], size: number): number[][] {
  const batches: number[][] = [];
  for (let at = 0; at < keys.length; at += size) batches.push(keys.slice(at, at + size));
  return batches;
}
