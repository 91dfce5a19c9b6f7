import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DiskStorage } from '../../files/engines/disk-files.ts';
import { removeIndexFile, searchFile } from '../../search/engines/index-file.ts';
import { assertNoNode } from '../../store/engines/data-dir-kind.ts';
import { type Lock, lockDataDir } from '../../store/engines/data-dir-lock.ts';
import { SqliteConnection } from '../../store/engines/sqlite.ts';
import { indexEvents, lastTrimmed, setMeta, countEvents } from '../../store/log.ts';
import { migrateSqlite } from '../../store/migrate.ts';
import { flush } from '../backup.ts';
import { databaseFile, openDatabase } from '../database.ts';
import { Failure } from '../failure.ts';
import { lockUnserved } from '../reach.ts';
import { reservedOf } from '../start-anew.ts';
import type { Source, Target } from './sides.ts';

const storageOf = (dataDir: string): DiskStorage => new DiskStorage(join(dataDir, 'files', 'stored'));

/** Reads from one snapshot. If no service runs, the lock prevents one from starting. */
export async function embeddedSource(dataDir: string): Promise<Source> {
  const sql = openDatabase(dataDir, { readOnly: true });
  let lock: Lock | undefined;
  try {
    lock = lockDataDir(dataDir);
  } catch {
    // A running service holds the lock.
  }
  sql.exec('BEGIN');
  return {
    name: databaseFile(dataDir),
    sql,
    storage: storageOf(dataDir),
    isLive: lock === undefined,
    head: await reservedOf(sql),
    async [Symbol.asyncDispose]() {
      sql.close();
      lock?.release();
    },
  };
}

/** Fills a temporary database, and moves it into place once it is complete. */
export function embeddedTarget(dataDir: string): Target {
  const file = databaseFile(dataDir);
  assertNoNode(dataDir);
  if (existsSync(file)) throw new Failure(`there is a database in ${dataDir} already`);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockUnserved(dataDir);
  const part = `${file}.importing`;
  const removePart = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(part + suffix, { force: true });
  };
  removePart();
  const sql = new SqliteConnection(part);
  migrateSqlite(sql);
  // The tables are empty, so the migrations derived no rows; derived rows are part of the export.
  sql.exec('BEGIN IMMEDIATE');
  return {
    name: file,
    sql,
    storage: storageOf(dataDir),
    goOnAbove(head) {
      sql.run(setMeta, 'seq_reserved', String(head));
      // Rebuilds the index by scope.
      sql.run(indexEvents, 0, head);
      const count = sql.get(countEvents)?.count ?? 0;
      sql.run(setMeta, 'events_indexed_through', String(head));
      sql.run(setMeta, 'events_kept_from', String((sql.get(lastTrimmed)?.last ?? 0) + 1));
      sql.run(setMeta, 'events_indexed', String(count));
    },
    commit() {
      sql.exec('COMMIT; PRAGMA journal_mode = DELETE');
      sql.close();
      flush(part);
      removeIndexFile(searchFile(dataDir));
      renameSync(part, file);
    },
    async [Symbol.asyncDispose]() {
      if (sql.database.isOpen) sql.close();
      removePart();
      lock.release();
    },
  };
}
