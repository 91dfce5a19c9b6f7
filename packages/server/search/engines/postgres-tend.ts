import { idText } from '../../core/ids.ts';
import { nextSlice } from '../../core/slices.ts';
import { messagesWithText, textsOfMessage } from '../../store/file-texts.ts';
import { recordOf, searchedText } from '../../store/messages.ts';
import { type IndexedRow, indexedBetween, newestMessageKey, recordByKey } from '../../store/search.ts';
import {
  dropChanges,
  dropFileWords,
  dropTextChanges,
  dropWords,
  extent,
  emptyIndex,
  firstExtent,
  lockedExtent,
  oldestChanges,
  oldestTextChanges,
  otherExtent,
  putFileWords,
  putWords,
  rest,
  setExtent,
  setFilesFrom,
  sortIn,
  sortInFiles,
  writers,
} from '../../store/engines/postgres-search.ts';
import type { PostgresConnection } from '../../store/engines/postgres.ts';
import { type SearchBounds, withinBlock } from './bounds.ts';
import { partOf } from './postgres-find.ts';
import { indexedOf, indexedOfFile } from '../held.ts';
import { fileVector, wordsVector } from './postgres-words.ts';

/**
 * Maximum pauses while `settledKey` waits for transactions. Messages that are not indexed because of them are still
 * found row by row.
 */
const RESTS = 100;

/**
 * The newest key below which no further message can appear. Keys are assigned before their transactions commit, in any
 * order. A transaction with a key below the newest has either ended or is among those in progress at this moment.
 */
async function settledKey(connection: PostgresConnection): Promise<number> {
  const newest = (await connection.get(newestMessageKey))?.key ?? 0;
  const open = new Set((await connection.all(writers)).map(({ id }) => id));
  for (let rests = 0; open.size > 0; rests += 1) {
    if (rests === RESTS) return 0;
    await connection.all(rest);
    const still = new Set((await connection.all(writers)).map(({ id }) => id));
    for (const id of open) if (!still.has(id)) open.delete(id);
  }
  return newest;
}

interface Given {
  connection: PostgresConnection;
  from: number;
  through: number;
  filesFrom: number | null;
  bounds: SearchBounds;
}

/** Indexes the next block, in the order of tend.ts. Returns false if there is nothing to do. */
export async function tendOnce(connection: PostgresConnection, bounds: SearchBounds): Promise<boolean> {
  const known = await connection.get(extent);
  const newest = (await connection.get(newestMessageKey))?.key ?? 0;
  const settled = !known || newest > known.through_key ? await settledKey(connection) : 0;
  if (!known) {
    // An empty index grows in both directions, so that the newest messages are found soon and older ones later.
    const through = Math.max(0, settled - bounds.tailAtFirst);
    if (await connection.get(otherExtent)) await connection.exec(emptyIndex);
    await connection.run(firstExtent, through + 1, through);
  }
  await connection.exec('BEGIN');
  try {
    const row = await connection.get(lockedExtent);
    const given = row && {
      connection,
      from: row.from_key,
      through: row.through_key,
      filesFrom: row.files_from,
      bounds,
    };
    const isDone =
      given &&
      ((await takeNew(given, settled)) ||
        (await takeChanges(given)) ||
        (await takeReadFiles(given)) ||
        (await takeOlder(given)) ||
        (await takeOlderFiles(given)));
    await connection.exec('COMMIT');
    return isDone ?? true;
  } catch (error) {
    if (!connection.lost) await connection.exec('ROLLBACK');
    throw error;
  }
}

async function takeNew({ connection, from, through, bounds }: Given, settled: number): Promise<boolean> {
  if (settled <= through) return false;
  const last = Math.min(settled, through + bounds.blockKeys);
  const rows = await connection.all(indexedBetween, through + 1, last);
  const taken = withinBlock(rows, bounds);
  await putAll(connection, taken, bounds);
  await connection.run(setExtent, from, taken.length < rows.length ? (taken.at(-1)?.key ?? last) : last);
  return true;
}

async function takeOlder({ connection, from, through, bounds }: Given): Promise<boolean> {
  if (from <= 1) return false;
  const first = Math.max(1, from - bounds.blockKeys);
  const rows = await connection.all(indexedBetween, first, from - 1);
  const taken = withinBlock(rows.toReversed(), bounds);
  await putAll(connection, taken, bounds);
  await connection.run(setExtent, taken.length < rows.length ? (taken.at(-1)?.key ?? first) : first, through);
  return true;
}

async function takeChanges({ connection, from, through, bounds }: Given): Promise<boolean> {
  const changes = await connection.all(oldestChanges, bounds.blockKeys);
  if (changes.length === 0) return false;
  // A message outside the extent is indexed in its current version when the extent reaches it.
  const inside = changes.filter(({ message_key: key }) => key >= from && key <= through);
  const keys = [...new Set(inside.map(({ message_key: key }) => key))];
  const rows = (await Promise.all(keys.map((key) => connection.all(indexedBetween, key, key)))).flat();
  const taken = withinBlock(rows, bounds);
  const left = new Set(rows.slice(taken.length).map(({ key }) => key));
  const done = changes.filter(({ message_key: key }) => !left.has(key));
  const indexed = keys.filter((key) => !left.has(key));
  await connection.list(dropWords, indexed);
  const kept = new Set(rows.map(({ key }) => key));
  await connection.list(
    dropFileWords,
    indexed.filter((key) => !kept.has(key)),
  );
  await putAll(connection, taken, bounds);
  await connection.list(
    dropChanges,
    done.map(({ key }) => key),
  );
  return true;
}

/** Indexes files that were read since, or of new messages whose files were read before. */
async function takeReadFiles({ connection, bounds }: Given): Promise<boolean> {
  if (!bounds.withFiles) return false;
  const changes = await connection.all(oldestTextChanges, bounds.fileBlockKeys);
  const done = await putFiles(connection, changes, bounds);
  await connection.list(
    dropTextChanges,
    done.map(({ key }) => key),
  );
  return done.length > 0;
}

async function takeOlderFiles({ connection, filesFrom, bounds }: Given): Promise<boolean> {
  if (!bounds.withFiles || (filesFrom !== null && filesFrom <= 1)) return false;
  const before = filesFrom ?? ((await connection.get(newestMessageKey))?.key ?? 0) + 1;
  const first = Math.max(1, before - bounds.fileRangeKeys);
  const older = await connection.all(messagesWithText, first, before, bounds.fileBlockKeys);
  const done = await putFiles(connection, older, bounds);
  const isAll = older.length < bounds.fileBlockKeys && done.length === older.length;
  await connection.run(setFilesFrom, isAll ? first : (done.at(-1)?.message_key ?? first));
  return true;
}

/** Indexes the files of the first messages that fit into a block, of at least one; returns their rows. */
async function putFiles<Row extends { message_key: number }>(
  connection: PostgresConnection,
  rows: readonly Row[],
  bounds: SearchBounds,
): Promise<Row[]> {
  const done: Row[] = [];
  const keys = new Set<number>();
  const entries: [key: number, place: number, words: string][] = [];
  let left = bounds.fileBlockCharacters;
  for (const row of rows) {
    if (left <= 0) break;
    done.push(row);
    const { message_key: key } = row;
    // A message is noted once for each of its files.
    if (keys.has(key)) continue;
    keys.add(key);
    // Deleted messages have none.
    const [message] = await connection.all(indexedBetween, key, key);
    const texts = message ? await connection.all(textsOfMessage, key) : [];
    if (!message || texts.length === 0) continue;
    const { attachments } = recordOf({
      record: message.record ?? (await connection.get(recordByKey, key))?.record ?? '{}',
    });
    for (const { id, name, text } of texts) {
      // This runs on the main thread: let other work run in between.
      await nextSlice();
      const place = attachments.findIndex((attachment) => attachment.id === idText(id));
      const words = await fileVector(partOf(key, bounds), indexedOfFile(message), `${name}\n${text}`);
      if (place >= 0) entries.push([key, place, words]);
      left -= text.length;
    }
  }
  await connection.list(dropFileWords, [...keys]);
  if (entries.length > 0)
    await Promise.all([connection.run(putFileWords, JSON.stringify(entries)), connection.all(sortInFiles)]);
  return done;
}

async function putAll(connection: PostgresConnection, rows: readonly IndexedRow[], bounds: SearchBounds) {
  const entries: [key: number, words: string][] = [];
  for (const row of rows) {
    const whole = row.record ?? (await connection.get(recordByKey, row.key))?.record ?? '{}';
    const words = wordsVector(partOf(row.key, bounds), indexedOf(row), searchedText(whole));
    if (words !== null) entries.push([row.key, words]);
  }
  if (entries.length === 0) return;
  await Promise.all([connection.run(putWords, JSON.stringify(entries)), connection.all(sortIn)]);
}
