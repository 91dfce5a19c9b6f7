import { fileVersion, metaTable, integrityCheck } from '../store/engines/sqlite-file.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import { assertNoNode } from '../store/engines/data-dir-kind.ts';
import { migrations, sqliteDialect } from '../store/migrate.ts';
import { Failure } from './failure.ts';

export const databaseFile = (dataDir: string): string => join(dataDir, 'parley.db');

/** The database file of a folder; fails if it has none. */
export function existingDatabase(dataDir: string): string {
  assertNoNode(dataDir);
  const file = databaseFile(dataDir);
  if (!existsSync(file)) throw new Failure(`there is no database in ${dataDir}`);
  return file;
}

/** Opens the database of a folder without changing it; a service may be running. */
export function openDatabase(dataDir: string, options: { readOnly: boolean }): SqliteConnection {
  const file = existingDatabase(dataDir);
  const connection = new SqliteConnection(file, options);
  try {
    if (compareVersion(connection) === 'older')
      throw new Failure('the database is of an older version: start the service once to update it');
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/** Whether a database is older than this program; fails if it is newer or not a database of Parley. */
export function compareVersion(connection: SqliteConnection): 'older' | 'current' {
  const version = connection.get(fileVersion)?.user_version ?? 0;
  if (version === 0 || !connection.get(metaTable)) throw new Failure('this is not a database of Parley');
  const current = migrations(sqliteDialect).at(-1)?.number ?? 0;
  if (version > current)
    throw new Failure(`the database is of version ${version}, but this program supports only ${current}`);
  return version < current ? 'older' : 'current';
}

/** Whether the database of a folder is of this program's version. */
export function isCurrent(dataDir: string): boolean {
  const connection = new SqliteConnection(existingDatabase(dataDir), { readOnly: true });
  try {
    return compareVersion(connection) === 'current';
  } finally {
    connection.close();
  }
}

/** The damage that SQLite finds in the file; empty if there is none. */
export const damageOf = (connection: SqliteConnection): string[] =>
  connection
    .all(integrityCheck)
    .map(({ integrity_check }) => integrity_check)
    .filter((text) => text !== 'ok');
