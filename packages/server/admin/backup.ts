import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { existingDatabase } from './database.ts';
import { Failure } from './failure.ts';

/**
 * Writes a snapshot of the database to a new file (ADMIN-8). `VACUUM INTO` reads one snapshot while the service keeps
 * writing, and blocks nothing; SQLite's online backup would restart with every write of another process.
 */
export function backUp(dataDir: string, file: string): void {
  const source = existingDatabase(dataDir);
  claim(file);
  // An empty file reserves the name until the backup is complete, so that a partial one is never mistaken for a backup.
  const part = `${file}.${randomUUID()}.part`;
  try {
    claim(part);
    const database = new DatabaseSync(source, { readOnly: true, timeout: 5_000 });
    try {
      database.prepare('VACUUM INTO ?').run(part);
    } finally {
      database.close();
    }
    flush(part);
    renameSync(part, file);
  } catch (error) {
    for (const name of [part, file]) rmSync(name, { force: true });
    throw error;
  }
}

/** Creates an empty file readable only by its owner; fails if the file exists. */
function claim(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new Failure(`${file} already exists and is not overwritten`, { cause: error });
    throw error;
  }
}

/** Waits until the file's content is durable. */
export function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
