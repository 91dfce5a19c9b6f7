import { chatKeysOf } from '../../store/chats.ts';
import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import { changesBetween, type FoundRow, newestMessageKey, recordByKey, searchedBetween } from '../../store/search.ts';
import { textInMessage } from '../../store/file-texts.ts';
import { idBytes } from '../../core/ids.ts';
import { fileAt, fileMarkOf, markOf } from '../held.ts';
import { type Found, NEAR_CHATS, type SearchRequest } from '../message-search.ts';
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
  monotonic: () => number = () => performance.now(),
): Found {
  const { accountKey, query, chatKey, senderKey, within } = request;
  const isWithin = within && new Set(within);
  const withFiles = bounds.withFiles && !request.typed;
  const mark = markOf(request.has);
  const fileMark = fileMarkOf(request.has);
  const { from, through, changes } = index.extent ?? { from: Infinity, through: 0, changes: 0 };
  const newest = database.get(newestMessageKey)?.key ?? 0;
  const least = request.after + 1;
  const until = monotonic() + bounds.budgetMs;
  const page = new FoundPage(request, bounds);
  let top = Math.min(request.before - 1, newest);

  while (top > through && top >= least) {
    const first = Math.max(through + 1, least, top - bounds.tailKeys + 1);
    const next = take(searched(first, top));
    if (next !== undefined) return page.until(next);
    top = first - 1;
    if (monotonic() > until && top >= least) return page.until(top + 1);
  }
  const ownChats =
    chatKey === 0 ? (within ?? database.all(chatKeysOf, accountKey).map((row) => row.chat_key)) : [chatKey];
  const batches = inBatches(request.typed ? ownChats.slice(-NEAR_CHATS) : ownChats, bounds.chatsAtOnce);
  while (top >= from && top >= least) {
    const first = Math.max(index.firstOfPart(top), from, least);
    const { keys, places, lowest } = candidatesOf(first, top);
    const changed = database.all(changesBetween, changes, lowest, top).map(({ message_key }) => message_key);
    const all = changed.length === 0 ? keys : [...new Set([...keys, ...changed])].toSorted((a, b) => b - a);
    const next = take(rowsOf(all), places);
    if (next !== undefined) return page.until(next);
    top = lowest - 1;
    if (monotonic() > until && top >= from && top >= least) return page.until(top + 1);
  }
  return page.until(null);

  function* rowsOf(keys: readonly number[]): Generator<FoundRow> {
    for (const key of keys) yield* searched(key, key);
  }

  function searched(first: number, last: number): FoundRow[] {
    return database.all(searchedBetween, first, last, accountKey, chatKey, senderKey, mark);
  }

  /** Adds the rows that match; once the page is full, returns the key before which the next page begins. */
  function take(rows: Iterable<FoundRow>, places?: ReadonlyMap<number, readonly number[]>): number | undefined {
    for (const row of rows) {
      if (isWithin && !isWithin.has(row.chat_key)) continue;
      const record = row.record ?? database.get(recordByKey, row.key)?.record;
      const match = record === undefined ? undefined : (page.match(record) ?? matchIn(row, record, places));
      const next = page.add(row.key, record, match);
      if (next !== undefined) return next;
    }
    return undefined;
  }

  /** Examines only files that the index names: messages that it has not indexed yet would cost their whole texts. */
  function matchIn({ key }: FoundRow, record: string, places?: ReadonlyMap<number, readonly number[]>) {
    for (const place of page.placesIn(record, places?.get(key))) {
      const file = fileAt(record, place);
      const text = file && database.get(textInMessage, idBytes(file.id), key)?.text;
      const match = file && text !== undefined ? page.matchFile(file, text) : undefined;
      if (match) return match;
    }
    return undefined;
  }

  /**
   * The candidates of a part, newest first. The query names all conversations of the account, so a word costs the
   * same whether other accounts use it or not (SEARCH-9). Down to the key `lowest` the candidates are complete.
   */
  function candidatesOf(first: number, last: number) {
    const lists: number[][] = [];
    const places = new Map<number, number[]>();
    for (const chatKeys of batches) {
      lists.push(index.keys({ query, chatKeys, senderKey, mark }, first, last, bounds.candidates));
      if (!withFiles) continue;
      const files = index.files({ query, chatKeys, senderKey, mark: fileMark }, first, last, bounds.candidates);
      lists.push(files.map(({ key }) => key));
      for (const { key, place } of files) places.set(key, [place, ...(places.get(key) ?? [])]);
    }
    // A list that reached its limit is complete only down to its last key: lower candidates are left for later.
    const lowest = Math.max(first, ...lists.filter(isCut).map((keys) => keys.at(-1) ?? first));
    const keys = lists.flat().filter((key) => key >= lowest);
    const isSorted = lists.filter(({ length }) => length > 0).length <= 1 && places.size === 0;
    return { keys: isSorted ? keys : [...new Set(keys)].toSorted((a, b) => b - a), places, lowest };
  }

  function isCut(keys: readonly number[]): boolean {
    return keys.length >= bounds.candidates;
  }
}
