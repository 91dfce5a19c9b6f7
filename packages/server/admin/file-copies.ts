import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where a DATA_DIR has the bytes of uploaded files. */
const storedIn = (dataDir: string): string => join(dataDir, 'files', 'stored');
/** Where a backup has them. */
export const filesOf = (backup: string): string => `${backup}.files`;

/**
 * Copies the bytes of all uploaded files beside a backup, behind the database: what has gone by then was deleted
 * meanwhile (ADMIN-13). Answers how many. Bytes never change, so that a link is as good as a copy.
 */
export function backUpFiles(dataDir: string, backup: string): number {
  return copyAll(storedIn(dataDir), filesOf(backup));
}

/** Puts the bytes of a backup beside those that are there; answers how many were missing. */
export function restoreFiles(dataDir: string, backup: string): number {
  return copyAll(filesOf(backup), storedIn(dataDir));
}

function copyAll(from: string, to: string): number {
  if (!existsSync(from)) return 0;
  let copied = 0;
  for (const folder of readdirSync(from)) {
    mkdirSync(join(to, folder), { recursive: true, mode: 0o700 });
    for (const name of readdirSync(join(from, folder)))
      if (copyOne(join(from, folder, name), join(to, folder, name))) copied += 1;
  }
  return copied;
}

/** False for what is there already, or no longer. */
function copyOne(from: string, to: string): boolean {
  if (existsSync(to)) return false;
  try {
    linkSync(from, to);
  } catch {
    // Another disk, or one without links.
    if (!existsSync(from)) return false;
    copyFileSync(from, to);
  }
  return true;
}
