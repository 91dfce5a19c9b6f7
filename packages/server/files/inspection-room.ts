import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Names in the room: the file that is looked at, and what is made of it. */
export const inRoom = { file: 'file', small: 'small', clean: 'clean' } as const;

/**
 * The folder that one inspecting process may read and write. It holds the one file that the process is looking at, so
 * that no other upload can be read there.
 */
export class InspectionRoom {
  readonly folder: string;

  constructor(parent: string) {
    this.folder = join(parent, `inspected-${randomUUID()}`);
  }

  /** A second name for the file; a copy where the file system has no hard links. */
  async put(path: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await link(path, this.#at('file')).catch(() => copyFile(path, this.#at('file')));
  }

  /** Moves what was made out of the room. */
  take(name: 'small' | 'clean', to: string): Promise<void> {
    return rename(this.#at(name), to);
  }

  /** Makes room for the next file. */
  async empty(): Promise<void> {
    for (const name of ['file', 'small', 'clean'] as const) await rm(this.#at(name), { force: true });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  #at(name: keyof typeof inRoom): string {
    return join(this.folder, inRoom[name]);
  }
}
