import { searchedText } from '../../store/messages.ts';
import { type IndexedRow, indexedBetween, newestMessageKey, recordByKey } from '../../store/search.ts';
import {
  dropChanges,
  dropWords,
  extent,
  firstExtent,
  lockedExtent,
  oldestChanges,
  putWords,
  rest,
  setExtent,
  sortIn,
  writers,
} from '../../store/engines/postgres-search.ts';
import type { PostgresConnection } from '../../store/engines/postgres.ts';
import { type SearchBounds, withinBlock } from './bounds.ts';
import { partOf } from './postgres-find.ts';
import { wordsVector } from './postgres-words.ts';

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
  bounds: SearchBounds;
}

/** Indexes the next block: new messages, changes, then older messages. Returns false if there is nothing to do. */
export async function tendOnce(connection: PostgresConnection, bounds: SearchBounds): Promise<boolean> {
  const known = await connection.get(extent);
  const newest = (await connection.get(newestMessageKey))?.key ?? 0;
  const settled = !known || newest > known.through_key ? await settledKey(connection) : 0;
  if (!known) {
    // An empty index grows in both directions, so that the newest messages are found soon and older ones later.
    const through = Math.max(0, settled - bounds.tailAtFirst);
    await connection.run(firstExtent, through + 1, through);
  }
  await connection.exec('BEGIN');
  try {
    const row = await connection.get(lockedExtent);
    const given = row && { connection, from: row.from_key, through: row.through_key, bounds };
    const isDone = given && ((await takeNew(given, settled)) || (await takeChanges(given)) || (await takeOlder(given)));
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
  await connection.list(
    dropWords,
    keys.filter((key) => !left.has(key)),
  );
  await putAll(connection, taken, bounds);
  await connection.list(
    dropChanges,
    done.map(({ key }) => key),
  );
  return true;
}

async function putAll(connection: PostgresConnection, rows: readonly IndexedRow[], bounds: SearchBounds) {
  const entries: [key: number, words: string][] = [];
  for (const { key, chat_key: chat, sender_key: sender, record } of rows) {
    const whole = record ?? (await connection.get(recordByKey, key))?.record ?? '{}';
    const words = wordsVector(partOf(key, bounds), chat, sender, searchedText(whole));
    if (words !== null) entries.push([key, words]);
  }
  if (entries.length === 0) return;
  await Promise.all([connection.run(putWords, JSON.stringify(entries)), connection.all(sortIn)]);
}
