import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '../../core/config-error.ts';

/** How long a process that starts waits for one that is ending. */
const PATIENCE_MS = 2_000;

export interface Lock {
  release(): void;
}

/**
 * One process at a time may give out the numbers of a DATA_DIR, or put another database into its place (ADMIN-9). The
 * lock is SQLite's own on an empty database beside the real one: the system frees it however the process ends.
 */
export function lockDataDir(dataDir: string): Lock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'service.lock');
  writeFileSync(file, '', { mode: 0o600, flag: 'a' });
  const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw new ConfigError(`DATA_DIR: another process works on ${dataDir}`, { cause: error });
  }
  return { release: () => void (database.isOpen && database.close()) };
}
