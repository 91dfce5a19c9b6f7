import { Slice } from '../../core/slices.ts';
import { chatKeysOf } from '../../store/chats.ts';
import { extent, named, type NamedRow } from '../../store/engines/postgres-search.ts';
import { type FoundRow, newestMessageKey, recordByKey, searchedBetween } from '../../store/search.ts';
import type { Sql } from '../../store/sql.ts';
import { idBytes } from '../../core/ids.ts';
import { textInMessage } from '../../store/file-texts.ts';
import { fileAt, fileMarkOf, markOf } from '../held.ts';
import { type Found, NEAR_CHATS, type SearchRequest } from '../message-search.ts';
import { inBatches, type SearchBounds } from './bounds.ts';
import { FoundPage } from './found-page.ts';
import { filesQuery, wordsQuery } from './postgres-words.ts';

/**
 * Works as find.ts: from the newest key down, first the messages that are not indexed yet, then the index part by part.
 * The extent of the index is read before either. It only grows meanwhile, so no message is missed.
 */
export async function find(
  store: Sql,
  request: SearchRequest,
  bounds: SearchBounds,
  monotonic: () => number = () => performance.now(),
): Promise<Found> {
  const { accountKey, query, chatKey, senderKey, within } = request;
  const isWithin = within && new Set(within);
  const mark = markOf(request.has);
  const fileMark = fileMarkOf(request.has);
  const [covered, newestKey, chats] = await Promise.all([
    store.get(extent),
    store.get(newestMessageKey),
    chatKey === 0 && !within ? store.all(chatKeysOf, accountKey) : [],
  ]);
  const { from_key: from, through_key: through } = covered ?? { from_key: Infinity, through_key: 0 };
  const newest = newestKey?.key ?? 0;
  const least = request.after + 1;
  const until = monotonic() + bounds.budgetMs;
  const slice = new Slice();
  const page = new FoundPage(request, bounds);
  let top = Math.min(request.before - 1, newest);

  while (top > through && top >= least) {
    const first = Math.max(through + 1, least, top - bounds.tailKeys + 1);
    const next = await take(await store.all(searchedBetween, first, top, accountKey, chatKey, senderKey, mark));
    if (next !== undefined) return page.until(next);
    top = first - 1;
    if (monotonic() > until && top >= least) return page.until(top + 1);
  }
  const allChats = chatKey === 0 ? (within ?? chats.map((row) => row.chat_key)) : [chatKey];
  const ownChats = request.typed ? allChats.slice(-NEAR_CHATS) : allChats;
  const withFiles = bounds.withFiles && !request.typed;
  const batches = inBatches(ownChats, bounds.chatsAtOnce);
  const fileBatches = inBatches(ownChats, bounds.fileChatsAtOnce);
  // Most candidates are hits; each round that finds too few reads twice as many.
  let most = Math.min(2 * request.limit, bounds.candidates);
  while (top >= from && top >= least && batches.length > 0) {
    const part = partOf(top, bounds);
    const first = Math.max(part * bounds.partKeys, from, least);
    const queries = batches.map((chatKeys) => wordsQuery(part, { query, chatKeys, senderKey, mark }));
    const files = withFiles
      ? fileBatches.map((chatKeys) => filesQuery(part, { query, chatKeys, senderKey, mark: fileMark }))
      : [];
    const rows = await store.all(
      named,
      first,
      top,
      accountKey,
      chatKey,
      senderKey,
      mark,
      JSON.stringify(queries),
      most,
      JSON.stringify(files),
    );
    const next = await take(rows.filter(isRow));
    if (next !== undefined) return page.until(next);
    top = (rows[0]?.lowest ?? first) - 1;
    most = Math.min(2 * most, bounds.candidates);
    if (monotonic() > until && top >= from && top >= least) return page.until(top + 1);
  }
  return page.until(null);

  /** Adds the rows that match; once the page is full, returns the key before which the next page begins. */
  async function take(rows: readonly (FoundRow & Partial<NamedRow>)[]): Promise<number | undefined> {
    for (const row of rows) {
      // This runs on the main thread: let other work run in between.
      await slice.pause();
      if (isWithin && !isWithin.has(row.chat_key)) continue;
      const record = row.record ?? (await store.get(recordByKey, row.key))?.record;
      const own = record === undefined ? undefined : page.match(record);
      const match = own ?? (record === undefined ? undefined : await matchIn(row, record));
      const next = page.add(row.key, record, match);
      if (next !== undefined) return next;
    }
    return undefined;
  }

  /** Examines only files that the index names: messages that it has not indexed yet would cost their whole texts. */
  async function matchIn({ key, places }: FoundRow & Partial<NamedRow>, record: string) {
    for (const place of page.placesIn(record, places?.split(',').map(Number))) {
      await slice.pause();
      const file = fileAt(record, place);
      const text = file && (await store.get(textInMessage, idBytes(file.id), key))?.text;
      const match = file && text !== undefined ? page.matchFile(file, text) : undefined;
      if (match) return match;
    }
    return undefined;
  }
}

export const partOf = (key: number, { partKeys }: SearchBounds): number => Math.floor(key / partKeys);

const isRow = (row: NamedRow): row is NamedRow & FoundRow => row.key !== null;
