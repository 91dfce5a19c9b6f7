import { chatKeysOf } from '../../store/chats.ts';
import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import { changesBetween, type FoundRow, newestMessageKey, recordByKey, searchedBetween } from '../../store/search.ts';
import { markOf } from '../held.ts';
import type { Found, SearchRequest } from '../message-search.ts';
import { defaultBounds, inBatches } from './bounds.ts';
import { FoundPage } from './found-page.ts';
import type { IndexFile } from './index-file.ts';

/**
 * Searches from the newest key down: first the messages that are not indexed yet, row by row, then the index, part by
 * part. Each candidate is checked against its current row, and so is every message that changed since it was indexed:
 * the index may return too much, never too little (SEARCH-7).
 */
export function find(
  database: SqliteConnection,
  index: IndexFile,
  request: SearchRequest,
  bounds = defaultBounds,
  now: () => number = () => performance.now(),
): Found {
  const { accountKey, query, chatKey, senderKey } = request;
  const marks = markOf(request.has);
  const { from, through, changes } = index.extent ?? { from: Infinity, through: 0, changes: 0 };
  const newest = database.get(newestMessageKey)?.key ?? 0;
  const least = request.after + 1;
  const until = now() + bounds.budgetMs;
  const page = new FoundPage(request, bounds);
  let top = Math.min(request.before - 1, newest);

  while (top > through && top >= least) {
    const first = Math.max(through + 1, least, top - bounds.tailKeys + 1);
    const next = take(searched(first, top));
    if (next !== undefined) return page.until(next);
    top = first - 1;
    if (now() > until && top >= least) return page.until(top + 1);
  }
  const ownChats = chatKey === 0 ? database.all(chatKeysOf, accountKey).map((row) => row.chat_key) : [chatKey];
  const batches = inBatches(ownChats, bounds.chatsAtOnce);
  while (top >= from && top >= least) {
    const first = Math.max(index.firstOfPart(top), from, least);
    const { keys, lowest } = candidatesOf(first, top);
    const changed = database.all(changesBetween, changes, lowest, top).map(({ message_key }) => message_key);
    const all = changed.length === 0 ? keys : [...new Set([...keys, ...changed])].toSorted((a, b) => b - a);
    const next = take(rowsOf(all));
    if (next !== undefined) return page.until(next);
    top = lowest - 1;
    if (now() > until && top >= from && top >= least) return page.until(top + 1);
  }
  return page.until(null);

  function* rowsOf(keys: readonly number[]): Generator<FoundRow> {
    for (const key of keys) yield* searched(key, key);
  }

  function searched(first: number, last: number): FoundRow[] {
    return database.all(searchedBetween, first, last, accountKey, chatKey, senderKey, marks);
  }

  /** Adds the rows that match; once the page is full, returns the key before which the next page begins. */
  function take(rows: Iterable<FoundRow>): number | undefined {
    for (const row of rows) {
      const record = row.record ?? database.get(recordByKey, row.key)?.record;
      const next = page.add(row.key, record);
      if (next !== undefined) return next;
    }
    return undefined;
  }

  /**
   * The candidates of a part, newest first. The query names all conversations of the account, so a word costs the
   * same whether other accounts use it or not (SEARCH-9). Down to the key `lowest` the candidates are complete.
   */
  function candidatesOf(first: number, last: number): { keys: number[]; lowest: number } {
    const found = batches.map((chatKeys) => index.keys({ query, chatKeys, senderKey }, first, last, bounds.candidates));
    // A batch that reached its limit is complete only down to its last key: lower candidates are left for later.
    const lowest = Math.max(first, ...found.filter(isCut).map((keys) => keys.at(-1) ?? first));
    const keys = found.flat().filter((key) => key >= lowest);
    return { keys: batches.length > 1 ? keys.toSorted((a, b) => b - a) : keys, lowest };
  }

  function isCut(keys: readonly number[]): boolean {
    return keys.length === bounds.candidates;
  }
}
