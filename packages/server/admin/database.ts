import { fileVersion, metaTable, integrityCheck } from '../store/engines/sqlite-file.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import { assertNoNode } from '../store/engines/data-dir-kind.ts';
import { migrations, sqliteDialect } from '../store/migrate.ts';
import { Failure } from './failure.ts';

export const databaseFile = (dataDir: string): string => join(dataDir, 'parley.db');

/** The file of a folder that has one. */
export function existingDatabase(dataDir: string): string {
  assertNoNode(dataDir);
  const file = databaseFile(dataDir);
  if (!existsSync(file)) throw new Failure(`there is no database in ${dataDir}`);
  return file;
}

/** The database of a folder as it stands, also beside a running service. */
export function openDatabase(dataDir: string, options: { readOnly: boolean }): SqliteConnection {
  const file = existingDatabase(dataDir);
  const connection = new SqliteConnection(file, options);
  try {
    if (compareVersion(connection) === 'older')
      throw new Failure('the database is of an older version: start the service once, which brings it up to date');
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/** How old a database is; fails for one that is not ours, or newer than we are. */
export function compareVersion(connection: SqliteConnection): 'older' | 'current' {
  const version = connection.get(fileVersion)?.user_version ?? 0;
  if (version === 0 || !connection.get(metaTable)) throw new Failure('this is not a database of Parley');
  const current = migrations(sqliteDialect).at(-1)?.number ?? 0;
  if (version > current) throw new Failure(`the database is of version ${version}, and this program knows ${current}`);
  return version < current ? 'older' : 'current';
}

/** What SQLite finds wrong with the file; empty when it is whole. */
export const damageOf = (connection: SqliteConnection): string[] =>
  connection
    .all(integrityCheck)
    .map(({ integrity_check }) => integrity_check)
    .filter((text) => text !== 'ok');
