// readers/: reads texts of strangers where it holds nobody: in threads with limits of time and memory. Imports rules
// and below.
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '../core/clock.ts';
import { unavailable } from '../core/errors.ts';
import type { Found, Given, ReadingName, ReadingTask } from './readings.ts';

/** Maximum time for one text, a hundred times what the longest one takes: the processor may be busy. */
const PATIENCE_MS = 30_000;
const MAX_MEMORY_MB = 128;
/** Maximum texts of one owner that wait; each may have 256 KiB. */
const MAX_WAITING = 256;
/** How often a text is tried: a thread may end for a reason that is not the text. */
const TRIES = 2;

interface Job {
  task: ReadingTask;
  ownerKey: number;
  triesLeft: number;
  resolve: (found: unknown) => void;
  reject: (error: Error) => void;
}

const stopping = (): Error => unavailable('the service is stopping');

/** A thread that reads one text after the other, one of each owner in turn (ERR-14). It starts with the first text. */
export class ReaderThread {
  readonly #clock: Clock;
  readonly #onFault: (error: Error) => void;
  /** Waiting texts by owner; an owner that was served moves to the end. */
  readonly #queues = new Map<number, Job[]>();
  #worker: Worker | null = null;
  #current: Job | null = null;
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(clock: Clock, onFault: (error: Error) => void) {
    this.#clock = clock;
    this.#onFault = onFault;
  }

  /**
   * Resolves with null for what exceeds the limits twice. Rejects with `unavailable` if 256 texts of the owner wait, and
   * when the thread is closed.
   */
  async run<Name extends ReadingName>(
    name: Name,
    given: Given<NoInfer<Name>>,
    ownerKey: number,
  ): Promise<Found<Name> | null> {
    if (this.#isClosed) throw stopping();
    if ((this.#queues.get(ownerKey)?.length ?? 0) >= MAX_WAITING) throw unavailable('too many long texts wait');
    const found = await new Promise<unknown>((resolve, reject) => {
      this.#queue({ task: { name, given }, ownerKey, triesLeft: TRIES, resolve, reject });
      this.#next();
    });
    // The thread returns what the reading of this name returns.
    return found as Found<Name> | null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const waiting = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#timer?.cancel();
    // A text that was not read is not stored as one in which nothing stands.
    for (const job of this.#current ? [this.#current, ...waiting] : waiting) job.reject(stopping());
    this.#current = null;
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #queue(job: Job): void {
    const own = this.#queues.get(job.ownerKey);
    if (own) own.push(job);
    else this.#queues.set(job.ownerKey, [job]);
  }

  #next(): void {
    if (this.#current) return;
    const [turn] = this.#queues;
    if (!turn) return;
    const [ownerKey, [job, ...others]] = turn;
    this.#queues.delete(ownerKey);
    if (others.length > 0) this.#queues.set(ownerKey, others);
    if (!job) return;
    this.#current = job;
    this.#timer = this.#clock.setTimer(() => this.#replace(new Error('a text took too long to read')), PATIENCE_MS);
    try {
      this.#worker ??= this.#started();
      this.#worker.postMessage(job.task);
    } catch (error) {
      // The system has no more threads or memory. Not at once: each failure would try again within this one.
      setImmediate(() => this.#replace(error instanceof Error ? error : new Error(String(error))));
    }
  }

  #started(): Worker {
    const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    });
    // The service's own work keeps the process alive.
    worker.unref();
    worker.on('message', (found: unknown) => {
      if (this.#worker === worker) this.#end(found);
    });
    worker.on('error', (error: Error) => {
      if (this.#worker === worker) this.#replace(error);
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#replace(new Error('the thread that reads texts ended'));
    });
    return worker;
  }

  #end(found: unknown): void {
    const job = this.#current;
    this.#current = null;
    this.#timer?.cancel();
    job?.resolve(found);
    this.#next();
  }

  /** Goes on in a new thread, with the same text if it has a try left. */
  #replace(error: Error): void {
    if (this.#isClosed) return;
    const worker = this.#worker;
    this.#worker = null;
    this.#onFault(error);
    void worker?.terminate();
    const job = this.#current;
    if (!job || job.triesLeft === 1) return this.#end(null);
    this.#current = null;
    this.#timer?.cancel();
    this.#queue({ ...job, triesLeft: job.triesLeft - 1 });
    return this.#next();
  }
}
