import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { removeIndexFile, searchFile } from '../search/engines/index-file.ts';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import { migrateSqlite } from '../store/migrate.ts';
import { flush } from './backup.ts';
import type { Awaitable } from '../store/sql.ts';
import { compareVersion, damageOf, databaseFile } from './database.ts';
import { Failure, messageOf } from './failure.ts';
import { planStrays, restoreFiles } from './file-copies.ts';
import { lockUnserved, type Site } from './reach.ts';
import { shellRow } from './shell-row.ts';
import { leapAbove, reservedOf, startEmbeddedAnew } from './start-anew.ts';

/** Suffixes of the database file and of SQLite's files beside it. */
const PARTS = ['', '-wal', '-shm'];

/**
 * Replaces the database, which no process may be using, with a backup. Empties the log and makes its numbers jump, so
 * that every client reloads (ADMIN-10). Restores the bytes of files before the rows (ADMIN-13). Returns the path of the
 * previous database, if there was one, how many files were restored, and how many stored files the backup does not
 * name.
 */
export async function restore({ dataDir, clock }: Pick<Site, 'dataDir' | 'clock'>, backup: string): Promise<Restored> {
  if (!existsSync(backup)) throw new Failure(`there is no file ${backup}`);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockUnserved(dataDir);
  try {
    const file = databaseFile(dataDir);
    const hadOne = existsSync(file);
    if (hadOne && realpathSync(backup) === realpathSync(file))
      throw new Failure(`${backup} is the database itself, not a backup of it`);
    const copy = `${file}.restoring`;
    try {
      copyDatabase(backup, copy);
      let files = 0;
      let strays = 0;
      await prepare(
        copy,
        () => (hadOne ? closeFormer(file) : 0),
        async (connection) => {
          await shellRow(connection, clock.now(), { command: 'restore', details: { file: backup } });
          files = restoreFiles(dataDir, backup);
          strays = planStrays(connection, dataDir, clock.now());
        },
      );
      // The search index belongs to the previous database; the service builds a new one.
      removeIndexFile(searchFile(dataDir));
      const aside = hadOne ? moveAside(file, new Date(clock.now()).toISOString().replaceAll(':', '')) : undefined;
      renameSync(copy, file);
      return { aside, files, strays };
    } finally {
      remove(copy);
    }
  } finally {
    lock.release();
  }
}

interface Restored {
  aside: string | undefined;
  files: number;
  strays: number;
}

/** Copies the database file, and the write-ahead log that a crashed service leaves beside it. */
function copyDatabase(from: string, to: string): void {
  remove(to);
  for (const part of ['', '-wal']) {
    if (!existsSync(from + part)) continue;
    copyFileSync(from + part, to + part);
    chmodSync(to + part, 0o600);
  }
}

function remove(file: string): void {
  for (const part of PARTS) rmSync(file + part, { force: true });
}

/** Checks a copy of the backup and prepares it for the service: one complete, durable file. */
async function prepare(
  copy: string,
  formerCounter: () => Awaitable<number>,
  complete: (connection: SqliteConnection) => Promise<void>,
): Promise<void> {
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(copy);
    const damage = damageOf(connection);
    if (damage.length > 0) throw new Failure(`the backup is damaged: ${damage.join('; ')}`);
    compareVersion(connection);
    migrateSqlite(connection);
    await startAboveBoth(connection, await formerCounter());
    await complete(connection);
    connection.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`the backup cannot be used: ${messageOf(error)}`, { cause: error });
  } finally {
    connection?.close();
  }
  flush(copy);
}

/** The numbers go on above those of the backup and of the previous database. */
async function startAboveBoth(connection: SqliteConnection, former: number): Promise<void> {
  connection.exec('BEGIN IMMEDIATE');
  await startEmbeddedAnew(connection, leapAbove(Math.max(await reservedOf(connection), former)));
  connection.exec('COMMIT');
}

/**
 * Merges the previous database into one file, which needs exclusive access (a backup may be running), and returns its
 * log number, so that restoring the same backup twice never reuses numbers. A damaged database is set aside unchanged.
 */
async function closeFormer(file: string): Promise<number> {
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(file);
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
    return await reservedOf(connection);
  } catch (error) {
    if (isBusy(error)) throw new Failure('another process reads or writes the database', { cause: error });
    return 0;
  } finally {
    connection?.close();
  }
}

const SQLITE_BUSY = 5;
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;

/**
 * Sets the database aside and also leaves it in place, so that a service started in between does not create an empty
 * one.
 */
function moveAside(file: string, time: string): string {
  const aside = `${file}.before-restore-${time}`;
  for (const part of PARTS.slice(1)) if (existsSync(file + part)) renameSync(file + part, aside + part);
  try {
    linkSync(file, aside);
  } catch {
    // A file system without links.
    renameSync(file, aside);
  }
  return aside;
}
