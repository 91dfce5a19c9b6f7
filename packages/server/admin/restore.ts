import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { removeIndexFile, searchFile } from '../search/engines/index-file.ts';
import { SqliteConnection } from '../store/engines/sqlite.ts';
import { emptyIndex, emptyLog, getMeta, noteAllTrimmed, setMeta } from '../store/log.ts';
import { migrateSqlite } from '../store/migrate.ts';
import { emptyPushQueue } from '../store/push-queue.ts';
import { flush } from './backup.ts';
import { compareVersion, damageOf, databaseFile } from './database.ts';
import { Failure, messageOf } from './failure.ts';
import { planStrays, restoreFiles } from './file-copies.ts';
import { lockUnserved, type Site } from './reach.ts';

/** How far the log numbers jump: further than clients can have received events since the backup. */
const COUNTER_LEAP = 2 ** 40;
/** Suffixes of the database file and of SQLite's files beside it. */
const PARTS = ['', '-wal', '-shm'];

/**
 * Replaces the database, which no process may be using, with a backup. Empties the log and makes its numbers jump, so
 * that every client reloads (ADMIN-10). Restores the bytes of files before the rows (ADMIN-13). Returns the path of the
 * previous database, if there was one, how many files were restored, and how many stored files the backup does not
 * name.
 */
export function restore({ dataDir, clock }: Pick<Site, 'dataDir' | 'clock'>, backup: string): Restored {
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
      prepare(
        copy,
        () => (hadOne ? closeFormer(file) : 0),
        (connection) => {
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
function prepare(copy: string, formerCounter: () => number, bringFiles: (connection: SqliteConnection) => void): void {
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(copy);
    const damage = damageOf(connection);
    if (damage.length > 0) throw new Failure(`the backup is damaged: ${damage.join('; ')}`);
    compareVersion(connection);
    migrateSqlite(connection);
    startAnew(connection, formerCounter());
    bringFiles(connection);
    connection.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`the backup cannot be used: ${messageOf(error)}`, { cause: error });
  } finally {
    connection?.close();
  }
  flush(copy);
}

function startAnew(connection: SqliteConnection, formerCounter: number): void {
  const counter = Math.max(Number(connection.get(getMeta, 'seq_reserved')?.value ?? 0), formerCounter) + COUNTER_LEAP;
  if (!Number.isSafeInteger(counter)) throw new Failure('the log numbers cannot leap any further');
  connection.exec('BEGIN IMMEDIATE');
  connection.run(emptyLog);
  connection.run(emptyIndex);
  connection.run(noteAllTrimmed, counter);
  connection.run(setMeta, 'seq_reserved', String(counter));
  connection.run(setMeta, 'events_indexed_through', String(counter));
  connection.run(setMeta, 'events_kept_from', String(counter + 1));
  // The pushes of these messages were sent long ago.
  connection.run(emptyPushQueue);
  connection.exec('COMMIT');
}

/**
 * Merges the previous database into one file, which needs exclusive access (a backup may be running), and returns its
 * log number, so that restoring the same backup twice never reuses numbers. A damaged database is set aside unchanged.
 */
function closeFormer(file: string): number {
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(file);
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
    return Number(connection.get(getMeta, 'seq_reserved')?.value ?? 0);
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
