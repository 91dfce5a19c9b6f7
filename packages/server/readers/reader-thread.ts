// readers/: reads texts of strangers where it holds nobody: in threads with limits of time and memory. Imports rules
// and below.
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '../core/clock.ts';
import type { Found, Given, ReadingName, ReadingTask } from './readings.ts';

/** Maximum time for one text, a hundred times what the longest one takes: the processor may be busy. */
const PATIENCE_MS = 30_000;
const MAX_MEMORY_MB = 128;

interface Job {
  task: ReadingTask;
  resolve: (found: unknown) => void;
}

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

  /** Resolves with null for what exceeds the limits, and after the thread was closed. */
  async run<Name extends ReadingName>(
    name: Name,
    given: Given<NoInfer<Name>>,
    ownerKey: number,
  ): Promise<Found<Name> | null> {
    if (this.#isClosed) return null;
    const found = await new Promise<unknown>((resolve) => {
      const job = { task: { name, given }, resolve };
      const own = this.#queues.get(ownerKey);
      if (own) own.push(job);
      else this.#queues.set(ownerKey, [job]);
      this.#next();
    });
    // The thread returns what the reading of this name returns.
    return found as Found<Name> | null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const waiting = [...this.#queues.values()].flat();
    this.#queues.clear();
    const worker = this.#worker;
    this.#end(null);
    for (const { resolve } of waiting) resolve(null);
    this.#worker = null;
    await worker?.terminate();
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
    this.#worker ??= this.#started();
    this.#timer = this.#clock.setTimer(() => this.#replace(new Error('a text took too long to read')), PATIENCE_MS);
    this.#worker.postMessage(job.task);
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
    return worker;
  }

  #end(found: unknown): void {
    const job = this.#current;
    this.#current = null;
    this.#timer?.cancel();
    job?.resolve(found);
    this.#next();
  }

  /** Leaves the text out and goes on in a new thread. */
  #replace(error: Error): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#onFault(error);
    void worker?.terminate();
    this.#end(null);
  }
}
