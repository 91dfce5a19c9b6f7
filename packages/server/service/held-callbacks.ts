import type { Logger } from 'pino';
import type { Clock } from '../core/clock.ts';
import type { Held } from '../core/held-thread.ts';
import { calmWarnings } from './calm-logger.ts';

/** `main`: sockets, calls and reads. `store`: units and commits of the embedded database. */
type ThreadName = 'main' | 'store';

interface HeldCount {
  readonly thread: ThreadName;
  readonly name: string;
  count: number;
}

/** Logs and counts the callbacks that held a thread of the service: at most one line per name every 10 s (OPS-7). */
export class HeldCallbacks {
  readonly #logger: Logger;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** By thread and name; the code has a fixed number of names. */
  readonly #counts = new Map<string, HeldCount & { warn: ReturnType<typeof calmWarnings> }>();

  constructor(logger: Logger, clock: Pick<Clock, 'monotonic'>) {
    this.#logger = logger;
    this.#clock = clock;
  }

  /** Since the start. */
  get counts(): Iterable<HeldCount> {
    return this.#counts.values();
  }

  record(thread: ThreadName, held: Held): void {
    const key = `${thread} ${held.name}`;
    let counted = this.#counts.get(key);
    if (!counted) {
      counted = { thread, name: held.name, count: 0, warn: calmWarnings(this.#logger, this.#clock) };
      this.#counts.set(key, counted);
    }
    counted.count += 1;
    counted.warn({ thread, ...held }, 'a callback held the thread');
  }
}
