import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { assertName, type ByteRange, type FileStorage } from '../storage.ts';

/** Stores bytes as files, spread over 256 folders by the last two characters of their names, which are random. */
export class DiskStorage implements FileStorage {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async keep(name: string, localFile: string): Promise<void> {
    const file = this.#pathOf(name);
    const folder = join(file, '..');
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    await flush(localFile, 'r+');
    await rename(localFile, file);
    // The directory entry must be durable, too.
    await flushFolder(folder);
    if (made !== undefined) await flushFolder(join(folder, '..'));
  }

  async read(name: string, range?: ByteRange) {
    let handle;
    try {
      handle = await open(this.#pathOf(name));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    return createReadStream('', { fd: handle, ...(range && { start: range.first, end: range.last }) });
  }

  async remove(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true });
  }

  async *list(): AsyncIterable<string> {
    try {
      for await (const folder of await opendir(this.#folder))
        if (folder.isDirectory())
          for await (const entry of await opendir(join(this.#folder, folder.name))) yield entry.name;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  #pathOf(name: string): string {
    assertName(name);
    return join(this.#folder, name.slice(-2), name);
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Not needed on Windows, which cannot open folders. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await flush(path, 'r');
}

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
