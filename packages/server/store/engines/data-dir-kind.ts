import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../core/config-error.ts';

const markOf = (dataDir: string): string => join(dataDir, 'of-several-nodes');

/** Marks a folder whose installation has its data in PostgreSQL, for later starts without DATABASE_URL (ADMIN-15). */
export function markNode(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(markOf(dataDir), 'This folder belongs to a node whose data is in PostgreSQL (DATABASE_URL).\n', {
    mode: 0o600,
  });
}

/** Throws for the folder of a node: a start without DATABASE_URL would create or change an embedded database there. */
export function assertNoNode(dataDir: string): void {
  const mark = markOf(dataDir);
  if (existsSync(mark))
    throw new ConfigError(
      `DATA_DIR: ${dataDir} belongs to a node whose data is in PostgreSQL: set DATABASE_URL, or remove ${mark} to use ` +
        'the folder for a single process',
    );
}
