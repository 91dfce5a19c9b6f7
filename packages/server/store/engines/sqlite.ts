// engines/: what runs the statements. This file is the SQLite engine; those named postgres-* belong to PostgreSQL.

import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Sql, SqlValue, Statement } from '../sql.ts';

// Numbers of parameters of a prepared `(:list)`; longer lists are cut into parts of the largest.
const LIST_SIZES = [1, 4, 16, 64, 256];
const PAGE_BYTES = 4_096;
/** Share of its size that may be missing of a grown write-ahead log: pages of a large transaction stay in the cache. */
const MISSING = 0.1;
/** Default number of pages in the write-ahead log at which they are copied into the database. */
export const CHECKPOINT_PAGES = 10_000;
/** Cache size in KiB: SQLite takes a negative number as KiB, a positive one as pages. */
const CACHE_KIB = -65_536;
/** SQLite's codes for a full disk, and for a write that failed, as it does when a quota is used up. */
const NO_SPACE = new Set([13, 10 | (3 << 8)]);

/** Whether SQLite has failed because the disk has no space. */
export const isNoSpace = (error: unknown): boolean => NO_SPACE.has((error as { errcode?: number }).errcode ?? 0); // as node:sqlite throws it

interface Prepared {
  /** Returns rows as arrays of values, in the order of `columns`. */
  statement: StatementSync;
  columns: readonly string[];
  /** A row in which every value is null. */
  emptyRow: Readonly<Record<string, SqlValue>>;
  isWrite: boolean;
}

/** Lets a reading connection check whether the snapshot that it has opened is still the newest. */
export interface CommitCounter {
  /** Number of the newest commit; null while a commit is being made visible. */
  readonly newest: number | null;
}

interface SqliteOptions {
  readOnly?: boolean;
  /** Number of pages in the write-ahead log at which they are copied into the database. */
  checkpointPages?: number;
  /** False if another connection copies the write-ahead log into the database. Default true. */
  checkpoints?: boolean;
  /** False if a commit returns before it is on disk: its caller flushes the write-ahead log. Default true. */
  flushes?: boolean;
  /** Only with `readOnly`: counts the commits of the connection that writes. Reads then share a snapshot. */
  commits?: CommitCounter;
}

/**
 * The SQLite engine of the port: one connection, which prepares each statement once and answers synchronously.
 *
 * With `commits`, reads share a snapshot until a commit makes it old or the event loop turns. A read that opens a
 * snapshot of its own locks and unlocks the write-ahead log, which takes longer than a lookup by key.
 */
export class SqliteConnection implements Sql {
  readonly database: DatabaseSync;
  /** Counts statements that wrote, so that a caller can tell whether a unit changed anything. */
  writes = 0;
  readonly #checkpointPages: number;
  readonly #commits: CommitCounter | null;
  /** The newest commit when the open snapshot was opened; null if none is open. */
  #snapshot: number | null = null;
  #closing: NodeJS.Immediate | null = null;
  #prepared = new Map<string, Prepared>();
  /** Texts with a list, by the number of its parameters. */
  #lists = new Map<string, Map<number, string>>();

  constructor(
    file: string,
    {
      readOnly = false,
      checkpointPages = CHECKPOINT_PAGES,
      checkpoints = true,
      flushes = true,
      commits,
    }: SqliteOptions = {},
  ) {
    // A shared snapshot is a transaction, whose end would not be the caller's.
    if (commits && !readOnly) throw new Error('only a connection that reads shares snapshots');
    this.#commits = commits ?? null;
    this.#checkpointPages = checkpointPages;
    this.database = new DatabaseSync(file, { readOnly, timeout: 5_000 });
    this.database.exec(
      readOnly
        ? `PRAGMA query_only = 1; PRAGMA cache_size = ${CACHE_KIB}; PRAGMA mmap_size = 268435456;`
        : `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${flushes ? 'FULL' : 'NORMAL'}; PRAGMA foreign_keys = OFF;
           PRAGMA wal_autocheckpoint = ${checkpoints ? checkpointPages : 0}; PRAGMA cache_size = ${CACHE_KIB};`,
    );
  }

  get<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Row | undefined {
    const prepared = this.#read(statement.sql);
    const values = prepared.statement.get(...params);
    return values && rowOf<Row>(prepared, values);
  }

  all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Row[] {
    return rowsOf<Row>(this.#read(statement.sql), params);
  }

  /** Rows as arrays of values, in the order of their columns: for large pages, whose rows become other objects anyway. */
  tuples<Row extends readonly unknown[], Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    ...params: Params
  ): Row[] {
    // As the statement declares its rows.
    return this.#read(statement.sql).statement.all(...params) as unknown as Row[];
  }

  list<Row, Params extends readonly SqlValue[]>(
    statement: Statement<Row, Params>,
    values: readonly SqlValue[],
    ...params: Params
  ): Row[] {
    const rows: Row[] = [];
    const most = LIST_SIZES.at(-1) ?? 1;
    for (let from = 0; from < values.length; from += most) {
      const part = values.slice(from, from + most);
      const size = LIST_SIZES.find((candidate) => candidate >= part.length) ?? most;
      const last = part.at(-1) ?? null;
      while (part.length < size) part.push(last);
      const sql = this.#listSql(statement.sql, size, params.length);
      for (const row of rowsOf<Row>(this.#read(sql), [...params, ...part])) rows.push(row);
    }
    return rows;
  }

  gather<Row, Key extends SqlValue>(statement: Statement<Row, [key: Key]>, keys: Iterable<Key>): Row[] {
    // A lookup by key costs less than its share of a statement with a list.
    const prepared = this.#read(statement.sql);
    const rows: Row[] = [];
    for (const key of keys) {
      const values = prepared.statement.get(key);
      if (values) rows.push(rowOf<Row>(prepared, values));
    }
    return rows;
  }

  run<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): number {
    return Number(this.#use(statement.sql).statement.run(...params).changes);
  }

  exec(sql: string): void {
    this.database.exec(sql);
  }

  /** Runs a statement such as SAVEPOINT; prepared, because each unit runs several. */
  control(sql: string): void {
    this.#use(sql).statement.run();
  }

  /**
   * Grows the write-ahead log to its full size in advance: a commit into a file that need not grow takes about half as
   * long. With a small cache, SQLite writes the pages of a large transaction to the log, and the log keeps its size
   * after the rollback. A log that has its size stays as it is.
   */
  growLog(): void {
    const bytes = statSync(`${this.database.location()}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const missing = this.#checkpointPages * PAGE_BYTES - bytes;
    if (missing < this.#checkpointPages * PAGE_BYTES * MISSING) return;
    try {
      this.exec('PRAGMA cache_size = 200; BEGIN; CREATE TABLE log_growth (filler BLOB)');
      this.exec(`INSERT INTO log_growth VALUES (zeroblob(${missing}))`);
    } catch (error) {
      // Commits grow it then, while there is space for them.
      if (!isNoSpace(error)) throw error;
    }
    if (this.inTransaction) this.exec('ROLLBACK');
    this.exec(`PRAGMA cache_size = ${CACHE_KIB}`);
  }

  get inTransaction(): boolean {
    return this.database.isTransaction;
  }

  close(): void {
    if (this.#closing) clearImmediate(this.#closing);
    this.#prepared.clear();
    this.database.close();
  }

  /** The text with `size` parameters in its list. */
  #listSql(sql: string, size: number, offset: number): string {
    let sizes = this.#lists.get(sql);
    if (!sizes) this.#lists.set(sql, (sizes = new Map()));
    let text = sizes.get(size);
    if (text === undefined) {
      const places = Array.from({ length: size }, (_, at) => `?${offset + at + 1}`).join(', ');
      sizes.set(size, (text = sql.replace(':list', places)));
    }
    return text;
  }

  #read(sql: string): Prepared {
    if (this.#commits) this.#refresh(this.#commits.newest);
    return this.#use(sql);
  }

  /** Makes the next statement read what is committed now. */
  #refresh(newest: number | null): void {
    if (newest === this.#snapshot) return;
    this.#endSnapshot();
    // While a commit is becoming visible it is unknown whether a snapshot contains it, so none is kept.
    if (newest === null) return;
    this.control('BEGIN');
    this.#snapshot = newest;
    // A snapshot that stays open keeps the write-ahead log from restarting.
    this.#closing ??= setImmediate(() => {
      this.#closing = null;
      this.#endSnapshot();
    });
  }

  #endSnapshot(): void {
    // A read that failed for lack of space or memory, or by an error of the disk, has ended the transaction itself.
    if (this.#snapshot !== null && this.inTransaction) this.control('COMMIT');
    this.#snapshot = null;
  }

  #use(sql: string): Prepared {
    const prepared = this.#prepare(sql);
    if (prepared.isWrite) this.writes += 1;
    return prepared;
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      const statement = this.database.prepare(inWordsOfSqlite(sql));
      statement.setReturnArrays(true);
      const columns = statement.columns().map(({ name }) => name);
      const emptyRow = Object.fromEntries(columns.map((name) => [name, null]));
      const isWrite = !/^\s*(select|with|pragma|begin|savepoint|release|rollback|commit)/i.test(sql);
      this.#prepared.set(sql, (prepared = { statement, columns, emptyRow, isWrite }));
    }
    return prepared;
  }
}

/** What `node:sqlite` returns for a row of a statement with `setReturnArrays`; its types know only objects. */
type Values = ReturnType<StatementSync['get']>;

/**
 * A row as its statement declares it; the contract suite runs each statement. Rows are copies of one object, because
 * V8 reads fields of such copies much faster than those of the objects that `node:sqlite` makes.
 */
function rowOf<Row>({ columns, emptyRow }: Prepared, values: Values): Row {
  const row = { ...emptyRow };
  const read = values as unknown as readonly SqlValue[]; // by setReturnArrays
  for (let at = 0; at < columns.length; at += 1) row[columns[at] as string] = read[at] as SqlValue;
  return row as Row; // as the statement declares it
}

function rowsOf<Row>(prepared: Prepared, params: readonly SqlValue[]): Row[] {
  return prepared.statement.all(...params).map((values) => rowOf<Row>(prepared, values));
}

// If a limit is a bare parameter, SQLite plans with its value and recompiles the statement at every run, which takes
// longer than most statements. It does not do so for a sum.
const inWordsOfSqlite = (sql: string): string =>
  sql.replaceAll(/\bLIMIT \$(\d+)/g, 'LIMIT (?$1 + 0)').replaceAll(/\$(\d+)/g, '?$1');
