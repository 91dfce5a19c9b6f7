import type { Clock, Timer } from '../core/clock.ts';
import { residentBytes } from '../files/process-memory.ts';
import { type CodeEnd, codeLimits, type CodeOutcome, type CodeTask } from './code-limits.ts';
import { frameOf, readFrame } from './frames.ts';
import { startCodeProcess } from './start-code-process.ts';

/** Maximum bytes of an answer: the files, the text (escaped in JSON), and what stands around them. */
const MAX_ANSWER_BYTES = codeLimits.savedBytes + 8 * codeLimits.textBytes + 64 * 1024;
/** Interval at which the memory of a process is checked, and its maximum: that of the engine, and of Node with it. */
const WATCH_MS = 250;
const MAX_RESIDENT_BYTES = 384 * 1024 * 1024;

interface Job {
  task: CodeTask;
  /** Settles the call, and stops its process if it runs. */
  end: (outcome: CodeOutcome | Error) => void;
  isOver: boolean;
}

/** A call that cannot begin: others wait or run. */
export class CodeBusy extends Error {}

const ends: ReadonlySet<unknown> = new Set<CodeEnd>(['done', 'threw', 'timeout', 'memory', 'stopped']);
const nothing = (end: CodeEnd): CodeOutcome => ({ end, text: '', files: [] });

/**
 * Runs code, each piece in a process of its own: a few at once on a node, one of each person, in turns between persons.
 */
export class CodeRunner {
  readonly #clock: Clock;
  readonly #atOnce: number;
  readonly #runMs: number;
  /** Waiting jobs by person; a person that was served moves to the end. */
  readonly #queues = new Map<number, Job[]>();
  readonly #running = new Map<number, Job>();
  #isClosed = false;

  constructor(clock: Clock, { atOnce, runMs }: { atOnce: number; runMs: number } = codeLimits) {
    this.#clock = clock;
    this.#atOnce = atOnce;
    this.#runMs = runMs;
  }

  /** Runs code for a person. Throws `CodeBusy`, or the reason of the signal. */
  run(task: CodeTask, personKey: number, signal: AbortSignal): Promise<CodeOutcome> {
    return new Promise((resolve, reject) => {
      const own = this.#queues.get(personKey) ?? [];
      if (own.length >= codeLimits.waiting || this.#isClosed)
        throw new CodeBusy('Too many calls of this person wait to run code.');
      const job: Job = {
        task,
        isOver: false,
        end: (outcome) => {
          if (job.isOver) return;
          job.isOver = true;
          waiting.cancel();
          signal.removeEventListener('abort', stop);
          this.#drop(personKey, job);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
          this.#next();
        },
      };
      const waiting = this.#clock.setTimer(() => {
        if (this.#running.get(personKey) !== job) job.end(new CodeBusy('Too many calls run code at the moment.'));
      }, codeLimits.waitMs);
      const stop = (): void => job.end(signal.reason as Error);
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop);
      this.#queues.set(personKey, [...own, job]);
      this.#next();
    });
  }

  /** Ends all processes. */
  close(): void {
    this.#isClosed = true;
    for (const job of [...this.#running.values(), ...[...this.#queues.values()].flat()]) job.end(nothing('stopped'));
  }

  #drop(personKey: number, job: Job): void {
    const others = this.#queues.get(personKey)?.filter((one) => one !== job) ?? [];
    const hasRun = this.#running.get(personKey) === job;
    if (hasRun) this.#running.delete(personKey);
    // Whoever was served waits behind the others.
    if (hasRun || others.length === 0) this.#queues.delete(personKey);
    if (others.length > 0) this.#queues.set(personKey, others);
  }

  #next(): void {
    for (const [personKey, [job, ...others]] of this.#queues) {
      if (this.#running.size >= this.#atOnce || this.#isClosed) return;
      if (!job || this.#running.has(personKey)) continue;
      this.#queues.delete(personKey);
      if (others.length > 0) this.#queues.set(personKey, others);
      this.#running.set(personKey, job);
      this.#start(job);
    }
  }

  #start(job: Job): void {
    const child = startCodeProcess();
    let timer: Timer | null = null;
    let watching: Timer | null = null;
    const { end } = job;
    job.end = (outcome) => {
      timer?.cancel();
      watching?.cancel();
      child.kill('SIGKILL');
      end(outcome);
    };
    const limit = (ms: number): void => {
      timer?.cancel();
      timer = this.#clock.setTimer(() => job.end(nothing('timeout')), ms);
    };
    const watch = (): void => {
      watching = this.#clock.setTimer(() => void look(), WATCH_MS);
    };
    const look = async (): Promise<void> => {
      const bytes = await residentBytes(child.pid);
      if (job.isOver) return;
      if ((bytes ?? 0) > MAX_RESIDENT_BYTES) job.end(nothing('memory'));
      else watch();
    };
    limit(codeLimits.startMs);
    watch();
    const pieces: Buffer[] = [];
    let length = 0;
    child.stdout.on('data', (piece: Buffer) => {
      // The first byte, and only that, says that the process has started.
      if (length === 0) limit(codeLimits.killMs);
      pieces.push(piece);
      length += piece.length;
      if (length > MAX_ANSWER_BYTES) job.end(nothing('stopped'));
    });
    child.on('error', () => job.end(nothing('stopped')));
    child.on('close', () => job.end(outcomeOf(Buffer.concat(pieces))));
    // A process that ends early takes nothing more.
    child.stdin.on('error', () => undefined);
    const { code, files } = job.task;
    const given = files.map(({ text, ...file }) => ({ ...file, words: text }));
    for (const piece of frameOf({ code, runMs: this.#runMs }, given)) child.stdin.write(piece);
    child.stdin.end();
  }
}

/** What a process has answered; one that has ended without a whole answer was stopped by its system, or broke. */
function outcomeOf(answer: Buffer): CodeOutcome {
  try {
    const frame = answer.subarray(1);
    const { facts, files } = readFrame(frame);
    const { end, text } = facts;
    if (!ends.has(end) || typeof text !== 'string') return nothing('stopped');
    const saved = end === 'done' ? files.slice(0, codeLimits.filesSaved) : [];
    return { end: end as CodeEnd, text, files: saved.map(({ words = '', ...file }) => ({ ...file, alt: words })) };
  } catch {
    return nothing('stopped');
  }
}
