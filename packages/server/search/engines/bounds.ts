/** Limits on the work of one step, so that the cost of a search does not grow with the number of messages. */
export interface SearchBounds {
  /** Number of keys per table (part) of the index. */
  partKeys: number;
  /** Maximum keys indexed per block, and the bytes of records that end a block earlier. */
  blockKeys: number;
  blockBytes: number;
  /** Newest messages of a store without an index that are searched row by row until it is filled. */
  tailAtFirst: number;
  /** Maximum messages and bytes examined per page; after that the page ends with a cursor (SEARCH-12). */
  lookedAt: number;
  bytes: number;
  /** Maximum work on texts per page: their words, and comparisons with the query. The last message may exceed it. */
  steps: number;
  /** Whether files are searched (CONFIG-29). */
  withFiles: boolean;
  /** Maximum characters of files examined per page; the last file may exceed it. */
  fileCharacters: number;
  /** Maximum messages per block whose files are indexed, and the characters of their files that end a block earlier. */
  fileBlockKeys: number;
  fileBlockCharacters: number;
  /** Maximum keys of older messages per block, most of which may hold no text: photos are files too. */
  fileRangeKeys: number;
  /** Time budget per page; after it no further part is searched. */
  budgetMs: number;
  /** Maximum messages per read, while messages that are not indexed yet are searched. */
  tailKeys: number;
  /** Maximum candidates per index query. */
  candidates: number;
  /** Conversations per query of the index, and of that of files; accounts in more issue several queries. */
  chatsAtOnce: number;
  fileChatsAtOnce: number;
}

export const defaultBounds: SearchBounds = {
  partKeys: 32_768,
  blockKeys: 128,
  blockBytes: 256 * 1024,
  tailAtFirst: 10_000,
  lookedAt: 1_000,
  bytes: 1024 * 1024,
  steps: 1_000_000,
  withFiles: true,
  fileCharacters: 4 * 1024 * 1024,
  fileBlockKeys: 32,
  fileBlockCharacters: 64 * 1024,
  fileRangeKeys: 16_384,
  budgetMs: 20,
  tailKeys: 1_000,
  candidates: 128,
  chatsAtOnce: 128,
  fileChatsAtOnce: 128,
};

/** The first rows whose bytes fit into a block, at least one row. */
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
