import { constants } from 'node:fs';
import { mkdir, open, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isGiven } from './is-given.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** Why a file is not read or written. */
export class RefusedFile extends Error {}

/** The text files of one folder, as an agent reads and writes them. No path and no link leads out of it (BRIDGE-6). */
export class FolderFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The text from `line` on (counted from 1), at most `limit` lines. */
  async read(path: string, line?: number | null, limit?: number | null): Promise<string> {
    const file = await open(await this.#inside(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw new RefusedFile('not a file');
      if (stats.size > MAX_BYTES) throw new RefusedFile('the file is too large');
      const text = await file.readFile('utf8');
      if (!isGiven(line) && !isGiven(limit)) return text;
      const from = Math.max(0, (line ?? 1) - 1);
      return text
        .split('\n')
        .slice(from, isGiven(limit) ? from + limit : undefined)
        .join('\n');
    } finally {
      await file.close();
    }
  }

  async write(path: string, content: string): Promise<void> {
    if (Buffer.byteLength(content) > MAX_BYTES) throw new RefusedFile('the text is too large');
    const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = await open(await this.#inside(path, true), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      if (!(await file.stat()).isFile()) throw new RefusedFile('not a file');
      await file.truncate();
      await file.writeFile(content);
    } finally {
      await file.close();
    }
  }

  /** The path with all links of its folder resolved, which must be within this one. */
  async #inside(path: string, isCreated = false): Promise<string> {
    if (!isAbsolute(path) || path.includes('\0')) throw new RefusedFile('the path is not absolute');
    const root = await realpath(this.#folder);
    const parent = isCreated ? await this.#folderFor(root, dirname(path)) : await realpath(dirname(path));
    if (!isWithin(root, parent)) throw new RefusedFile('the path is outside of the folder');
    return join(parent, basename(path));
  }

  /** Creates missing folders, but only below one that is inside. */
  async #folderFor(root: string, path: string): Promise<string> {
    const found = await realpath(path).catch(() => null);
    if (found !== null) return found;
    if (dirname(path) === path) throw new RefusedFile('the path is outside of the folder');
    const parent = await this.#folderFor(root, dirname(path));
    if (!isWithin(root, parent)) throw new RefusedFile('the path is outside of the folder');
    const folder = join(parent, basename(path));
    await mkdir(folder);
    return folder;
  }
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
