// readers/: reads texts of strangers where it holds nobody: in a thread with limits of time and memory. Imports rules
// and below.
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '../core/clock.ts';
import { isShort, readingOf, type TextReading, unread } from '../rules/text-reading.ts';

/** Maximum time for one text, a hundred times what the longest one takes: the processor may be busy. */
const PATIENCE_MS = 30_000;
const MAX_MEMORY_MB = 128;

interface Job {
  text: string;
  resolve: (reading: TextReading) => void;
}

/**
 * Reads texts of messages: a short one at once, a long one in a thread of its own, which takes a text of each owner in
 * turn (ERR-14). A text that exceeds the limits counts as one in which nothing stands.
 */
export class TextReader {
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

  read(text: string, ownerKey: number): Promise<TextReading> {
    if (isShort(text)) return Promise.resolve(readingOf(text));
    if (this.#isClosed) return Promise.resolve(unread);
    return new Promise((resolve) => {
      const own = this.#queues.get(ownerKey);
      if (own) own.push({ text, resolve });
      else this.#queues.set(ownerKey, [{ text, resolve }]);
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const waiting = [...this.#queues.values()].flat();
    this.#queues.clear();
    const worker = this.#worker;
    this.#end(unread);
    for (const { resolve } of waiting) resolve(unread);
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
    this.#worker.postMessage(job.text);
  }

  #started(): Worker {
    const worker = new Worker(new URL('./text-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    });
    // The service's own work keeps the process alive.
    worker.unref();
    worker.on('message', (reading: TextReading) => {
      if (this.#worker === worker) this.#end(reading);
    });
    worker.on('error', (error: Error) => {
      if (this.#worker === worker) this.#replace(error);
    });
    return worker;
  }

  #end(reading: TextReading): void {
    const job = this.#current;
    this.#current = null;
    this.#timer?.cancel();
    job?.resolve(reading);
    this.#next();
  }

  /** Leaves the text out and goes on in a new thread. */
  #replace(error: Error): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#onFault(error);
    void worker?.terminate();
    this.#end(unread);
  }
}
