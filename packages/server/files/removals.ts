import type { Logger } from 'pino';
import type { Sql } from '../store/sql.ts';
import { dueRemovals } from '../store/files.ts';
import type { FileStorage } from './storage.ts';

const AT_ONCE = 100;

interface Ports {
  read: Sql;
  storage: FileStorage;
  logger: Logger;
  now: () => number;
  /** Takes names off the list. */
  forget: (names: readonly string[]) => Promise<unknown>;
}

/**
 * Removes bytes that no row names any more. The list of them is written in the same unit that drops the row, or before
 * the bytes are there: a crash at any moment forgets none (FILE-12).
 */
export class Removals {
  readonly #ports: Ports;
  #running: Promise<void> | null = null;
  #isWanted = false;
  #isClosed = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** True when nothing is being removed. */
  get isIdle(): boolean {
    return this.#running === null;
  }

  /** Removes what is due. */
  sweep(): void {
    this.#isWanted = true;
    if (this.#running || this.#isClosed) return;
    this.#running = this.#work()
      .catch((error: unknown) => {
        // Still on the list: the next sweep tries again.
        if (!this.#isClosed) this.#ports.logger.error({ err: error }, 'files could not be removed');
      })
      .finally(() => (this.#running = null));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #work(): Promise<void> {
    const { read, storage, now, forget } = this.#ports;
    while (this.#isWanted && !this.#isClosed) {
      // Whoever asks while it is read may mean what was not there yet.
      this.#isWanted = false;
      const due = await read.all(dueRemovals, now(), AT_ONCE);
      this.#isWanted ||= due.length === AT_ONCE;
      if (due.length === 0) continue;
      for (const { name } of due) await storage.remove(name);
      await forget(due.map(({ name }) => name));
    }
  }
}
