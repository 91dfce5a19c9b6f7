import { idText } from '../../core/ids.ts';
import { fileTermsOf } from '../../rules/file-terms.ts';
import { wordsOf } from '../../rules/search-words.ts';
import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import { endsOfTextChanges, messagesWithText, textChangesAfter, textsOfMessage } from '../../store/file-texts.ts';
import { recordOf, searchedText } from '../../store/messages.ts';
import { indexedOf, indexedOfFile } from '../held.ts';
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
import type { Entry, Extent, FileEntry, IndexFile } from './index-file.ts';

/** Number of message keys after the end of the index. */
export const lagOf = (database: SqliteConnection, index: IndexFile): number =>
  (database.get(newestMessageKey)?.key ?? 0) - (index.extent?.through ?? 0);

/** Starts a new index unless the file belongs to the current database. */
export function adopt(database: SqliteConnection, index: IndexFile, { tailAtFirst } = defaultBounds): void {
  const { extent } = index;
  if (extent && follows(database, extent)) {
    if (!extent.files) index.write({ ...extent, files: noFiles(database) }, () => {});
    return;
  }
  if (extent) index.empty();
  // The changes are read first, so that everything read afterwards includes them.
  const changes = database.get(endsOfChanges)?.last ?? 0;
  const files = noFiles(database);
  const newest = database.get(newestMessageKey)?.key ?? 0;
  const through = Math.max(0, newest - tailAtFirst);
  // An empty index grows in both directions, so that the newest messages are found soon and older ones later.
  index.write({ from: through + 1, through, throughId: idAt(database, through), changes, files }, () => {});
}

/** No file is indexed yet: they will be from the newest message down, and as they are read. */
function noFiles(database: SqliteConnection): NonNullable<Extent['files']> {
  const changes = database.get(endsOfTextChanges)?.last ?? 0;
  return { from: (database.get(newestMessageKey)?.key ?? 0) + 1, changes };
}

/** False if the index belongs to another database or an earlier state of this one, or if it missed changes. */
function follows(database: SqliteConnection, { through, throughId, changes, files }: Extent): boolean {
  if (isMissed(database.get(endsOfChanges), changes)) return false;
  if (files && isMissed(database.get(endsOfTextChanges), files.changes)) return false;
  return idAt(database, through) === throughId;
}

/** Whether changes were deleted that the index has not taken, or the index has taken changes of another state. */
const isMissed = (ends: { first: number | null; last: number | null } | undefined, taken: number): boolean =>
  (ends?.first ?? 0) > taken + 1 || (ends?.last ?? 0) < taken;

function idAt(database: SqliteConnection, key: number): string {
  const row = database.get(messageIdOf, key);
  return row ? idText(row.id) : '';
}

/**
 * Indexes the next block: new messages, changes, files that were read, then older messages and older files; then merges
 * what the blocks left. A merge that is overdue comes first, with one step for each block. So messages wait for one block
 * and one step at most. Returns false if there is nothing to do.
 */
export function tendOnce(database: SqliteConnection, index: IndexFile, bounds = defaultBounds): boolean {
  const { extent } = index;
  if (!extent) throw new Error('adopt must be called before tendOnce');
  const given = { database, index, extent, bounds };
  return (
    index.merge(extent, { isBusy: true }) ||
    takeNew(given) ||
    takeChanges(given) ||
    takeReadFiles(given) ||
    takeOlder(given) ||
    takeOlderFiles(given) ||
    index.merge(extent)
  );
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
    for (const [key, row] of keys) {
      index.remove(key);
      if (!row) index.removeFiles(key);
    }
    putAll(
      database,
      index,
      [...keys.values()].filter((row) => row !== undefined).toSorted((a, b) => a.key - b.key),
    );
  });
  return true;
}

/** Indexes files that were read since, or of new messages whose files were read before. */
function takeReadFiles({ database, index, extent, bounds }: Given): boolean {
  const { files } = extent;
  if (!files || !bounds.withFiles) return false;
  const changes = database.all(textChangesAfter, files.changes, bounds.fileBlockKeys);
  const { last, entries } = fileBlock(database, changes, bounds);
  if (!last) return false;
  index.write({ ...extent, files: { ...files, changes: last.key } }, () => putFiles(index, entries));
  return true;
}

function takeOlderFiles({ database, index, extent, bounds }: Given): boolean {
  const { files } = extent;
  if (!files || files.from <= 1 || !bounds.withFiles) return false;
  const first = Math.max(1, files.from - bounds.fileRangeKeys);
  const older = database.all(messagesWithText, first, files.from, bounds.fileBlockKeys);
  const { last, entries } = fileBlock(database, older, bounds);
  const isAll = older.length < bounds.fileBlockKeys && last === older.at(-1);
  const from = isAll ? first : (last?.message_key ?? first);
  index.write({ ...extent, files: { ...files, from } }, () => putFiles(index, entries));
  return true;
}

/** The files of the first messages that fit into a block, of at least one, and the last of its rows. */
function fileBlock<Row extends { message_key: number }>(
  database: SqliteConnection,
  rows: readonly Row[],
  { fileBlockCharacters }: SearchBounds,
): { last: Row | undefined; entries: ReadonlyMap<number, FileEntry[]> } {
  // A message is noted once for each of its files.
  const entries = new Map<number, FileEntry[]>();
  let last: Row | undefined;
  let left = fileBlockCharacters;
  for (const row of rows) {
    if (left <= 0) break;
    last = row;
    if (entries.has(row.message_key)) continue;
    const files = filesOf(database, row.message_key);
    entries.set(row.message_key, files.entries);
    left -= files.characters;
  }
  return { last, entries };
}

function filesOf(database: SqliteConnection, key: number): { entries: FileEntry[]; characters: number } {
  // Deleted messages have none.
  const row = database.all(indexedBetween, key, key)[0];
  const texts = row ? database.all(textsOfMessage, key) : [];
  if (!row || texts.length === 0) return { entries: [], characters: 0 };
  const record = row.record ?? database.get(recordByKey, key)?.record ?? '{}';
  const { attachments } = recordOf({ record });
  const entries = texts.map(({ id, name, text }) => ({
    key,
    ...indexedOfFile(row),
    place: attachments.findIndex((attachment) => attachment.id === idText(id)),
    terms: new Set(fileTermsOf(wordsOf(`${name}\n${text}`))),
  }));
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
  return { entries: entries.filter(({ place }) => place >= 0), characters };
}

/** Puts the files of messages in place of those that the index has of them. */
export function putFiles(index: IndexFile, entries: ReadonlyMap<number, readonly FileEntry[]>): void {
  // FTS5 ends a segment at each deletion, and at each row that is below the one before it.
  for (const key of entries.keys()) index.removeFiles(key);
  const all = [...entries.values()].flat().toSorted((a, b) => a.key - b.key || a.place - b.place);
  for (const entry of all) index.putFile(entry);
}

function putAll(database: SqliteConnection, index: IndexFile, rows: readonly IndexedRow[]): void {
  for (const row of rows) {
    const entry = entryOf(row, row.record ?? database.get(recordByKey, row.key)?.record ?? '{}');
    if (entry.words !== '') index.put(entry);
  }
}

const entryOf = (row: IndexedRow, record: string): Entry => ({
  key: row.key,
  ...indexedOf(row),
  words: Array.from(wordsOf(searchedText(record)), ({ term }) => term).join(' '),
});
