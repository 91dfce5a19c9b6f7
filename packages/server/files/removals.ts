import type { Logger } from 'pino';
import type { Sql } from '../store/sql.ts';
import { dueRemovals } from '../store/files.ts';
import type { FileStorage } from './storage.ts';

const AT_ONCE = 100;

interface RemovalsNeeds {
  read: Sql;
  storage: FileStorage;
  logger: Logger;
  now: () => number;
  /** Removes names from the list. */
  forget: (names: readonly string[]) => Promise<unknown>;
}

/**
 * Removes bytes that no row names. Their names are listed by the unit that drops the row, or before the bytes
 * are stored, so a crash at any moment leaves nothing behind (FILE-12).
 */
export class Removals {
  readonly #needs: RemovalsNeeds;
  #running: Promise<void> | null = null;
  #isWanted = false;
  #isClosed = false;

  constructor(needs: RemovalsNeeds) {
    this.#needs = needs;
  }

  /** True if no removal is in progress. */
  get isIdle(): boolean {
    return this.#running === null;
  }

  /** Removes everything that is due. */
  sweep(): void {
    this.#isWanted = true;
    if (this.#running || this.#isClosed) return;
    this.#running = this.#work()
      .catch((error: unknown) => {
        // The names are still on the list: the next sweep retries.
        if (!this.#isClosed) this.#needs.logger.error({ err: error }, 'failed to remove files');
      })
      .finally(() => (this.#running = null));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #work(): Promise<void> {
    const { read, storage, now, forget } = this.#needs;
    while (this.#isWanted && !this.#isClosed) {
      // Reset before the read, because a sweep requested during the read may be about a later removal.
      this.#isWanted = false;
      const due = await read.all(dueRemovals, now(), AT_ONCE);
      this.#isWanted ||= due.length === AT_ONCE;
      if (due.length === 0) continue;
      for (const { name } of due) await storage.remove(name);
      await forget(due.map(({ name }) => name));
    }
  }
}
