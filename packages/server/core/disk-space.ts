import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';

/** Bytes that this process can still write to the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Whether the data disk has room for writes, as of the last check (LIMIT-23). */
export class DiskSpace {
  isFull = false;
  readonly #folder: string;
  readonly #minFreeBytes: number;
  readonly #logger: Logger;

  constructor({ dataDir, minFreeBytes }: { dataDir: string; minFreeBytes: number }, logger: Logger) {
    this.#folder = dataDir;
    this.#minFreeBytes = minFreeBytes;
    this.#logger = logger;
  }

  /** Called about once a second. */
  async look(): Promise<void> {
    const free = await freeBytes(this.#folder);
    const isFull = free < this.#minFreeBytes;
    if (isFull === this.isFull) return;
    this.isFull = isFull;
    const facts = { free_bytes: free, min_free_bytes: this.#minFreeBytes };
    if (isFull) this.#logger.warn(facts, 'the disk is full: writes that add data are refused');
    else this.#logger.info(facts, 'the disk has room again: writes are accepted');
  }
}
