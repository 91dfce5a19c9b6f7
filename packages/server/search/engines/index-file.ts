import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchQuery } from '../../rules/search-query.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import type { SqlValue, Statement } from '../../store/sql.ts';
import { defaultBounds } from './bounds.ts';

/** Raised when what is in the file changes: a file of another layout is made anew. */
const LAYOUT = 1;
/** SQLite's codes for a file that is damaged, or none of its own. */
const DAMAGES = new Set([11, 26]);

/** What the index holds: every searched message of [from, through], as it was before the change behind `changes`. */
export interface Extent {
  from: number;
  through: number;
  /** The id of the message at `through`: of another database it would be another one. */
  throughId: string;
  changes: number;
}

export interface Entry {
  key: number;
  chatKey: number;
  senderKey: number;
  /** The message's words, separated by spaces. */
  words: string;
}

export interface Terms {
  query: SearchQuery;
  /** Null: not told by the index. */
  chatKeys: readonly number[] | null;
  senderKey: number;
}

// Not made by `statement`: these texts are for this file alone, and for SQLite alone.
const sql = <Row, Params extends readonly SqlValue[] = []>(text: string): Statement<Row, Params> => ({ sql: text });
const getState = sql<{ value: string }>("SELECT value FROM state WHERE name = 'extent'");
const setState = sql<never, [value: string]>("INSERT OR REPLACE INTO state (name, value) VALUES ('extent', $1)");
const partNames = sql<{ name: string }>("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE part%'");
const layout = sql<{ user_version: number }>('PRAGMA user_version');

/**
 * The index of the embedded engine: FTS5 in a file of its own. It can be lost at any time, for it is made from the
 * database; so backups do not hold it, filling it holds up no commit, and a power cut costs no more than doing the last
 * part again.
 *
 * Each so many keys have a table of their own. A query is answered table by table, newest first, so that its cost, and
 * that of SQLite's merging, is bounded by one of them, however many messages there are. Words are cut by rules/search-words.ts, so that FTS5's own tokenizer has only to part them at spaces.
 */
export class IndexFile {
  readonly #file: string;
  readonly #partKeys: number;
  #connection: SqliteConnection;
  #parts = new Set<number>();

  constructor(file: string, { partKeys } = defaultBounds) {
    this.#file = file;
    this.#partKeys = partKeys;
    this.#connection = this.#open();
  }

  /** As far as the index goes; undefined for a new one. */
  get extent(): Extent | undefined {
    const row = this.#connection.get(getState);
    return row && (JSON.parse(row.value) as Extent); // of our own writing
  }

  /** Changes the index and its extent at once, or neither. */
  write(extent: Extent, change: () => void): void {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      change();
      this.#connection.run(setState, JSON.stringify(extent));
      this.#connection.exec('COMMIT');
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
      this.#parts = this.#storedParts();
      throw error;
    }
  }

  put({ key, chatKey, senderKey, words }: Entry): void {
    const part = this.#make(this.#partOf(key));
    this.#write(
      sql<never, [number, string, string]>(`INSERT INTO ${part} (rowid, words, place) VALUES ($1, $2, $3)`),
      key,
      words,
      `c${chatKey} s${senderKey}`,
    );
  }

  remove(key: number): void {
    const part = this.#partOf(key);
    if (!this.#parts.has(part)) return;
    this.#write(sql<never, [number]>(`DELETE FROM ${partName(part)} WHERE rowid = $1`), key);
  }

  /** The lowest key of the part that a key is in. */
  firstOfPart(key: number): number {
    return this.#partOf(key) * this.#partKeys;
  }

  /** Keys of one part whose words meet the terms, newest first. */
  keys(terms: Terms, first: number, last: number, limit: number): number[] {
    const part = this.#partOf(last);
    if (!this.#parts.has(part)) return [];
    const name = partName(part);
    const rows = this.#connection.all(
      sql<{ key: number }, [string, number, number, number]>(
        `SELECT rowid AS key FROM ${name} WHERE ${name} MATCH $1 AND rowid >= $2 AND rowid <= $3
         ORDER BY rowid DESC LIMIT $4`,
      ),
      matchText(terms),
      first,
      last,
      limit,
    );
    return rows.map(({ key }) => key);
  }

  /** Begins anew. */
  empty(): void {
    this.#connection.close();
    removeIndexFile(this.#file);
    this.#connection = this.#open();
  }

  close(): void {
    this.#connection.close();
  }

  #partOf(key: number): number {
    return Math.floor(key / this.#partKeys);
  }

  /**
   * `run` would answer the last row id as a number, and fail: FTS5 leaves ids of its own there, which are larger than any
   * number that is exact. For the same reason transactions are begun and ended by `exec`.
   */
  #write<Params extends readonly SqlValue[]>(statement: Statement<never, Params>, ...params: Params): void {
    this.#connection.all(statement, ...params);
  }

  #open(): SqliteConnection {
    let connection: SqliteConnection | undefined;
    try {
      connection = this.#connect();
      const version = connection.get(layout)?.user_version;
      if (version === LAYOUT) return connection;
      if (version === 0) return initialised(connection);
      connection.close();
    } catch (error) {
      connection?.close();
      if (!isDamaged(error)) throw error;
    }
    removeIndexFile(this.#file);
    return initialised(this.#connect());
  }

  #connect(): SqliteConnection {
    const connection = new SqliteConnection(this.#file);
    // A power cut may take the last part of it: then that is indexed again.
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 1000');
    this.#parts = this.#storedParts(connection);
    return connection;
  }

  #storedParts(connection = this.#connection): Set<number> {
    return new Set(connection.all(partNames).map(({ name }) => Number(name.slice('part'.length))));
  }

  #make(part: number): string {
    const name = partName(part);
    if (!this.#parts.has(part)) {
      // Each beginning of two to four letters has a list of its own: without, SQLite would gather it from all words.
      // Without the texts themselves: hits are read from the database, which alone tells what they say today.
      this.#connection.exec(
        `CREATE VIRTUAL TABLE ${name} USING fts5(words, place, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '2 3 4')`,
      );
      // Merged a little with each block; everything at once would hold up whoever searches meanwhile.
      this.#connection.exec(`INSERT INTO ${name} (${name}, rank) VALUES ('crisismerge', 250)`);
      this.#parts.add(part);
    }
    return name;
  }
}

function initialised(connection: SqliteConnection): SqliteConnection {
  connection.exec('CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL)');
  connection.exec(`PRAGMA user_version = ${LAYOUT}`);
  return connection;
}

/** Beside the database, from which it can be made again. */
export const searchFile = (dataDir: string): string => join(dataDir, 'search.db');

export function removeIndexFile(file: string): void {
  for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true });
}

export const isDamaged = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  // The primary code is the low byte of an extended one.
  DAMAGES.has(error.errcode & 0xff);

const partName = (part: number): string => `part${part}`;

/** Terms are letters and digits alone: nothing in them means anything to FTS5. */
function matchText({ query, chatKeys, senderKey }: Terms): string {
  const parts = query.map(({ terms, isPrefix }) => `"${terms.join(' ')}"${isPrefix ? '*' : ''}`);
  const words = `words : (${parts.join(' AND ')})`;
  const chats = chatKeys ? ` AND place : (${chatKeys.map((key) => `c${key}`).join(' OR ')})` : '';
  return words + chats + (senderKey === 0 ? '' : ` AND place : s${senderKey}`);
}
