import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { avatarNameOf } from '../files/avatars.ts';
import { pictureNameOf } from '../files/emoji.ts';
import { idBytes } from '../core/ids.ts';
import type { SqliteConnection } from '../store/engines/sqlite.ts';
import { emojiWithPicture } from '../store/emoji.ts';
import { avatarByName, fileById, planRemovalOnce } from '../store/files.ts';

/** The folder of a DATA_DIR with the bytes of uploaded files. */
const storedIn = (dataDir: string): string => join(dataDir, 'files', 'stored');
/** The folder of a backup with the bytes of uploaded files. */
export const filesOf = (backup: string): string => `${backup}.files`;

/**
 * Copies the bytes of all uploaded files to a folder beside a backup (ADMIN-13). Runs after the backup of the database,
 * so a file that is missing was deleted since. Returns how many were copied. Bytes never change, so a link is as good
 * as a copy.
 */
export function backUpFiles(dataDir: string, backup: string): number {
  return copyAll(storedIn(dataDir), filesOf(backup));
}

/** Adds the bytes of a backup to those already stored; returns how many were missing. */
export function restoreFiles(dataDir: string, backup: string): number {
  return copyAll(filesOf(backup), storedIn(dataDir));
}

/** How long the bytes of the previous database are kept, so that it can be restored. */
const KEPT_MS = 7 * 86_400_000;

/**
 * Plans the removal of bytes that no row of a restored database names; nothing else would ever find them (FILE-12).
 * Returns how many there are.
 */
export function planStrays(connection: SqliteConnection, dataDir: string, now: number): number {
  let strays = 0;
  connection.exec('BEGIN IMMEDIATE');
  for (const name of storedNames(dataDir))
    if (!isNamed(connection, name)) strays += connection.run(planRemovalOnce, name, now + KEPT_MS);
  connection.exec('COMMIT');
  return strays;
}

function isNamed(connection: SqliteConnection, name: string): boolean {
  const avatar = avatarNameOf(name);
  if (avatar !== undefined) return connection.get(avatarByName, avatar) !== undefined;
  const picture = pictureNameOf(name);
  if (picture !== undefined) return connection.get(emojiWithPicture, picture) !== undefined;
  const [, id, small] = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(-thumbnail)?$/.exec(name) ?? [];
  const file = id === undefined ? undefined : connection.get(fileById, idBytes(id));
  return file !== undefined && (small === undefined || file.thumbnail_size > 0);
}

/** Files in the storage's folders that are named like the service's own; others are left alone. */
function* storedNames(dataDir: string): Generator<string> {
  const root = storedIn(dataDir);
  if (!existsSync(root)) return;
  for (const folder of readdirSync(root, { withFileTypes: true }))
    if (folder.isDirectory() && folder.name.length === 2)
      for (const name of readdirSync(join(root, folder.name)))
        if (/^[\w-]{4,80}$/.test(name) && name.endsWith(folder.name)) yield name;
}

function copyAll(from: string, to: string): number {
  if (!existsSync(from)) return 0;
  let copied = 0;
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const folder = entry.name;
    mkdirSync(join(to, folder), { recursive: true, mode: 0o700 });
    for (const name of readdirSync(join(from, folder)))
      if (copyOne(join(from, folder, name), join(to, folder, name))) copied += 1;
  }
  return copied;
}

/** False if the copy exists already, or the source was deleted. */
function copyOne(from: string, to: string): boolean {
  if (existsSync(to)) return false;
  try {
    linkSync(from, to);
  } catch {
    // Another disk, or a file system without links.
    if (!existsSync(from)) return false;
    copyFileSync(from, to);
  }
  return true;
}
