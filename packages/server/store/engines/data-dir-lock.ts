import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '../../core/config-error.ts';

/** How long a starting process waits for another one that is stopping. */
const PATIENCE_MS = 2_000;

export interface Lock {
  release(): void;
}

/**
 * Only one process at a time may write to a DATA_DIR or replace its database (ADMIN-9). The lock is SQLite's own, on an
 * empty database beside the real one; the operating system releases it when the process ends, in whatever way.
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
    throw new ConfigError(`DATA_DIR: another process uses ${dataDir}`, { cause: error });
  }
  return { release: () => void (database.isOpen && database.close()) };
}
