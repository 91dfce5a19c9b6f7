import { idText } from '../../core/ids.ts';
import { wordsOf } from '../../rules/search-words.ts';
import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import { searchedText } from '../../store/messages.ts';
import {
  changesAfter,
  endsOfChanges,
  indexedBetween,
  type IndexedRow,
  messageIdOf,
  newestMessageKey,
  recordByKey,
} from '../../store/search.ts';
import { defaultBounds, type SearchBounds, withinBlock } from './bounds.ts';
import type { Entry, Extent, IndexFile } from './index-file.ts';

/** Number of message keys after the end of the index. */
export const lagOf = (database: SqliteConnection, index: IndexFile): number =>
  (database.get(newestMessageKey)?.key ?? 0) - (index.extent?.through ?? 0);

/** Starts a new index unless the file belongs to the current database. */
export function adopt(database: SqliteConnection, index: IndexFile, { tailAtFirst } = defaultBounds): void {
  const { extent } = index;
  if (extent && follows(database, extent)) return;
  if (extent) index.empty();
  // The changes are read first, so that everything read afterwards includes them.
  const changes = database.get(endsOfChanges)?.last ?? 0;
  const newest = database.get(newestMessageKey)?.key ?? 0;
  const through = Math.max(0, newest - tailAtFirst);
  // An empty index grows in both directions, so that the newest messages are found soon and older ones later.
  index.write({ from: through + 1, through, throughId: idAt(database, through), changes }, () => {});
}

/** False if the index belongs to another database or an earlier state of this one, or if it missed changes. */
function follows(database: SqliteConnection, { through, throughId, changes }: Extent): boolean {
  const { first, last } = database.get(endsOfChanges) ?? { first: null, last: null };
  const missed = (first ?? 0) > changes + 1 || (last ?? 0) < changes;
  return !missed && idAt(database, through) === throughId;
}

function idAt(database: SqliteConnection, key: number): string {
  const row = database.get(messageIdOf, key);
  return row ? idText(row.id) : '';
}

/** Indexes the next block: new messages, changes, then older messages. Returns false if there is nothing to do. */
export function tendOnce(database: SqliteConnection, index: IndexFile, bounds = defaultBounds): boolean {
  const { extent } = index;
  if (!extent) throw new Error('adopt must be called before tendOnce');
  const given = { database, index, extent, bounds };
  return takeNew(given) || takeChanges(given) || takeOlder(given);
}

interface Given {
  database: SqliteConnection;
  index: IndexFile;
  extent: Extent;
  bounds: SearchBounds;
}

function takeNew({ database, index, extent, bounds }: Given): boolean {
  const newest = database.get(newestMessageKey)?.key ?? 0;
  if (newest <= extent.through) return false;
  const last = Math.min(newest, extent.through + bounds.blockKeys);
  const rows = database.all(indexedBetween, extent.through + 1, last);
  const taken = withinBlock(rows, bounds);
  const through = taken.length < rows.length ? (taken.at(-1)?.key ?? last) : last;
  index.write({ ...extent, through, throughId: idAt(database, through) }, () => putAll(database, index, taken));
  return true;
}

function takeOlder({ database, index, extent, bounds }: Given): boolean {
  if (extent.from <= 1) return false;
  const first = Math.max(1, extent.from - bounds.blockKeys);
  const rows = database.all(indexedBetween, first, extent.from - 1);
  const taken = withinBlock(rows.toReversed(), bounds).toReversed();
  const from = taken.length < rows.length ? (taken[0]?.key ?? first) : first;
  index.write({ ...extent, from }, () => putAll(database, index, taken));
  return true;
}

function takeChanges({ database, index, extent, bounds }: Given): boolean {
  const read = database.all(changesAfter, extent.changes, bounds.blockKeys);
  if (read.length === 0) return false;
  let left = bounds.blockBytes;
  const done: typeof read = [];
  const keys = new Map<number, IndexedRow | undefined>();
  for (const change of read) {
    const { message_key: key } = change;
    const isInside = key >= extent.from && key <= extent.through;
    // A message outside the extent is indexed in its current version when the extent reaches it.
    const row = isInside && !keys.has(key) ? database.all(indexedBetween, key, key)[0] : undefined;
    left -= row?.bytes ?? 0;
    if (left < 0 && done.length > 0) break;
    if (isInside && !keys.has(key)) keys.set(key, row);
    done.push(change);
  }
  index.write({ ...extent, changes: done.at(-1)?.key ?? extent.changes }, () => {
    for (const key of keys.keys()) index.remove(key);
    putAll(
      database,
      index,
      [...keys.values()].filter((row) => row !== undefined).toSorted((a, b) => a.key - b.key),
    );
  });
  return true;
}

function putAll(database: SqliteConnection, index: IndexFile, rows: readonly IndexedRow[]): void {
  for (const row of rows) {
    const entry = entryOf(row, row.record ?? database.get(recordByKey, row.key)?.record ?? '{}');
    if (entry.words !== '') index.put(entry);
  }
}

const entryOf = ({ key, chat_key, sender_key }: IndexedRow, record: string): Entry => ({
  key,
  chatKey: chat_key,
  senderKey: sender_key,
  words: Array.from(wordsOf(searchedText(record)), ({ term }) => term).join(' '),
});
