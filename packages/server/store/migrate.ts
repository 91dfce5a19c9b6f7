import { readFileSync, readdirSync } from 'node:fs';
import type { SqliteConnection } from './engines/sqlite.ts';

export interface Dialect {
  key: string;
  int: string;
  blob: string;
  by_key: string;
}

export const sqliteDialect: Dialect = {
  key: 'INTEGER PRIMARY KEY',
  int: 'INTEGER',
  blob: 'BLOB',
  by_key: 'WITHOUT ROWID',
};

const folder = new URL('./migrations/', import.meta.url);

/** The numbered migrations in their order, in the words of one engine. */
export function migrations(dialect: Dialect): { number: number; sql: string }[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .toSorted()
    .map((name) => ({
      number: Number(name.slice(0, 4)),
      sql: readFileSync(new URL(name, folder), 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => {
        if (!Object.hasOwn(dialect, word)) throw new Error(`${name}: no word of the dialect is named ${word}`);
        return dialect[word as keyof Dialect]; // checked above
      }),
    }));
}

/** Brings an embedded database up to date, each migration in a transaction of its own. */
export function migrateSqlite(connection: SqliteConnection): void {
  const row = connection.get<{ user_version: number }, []>({ sql: 'PRAGMA user_version' });
  for (const { number, sql } of migrations(sqliteDialect)) {
    if (number <= (row?.user_version ?? 0)) continue;
    connection.exec('BEGIN IMMEDIATE');
    try {
      connection.exec(sql);
      connection.exec(`PRAGMA user_version = ${number}`);
      connection.exec('COMMIT');
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      throw error;
    }
  }
}
