import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../core/config-error.ts';

const markOf = (dataDir: string): string => join(dataDir, 'of-several-nodes');

/** Tells whoever comes later without DATABASE_URL that what the installation holds is not here (ADMIN-15). */
export function markNode(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(markOf(dataDir), 'A node of several works here: its data is in PostgreSQL (DATABASE_URL).\n', {
    mode: 0o600,
  });
}

/** Fails for the folder of a node: without DATABASE_URL something new would be made there, or something old changed. */
export function assertNoNode(dataDir: string): void {
  const mark = markOf(dataDir);
  if (existsSync(mark))
    throw new ConfigError(
      `DATA_DIR: ${dataDir} is of a node whose data is in PostgreSQL: set DATABASE_URL, or remove ${mark} if it is to ` +
        'be of one process alone',
    );
}
