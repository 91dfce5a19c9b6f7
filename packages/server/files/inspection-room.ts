import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { copyFile, link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** File names in the folder: the file to inspect, and the results. */
export const inRoom = { file: 'file', small: 'small', clean: 'clean' } as const;

/**
 * The folder that one inspecting process may read and write. It contains only the file being inspected, so that the
 * process cannot read other uploads.
 */
export class InspectionRoom {
  readonly folder: string;

  constructor(parent: string) {
    this.folder = join(parent, `inspected-${randomUUID()}`);
    // Before the process starts: Node's permission model denies what is in a folder that did not exist at its start.
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  /** Links the file into the folder; copies it if the file system has no hard links. */
  async put(path: string): Promise<void> {
    await link(path, this.#at('file')).catch(() => copyFile(path, this.#at('file')));
  }

  /** Moves a result out of the folder. */
  take(name: 'small' | 'clean', to: string): Promise<void> {
    return rename(this.#at(name), to);
  }

  /** Empties the folder for the next file. */
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
