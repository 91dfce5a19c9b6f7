import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileTermsOfQuery } from '../../rules/file-terms.ts';
import type { NearWords } from '../../rules/near-words.ts';
import type { SearchQuery } from '../../rules/search-query.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import type { SqlValue, Statement } from '../../store/sql.ts';
import type { Indexed } from '../held.ts';
import { defaultBounds } from './bounds.ts';
import { CREATE_MERGES, IndexMerges } from './index-merges.ts';

/** Increased when the file's layout or the form of words changes: a file of another layout is rebuilt. */
const LAYOUT = 3;
/** SQLite's error codes for a file that is damaged or not a database. */
const DAMAGES = new Set([11, 26]);

/** What the index contains: every searchable message of [from, through], as it was at the change number `changes`. */
export interface Extent {
  from: number;
  through: number;
  /** The id of the message at `through`; another id means that the index belongs to another database. */
  throughId: string;
  changes: number;
  /**
   * The files of all messages from `from` on are indexed, as of the change `changes` of file texts. Undefined in an
   * index of an earlier version.
   */
  files?: { from: number; changes: number } | undefined;
}

export interface Entry extends Indexed {
  key: number;
  /** The message's words, separated by spaces. */
  words: string;
}

/** A file of a message, at its place among the attachments. */
export interface FileEntry extends Indexed {
  key: number;
  place: number;
  /** Each of the file's terms once. */
  terms: Iterable<string>;
}

interface FilePlace {
  key: number;
  place: number;
}

export interface Terms {
  query: SearchQuery;
  /** Null: any conversation. */
  chatKeys: readonly number[] | null;
  /** 0: any sender. */
  senderKey: number;
  /** The mark that the message must have; 0 for none. */
  mark: number;
}

/** Row ids of files are the key of their message times this, plus their place: more than a message has attachments. */
const PLACES = 16;

// Not made by `statement`: these texts run only on this file, and only on SQLite.
const sql = <Row, Params extends readonly SqlValue[] = []>(text: string): Statement<Row, Params> => ({ sql: text });
const getState = sql<{ value: string }>("SELECT value FROM state WHERE name = 'extent'");
const setState = sql<never, [value: string]>("INSERT OR REPLACE INTO state (name, value) VALUES ('extent', $1)");
const tableNames = sql<{ name: string }>(
  "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE part%' OR sql LIKE 'CREATE VIRTUAL TABLE files%'",
);
const layout = sql<{ user_version: number }>('PRAGMA user_version');

/**
 * The index of the embedded engine: FTS5 in a file of its own. It may be lost, because it can be rebuilt from
 * the database. So backups do not include it, filling it delays no commit, and after a power cut only the last part is
 * indexed again.
 *
 * Each range of `partKeys` keys has its own table, and another one for the files of its messages, which holds no
 * positions: files are long, and file-snippet.ts checks them (SEARCH-20). A query runs table by table, newest first, so
 * its cost and that of SQLite's merges are bounded by one table, however many messages there are. rules/search-words.ts
 * splits words; FTS5's own tokenizer only splits at spaces.
 */
export class IndexFile {
  readonly #file: string;
  readonly #partKeys: number;
  /** Called before what was read from the database is committed to the index. */
  beforeCommit: () => void = () => {};
  #connection: SqliteConnection;
  #tables = new Set<string>();
  readonly #merges = new IndexMerges();

  constructor(file: string, { partKeys } = defaultBounds) {
    this.#file = file;
    this.#partKeys = partKeys;
    this.#connection = this.#open();
  }

  /** The extent of the index; undefined if the index is new. */
  get extent(): Extent | undefined {
    const row = this.#connection.get(getState);
    return row && (JSON.parse(row.value) as Extent); // written by `write`
  }

  /** Changes the index and its extent in one transaction. */
  write(extent: Extent, change: () => void): void {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      change();
      this.#merges.store(this.#connection);
      this.#connection.run(setState, JSON.stringify(extent));
      this.beforeCommit();
      this.#connection.exec('COMMIT');
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
      this.#tables = this.#storedTables();
      this.#merges.reset();
      throw error;
    }
  }

  /** Does one step of merging; false if nothing is due or, if `isBusy`, all of it can wait. */
  merge(extent: Extent, { isBusy = false } = {}): boolean {
    const part = this.#partOf(extent.through);
    if (!this.#merges.isDue(this.#connection, [partName(part), filesName(part)], isBusy)) return false;
    this.write(extent, () => this.#merges.step(this.#connection));
    return true;
  }

  put({ key, chatKey, senderKey, marks, words }: Entry): void {
    const table = this.#make(partName(this.#partOf(key)), PART_OPTIONS);
    this.#merges.noteRow(table);
    this.#write(
      sql<never, [number, string, string]>(`INSERT INTO ${table} (rowid, words, place) VALUES ($1, $2, $3)`),
      key,
      words,
      [`c${chatKey}`, `s${senderKey}`, ...marks.map((mark) => `m${mark}`)].join(' '),
    );
  }

  remove(key: number): void {
    const table = partName(this.#partOf(key));
    if (!this.#tables.has(table)) return;
    this.#write(sql<never, [number]>(`DELETE FROM ${table} WHERE rowid = $1`), key);
  }

  putFile({ key, place, chatKey, senderKey, marks, terms }: FileEntry): void {
    const table = this.#make(filesName(this.#partOf(key)), FILES_OPTIONS);
    this.#merges.noteRow(table);
    const words = [...terms, `_c${chatKey}`, `_s${senderKey}`, ...marks.map((mark) => `_m${mark}`)].join(' ');
    this.#write(
      sql<never, [number, string]>(`INSERT INTO ${table} (rowid, words) VALUES ($1, $2)`),
      key * PLACES + place,
      words,
    );
  }

  /** Removes the files of a message. */
  removeFiles(key: number): void {
    const table = filesName(this.#partOf(key));
    if (!this.#tables.has(table)) return;
    this.#write(
      sql<never, [number, number]>(`DELETE FROM ${table} WHERE rowid >= $1 AND rowid < $2`),
      key * PLACES,
      (key + 1) * PLACES,
    );
  }

  /** The lowest key of the part that a key is in. */
  firstOfPart(key: number): number {
    return this.#partOf(key) * this.#partKeys;
  }

  /** Keys of one part that match the terms, newest first. */
  keys(terms: Terms, first: number, last: number, limit: number): number[] {
    return this.#rowIds(partName(this.#partOf(last)), matchText(terms), first, last, limit);
  }

  /**
   * Files of messages of one part that may match the terms, newest message first: after `limit` files it ends with the
   * last file of their message.
   */
  files(terms: Terms, first: number, last: number, limit: number): FilePlace[] {
    const table = filesName(this.#partOf(last));
    const match = matchFiles(terms);
    const rowIds = this.#rowIds(table, match, first * PLACES, last * PLACES + PLACES - 1, limit);
    const lowest = rowIds.length < limit ? undefined : rowIds.at(-1);
    if (lowest !== undefined)
      rowIds.push(...this.#rowIds(table, match, lowest - (lowest % PLACES), lowest - 1, PLACES));
    return rowIds.map((rowId) => ({ key: Math.floor(rowId / PLACES), place: rowId % PLACES }));
  }

  #rowIds(table: string, match: string, first: number, last: number, limit: number): number[] {
    if (!this.#tables.has(table)) return [];
    const rows = this.#connection.all(
      sql<{ key: number }, [string, number, number, number]>(
        `SELECT rowid AS key FROM ${table} WHERE ${table} MATCH $1 AND rowid >= $2 AND rowid <= $3
         ORDER BY rowid DESC LIMIT $4`,
      ),
      match,
      first,
      last,
      limit,
    );
    return rows.map(({ key }) => key);
  }

  /** Deletes everything. */
  empty(): void {
    this.#connection.close();
    removeIndexFile(this.#file);
    this.#merges.reset();
    this.#connection = this.#open();
  }

  close(): void {
    this.#connection.close();
  }

  #partOf(key: number): number {
    return Math.floor(key / this.#partKeys);
  }

  /**
   * `run` would return the last row id as a number, and fail: FTS5 uses row ids beyond the safe integers. For the
   * same reason transactions are started and ended by `exec`.
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
    // A power cut may lose the last writes: those messages are then indexed again.
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 1000');
    this.#tables = this.#storedTables(connection);
    return connection;
  }

  #storedTables(connection = this.#connection): Set<string> {
    return new Set(connection.all(tableNames).map(({ name }) => name));
  }

  #make(name: string, options: string): string {
    if (!this.#tables.has(name)) {
      // Prefixes of two to four letters have their own index; without it SQLite would scan all words. The texts are not
      // stored: hits are read from the database, which has their current version.
      this.#connection.exec(
        `CREATE VIRTUAL TABLE ${name} USING fts5(${options}, content = '', contentless_delete = 1, prefix = '2 3 4')`,
      );
      // Merges a little with each block; one large merge would delay concurrent searches.
      this.#connection.exec(`INSERT INTO ${name} (${name}, rank) VALUES ('crisismerge', 250)`);
      this.#tables.add(name);
    }
    return name;
  }
}

function initialised(connection: SqliteConnection): SqliteConnection {
  connection.exec('CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL)');
  connection.exec(CREATE_MERGES);
  connection.exec(`PRAGMA user_version = ${LAYOUT}`);
  return connection;
}

/** The index file, beside the database. */
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

const PART_OPTIONS = "words, place, tokenize = 'ascii'";
// Without positions there are no columns to tell apart: `_` begins the conversation, the sender and the marks.
const FILES_OPTIONS = `words, detail = none, tokenize = "ascii tokenchars '_'"`;
const partName = (part: number): string => `part${part}`;
const filesName = (part: number): string => `files${part}`;

/** Terms contain only letters and digits, so nothing in them is FTS5 syntax. */
function matchText({ query, chatKeys, senderKey, mark }: Terms): string {
  const parts = query.map(({ terms, isPrefix, near }) =>
    near ? nearText(near) : `"${terms.join(' ')}"${isPrefix ? '*' : ''}`,
  );
  const words = `words : (${parts.join(' AND ')})`;
  const chats = chatKeys ? ` AND place : (${chatKeys.map((key) => `c${key}`).join(' OR ')})` : '';
  const sender = senderKey === 0 ? '' : ` AND place : s${senderKey}`;
  return words + chats + sender + (mark === 0 ? '' : ` AND place : m${mark}`);
}

function nearText({ head, starts, whole }: NearWords): string {
  const begins = [head, ...starts].map((start) => `"${start}"*`);
  return `(${[...begins, ...Array.from(whole, (word) => `"${word}"`)].join(' OR ')})`;
}

function matchFiles({ query, chatKeys, senderKey, mark }: Terms): string {
  const terms = fileTermsOfQuery(query).map(({ term, isPrefix }) => `"${term}"${isPrefix ? '*' : ''}`);
  const chats = chatKeys ? [`(${chatKeys.map((key) => `"_c${key}"`).join(' OR ')})`] : [];
  const sender = senderKey === 0 ? [] : [`"_s${senderKey}"`];
  const marks = mark === 0 ? [] : [`"_m${mark}"`];
  return [...terms, ...chats, ...sender, ...marks].join(' AND ');
}
