import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Sql, SqlValue, Statement } from '../sql.ts';

// How many values a prepared `(:list)` has; longer lists are cut into runs of the largest.
const LIST_SIZES = [1, 4, 16, 64, 256];

export interface SqliteOptions {
  readOnly?: boolean;
}

/** The SQLite engine of the port: one connection, statements prepared once. Answers synchronously. */
export class SqliteConnection implements Sql {
  readonly database: DatabaseSync;
  readonly accountJson = new Map<number, string>();
  /** Counts statements that wrote, so that a caller can tell whether a unit changed anything. */
  writes = 0;
  #prepared = new Map<string, StatementSync>();

  constructor(file: string, { readOnly = false }: SqliteOptions = {}) {
    this.database = new DatabaseSync(file, { readOnly, timeout: 5_000 });
    this.database.exec(
      readOnly
        ? 'PRAGMA query_only = 1; PRAGMA cache_size = -65536; PRAGMA mmap_size = 268435456;'
        : 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA wal_autocheckpoint = 10000; PRAGMA cache_size = -65536;',
    );
  }

  get<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Row | undefined {
    if (isWrite(statement.sql)) this.writes += 1;
    // Rows are as their statement declares them; the contract suite runs each one.
    return this.#prepare(statement.sql).get(...params) as Row | undefined;
  }

  all<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): Row[] {
    if (isWrite(statement.sql)) this.writes += 1;
    return this.#prepare(statement.sql).all(...params) as Row[]; // as above
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
      const padded = [...part, ...Array<SqlValue>(size - part.length).fill(last)];
      const marks = padded.map((_, at) => `?${params.length + at + 1}`).join(', ');
      rows.push(...(this.#prepare(statement.sql.replace(':list', marks)).all(...params, ...padded) as Row[])); // as above
    }
    return rows;
  }

  run<Row, Params extends readonly SqlValue[]>(statement: Statement<Row, Params>, ...params: Params): number {
    this.writes += 1;
    return Number(this.#prepare(statement.sql).run(...params).changes);
  }

  exec(sql: string): void {
    this.database.exec(sql);
  }

  /** A statement that steers the transaction, prepared once: several a unit. */
  control(sql: string): void {
    this.#prepare(sql).run();
  }

  get inTransaction(): boolean {
    return this.database.isTransaction;
  }

  close(): void {
    this.#prepared.clear();
    this.database.close();
  }

  #prepare(sql: string): StatementSync {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      prepared = this.database.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}

const isWrite = (sql: string): boolean => !/^\s*(select|with)/i.test(sql);
