import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** The text of an embedded installation's key, created at its first start and readable only by its owner (CONFIG-4). */
export function secretKeyText(dataDir: string): string {
  const file = join(dataDir, 'secrets.key');
  if (!existsSync(file)) create(file, dataDir);
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}

/**
 * After a power cut the file is whole or not there, and it is safe before anything is sealed with it (STORE-12). It
 * gets its name as a link, so that of two processes that start at once both use the key of the first.
 */
function create(file: string, dataDir: string): void {
  const written = `${file}-${process.pid}`;
  const descriptor = openSync(written, 'w', 0o600);
  writeSync(descriptor, `1:${randomBytes(32).toString('base64')}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  try {
    linkSync(written, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
  rmSync(written);
  flushFolder(dataDir);
}

/** Not needed on Windows, which cannot open folders. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
