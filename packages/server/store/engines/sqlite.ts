// engines/: what runs the statements. This file is the SQLite engine; those named postgres-* belong to PostgreSQL.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Sql, SqlValue, Statement } from '../sql.ts';

// Numbers of parameters of a prepared `(:list)`; longer lists are cut into parts of the largest.
const LIST_SIZES = [1, 4, 16, 64, 256];
const PAGE_BYTES = 4_096;
/** Default number of pages in the write-ahead log at which they are copied into the database. */
export const CHECKPOINT_PAGES = 10_000;
/** Cache size in KiB: SQLite takes a negative number as KiB, a positive one as pages. */
const CACHE_KIB = -65_536;

interface Prepared {
  statement: StatementSync;
  isWrite: boolean;
}

export interface SqliteOptions {
  readOnly?: boolean;
  /** Number of pages in the write-ahead log at which they are copied into the database. */
  checkpointPages?: number;
  /** False if another connection copies the write-ahead log into the database. Default true. */
  checkpoints?: boolean;
  /** False if a commit returns before it is on disk: its caller flushes the write-ahead log. Default true. */
  flushes?: boolean;
}

/** The SQLite engine of the port: one connection, which prepares each statement once and answers synchronously. */
export class SqliteConnection implements Sql {
  readonly database: DatabaseSync;
  /** Counts statements that wrote, so that a caller can tell whether a unit changed anything. */
  writes = 0;
  readonly #checkpointPages: number;
  #prepared = new Map<string, Prepared>();
  /** Texts with a list, by the number of its parameters. */
  #lists = new Map<string, Map<number, string>>();

  constructor(
    file: string,
    { readOnly = false, checkpointPages = CHECKPOINT_PAGES, checkpoints = true, flushes = true }: SqliteOptions = {},
  ) {
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
    // Rows are as their statement declares them; the contract suite runs each one.
    return this.#use(statement.sql).get(...params) as Row | undefined;
  }

  all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Row[] {
    return this.#use(statement.sql).all(...params) as Row[]; // as the statement declares them
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
      for (const row of this.#use(sql).all(...params, ...part)) rows.push(row as Row); // as the statement declares it
    }
    return rows;
  }

  gather<Row, Key extends SqlValue>(statement: Statement<Row, [key: Key]>, keys: Iterable<Key>): Row[] {
    // A lookup by key costs less than its share of a statement with a list.
    const prepared = this.#use(statement.sql);
    const rows: Row[] = [];
    for (const key of keys) {
      const row = prepared.get(key);
      if (row) rows.push(row as Row); // as the statement declares it
    }
    return rows;
  }

  run<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): number {
    return Number(this.#use(statement.sql).run(...params).changes);
  }

  exec(sql: string): void {
    this.database.exec(sql);
  }

  /** Runs a statement such as SAVEPOINT; prepared, because each unit runs several. */
  control(sql: string): void {
    this.#use(sql).run();
  }

  /**
   * Grows the write-ahead log to its full size in advance: a commit into a file that need not grow takes about half as
   * long. With a small cache, SQLite writes the pages of a large transaction to the log, and the log keeps its size
   * after the rollback.
   */
  growLog(): void {
    this.exec('PRAGMA cache_size = 200; BEGIN; CREATE TABLE log_growth (filler BLOB)');
    this.exec(`INSERT INTO log_growth VALUES (zeroblob(${this.#checkpointPages * PAGE_BYTES}))`);
    this.exec(`ROLLBACK; PRAGMA cache_size = ${CACHE_KIB}`);
  }

  get inTransaction(): boolean {
    return this.database.isTransaction;
  }

  close(): void {
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

  #use(sql: string): StatementSync {
    const { statement, isWrite } = this.#prepare(sql);
    if (isWrite) this.writes += 1;
    return statement;
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      const statement = this.database.prepare(inWordsOfSqlite(sql));
      prepared = { statement, isWrite: !/^\s*(select|with|pragma|begin|savepoint|release|rollback|commit)/i.test(sql) };
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}

// If a limit is a bare parameter, SQLite plans with its value and recompiles the statement at every run, which takes
// longer than most statements. It does not do so for a sum.
const inWordsOfSqlite = (sql: string): string =>
  sql.replaceAll(/\bLIMIT \$(\d+)/g, 'LIMIT (?$1 + 0)').replaceAll(/\$(\d+)/g, '?$1');
