import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { existingDatabase } from './database.ts';
import { Failure } from './failure.ts';

/**
 * Writes the database as it is at one moment into a new file (ADMIN-8). `VACUUM INTO` reads from one snapshot, however
 * much the service writes meanwhile, and holds nobody up; an online backup would begin anew with each foreign write.
 */
export function backUp(dataDir: string, file: string): void {
  const source = existingDatabase(dataDir);
  claim(file);
  // The name is taken by an empty file until all is written: a backup that was cut short is never taken for one.
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

/** Makes an empty file for the owner alone, and none where there is one already. */
function claim(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new Failure(`${file} is there already, and is not overwritten`, { cause: error });
    throw error;
  }
}

/** Waits until a file is on the disk. */
export function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
