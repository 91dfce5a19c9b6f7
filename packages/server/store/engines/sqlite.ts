// engines/: what runs the statements, here SQLite: its connections, the thread that writes, the units of a batch.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Sql, SqlValue, Statement } from '../sql.ts';

// How many values a prepared `(:list)` has; longer lists are cut into runs of the largest.
const LIST_SIZES = [1, 4, 16, 64, 256];
const PAGE_BYTES = 4_096;
/** Pages in the write-ahead log before they are copied into the database. */
const CHECKPOINT_PAGES = 10_000;
/** Negative: KiB, as SQLite has it. */
const CACHE_KIB = -65_536;

interface Prepared {
  statement: StatementSync;
  isWrite: boolean;
}

export interface SqliteOptions {
  readOnly?: boolean;
}

/** The SQLite engine of the port: one connection, statements prepared once. Answers synchronously. */
export class SqliteConnection implements Sql {
  readonly database: DatabaseSync;
  readonly accountJson = new Map<number, string>();
  /** Counts statements that wrote, so that a caller can tell whether a unit changed anything. */
  writes = 0;
  #prepared = new Map<string, Prepared>();
  /** Texts with a list, by their number of places. */
  #lists = new Map<string, Map<number, string>>();

  constructor(file: string, { readOnly = false }: SqliteOptions = {}) {
    this.database = new DatabaseSync(file, { readOnly, timeout: 5_000 });
    this.database.exec(
      readOnly
        ? `PRAGMA query_only = 1; PRAGMA cache_size = ${CACHE_KIB}; PRAGMA mmap_size = 268435456;`
        : `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;
           PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA cache_size = ${CACHE_KIB};`,
    );
  }

  get<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Row | undefined {
    // Rows are as their statement declares them; the contract suite runs each one.
    return this.#use(statement.sql).get(...params) as Row | undefined;
  }

  all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Row[] {
    return this.#use(statement.sql).all(...params) as Row[]; // as above
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
      for (const row of this.#use(sql).all(...params, ...part)) rows.push(row as Row); // as above
    }
    return rows;
  }

  gather<Row, Key extends SqlValue>(statement: Statement<Row, [key: Key]>, keys: Iterable<Key>): Row[] {
    // One look-up by its key costs less than its share of a statement with a list.
    const prepared = this.#use(statement.sql);
    const rows: Row[] = [];
    for (const key of keys) {
      const row = prepared.get(key);
      if (row) rows.push(row as Row); // as above
    }
    return rows;
  }

  run<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): number {
    return Number(this.#use(statement.sql).run(...params).changes);
  }

  exec(sql: string): void {
    this.database.exec(sql);
  }

  /** A statement that steers the transaction, prepared once: several a unit. */
  control(sql: string): void {
    this.#use(sql).run();
  }

  /**
   * Makes the write-ahead log as long as it gets between two checkpoints: a commit into a file that need not grow
   * takes about half as long. What a small cache spills of a transaction stays behind when it is rolled back.
   */
  growLog(): void {
    this.exec('PRAGMA cache_size = 200; BEGIN; CREATE TABLE log_growth (filler BLOB)');
    this.exec(`INSERT INTO log_growth VALUES (zeroblob(${CHECKPOINT_PAGES * PAGE_BYTES}))`);
    this.exec(`ROLLBACK; PRAGMA cache_size = ${CACHE_KIB}`);
  }

  get inTransaction(): boolean {
    return this.database.isTransaction;
  }

  close(): void {
    this.#prepared.clear();
    this.database.close();
  }

  /** The text with so many places in its list. */
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

// A limit that is a bare parameter makes SQLite look at its value while it plans: the statement would be compiled anew
// at every run, which takes longer than most of them. A sum is not looked at.
const inWordsOfSqlite = (sql: string): string =>
  sql.replaceAll(/\bLIMIT \$(\d+)/g, 'LIMIT (?$1 + 0)').replaceAll(/\$(\d+)/g, '?$1');
