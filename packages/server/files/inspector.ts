import { type ChildProcess, fork } from 'node:child_process';
import type { Clock, Timer } from '../clock.ts';

/** What a file is by its content. `photo`: it could be decoded, and a small image of it was made. */
export interface Look {
  mimeType: string | undefined;
  photo?: {
    width: number;
    height: number;
    /** Of the small image, in bytes. */
    size: number;
  };
}

/** Without `px` a thumbnail is made, with it a square of that size. */
export interface Task {
  id: number;
  path: string;
  to: string;
  px?: number;
}

interface Job {
  task: Task;
  resolve: (found: Look | null) => void;
}

/** So long may one file take. */
const PATIENCE_MS = 8_000;
/** Without work for so long the process ends: it needs some 80 MB. */
const IDLE_MS = 60_000;
const program = new URL('./inspect-process.ts', import.meta.url);

/**
 * Has files looked at in a process of its own, one after another, in turns between people: a decoder that crashes or does not end takes nobody
 * with it, and the main thread is not held up (FILE-7).
 */
export class Inspector {
  readonly #clock: Clock;
  #child: ChildProcess | null = null;
  /** Those that wait, by whose they are; whoever has had a turn goes to the end. */
  readonly #queues = new Map<number, Job[]>();
  #current: Job | null = null;
  #timer: Timer | null = null;
  #nextId = 1;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * What the file is, with a thumbnail written to `to` if it is a photo; null where nobody can tell. The metadata of a
   * JPEG that is a photo is gone from it then (FILE-16).
   */
  look(path: string, to: string, ownerKey: number): Promise<Look | null> {
    return this.#add({ path, to }, ownerKey);
  }

  /** Writes the middle of a photo as a square to `to`; null when that could not be done. */
  square(path: string, to: string, px: number, ownerKey: number): Promise<Look | null> {
    return this.#add({ path, to, px }, ownerKey);
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
    const waiting = [...this.#queues.values()].flat();
    this.#queues.clear();
    for (const { resolve } of waiting) resolve(null);
  }

  #add(what: Omit<Task, 'id'>, ownerKey: number): Promise<Look | null> {
    if (this.#isClosed) return Promise.resolve(null);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      const job = { task: { ...what, id }, resolve };
      const own = this.#queues.get(ownerKey);
      if (own) own.push(job);
      else this.#queues.set(ownerKey, [job]);
      this.#next();
    });
  }

  /** In turns: the slow images of one hold up nobody else for longer than one of them takes. */
  #shift(): Job | undefined {
    for (const [ownerKey, [job, ...others]] of this.#queues) {
      this.#queues.delete(ownerKey);
      if (others.length > 0) this.#queues.set(ownerKey, others);
      return job;
    }
    return undefined;
  }

  #next(): void {
    if (this.#current || this.#isClosed) return;
    this.#timer?.cancel();
    this.#timer = null;
    const job = this.#shift();
    if (!job) {
      this.#child?.unref();
      this.#child?.channel?.unref();
      this.#timer = this.#clock.setTimer(() => this.#stop(), IDLE_MS);
      return;
    }
    this.#current = job;
    // One that hangs, or decodes for ever, is ended; the file is taken for what nobody can read.
    this.#timer = this.#clock.setTimer(() => this.#stop(), PATIENCE_MS);
    const child = (this.#child ??= this.#start());
    child.ref();
    child.channel?.ref();
    child.send(job.task, (error) => {
      if (error) this.#lost(child);
    });
  }

  #start(): ChildProcess {
    const cache = process.env['NODE_COMPILE_CACHE'];
    const child = fork(program, [], {
      // It inherits nothing: neither secrets of the environment nor options that are meant for the service.
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
      execArgv: ['--max-old-space-size=256'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', ({ id, found }: { id: number; found: Look | null }) => {
      if (id === this.#current?.task.id) this.#settle(found);
    });
    child.on('error', () => this.#lost(child));
    child.on('exit', () => this.#lost(child));
    return child;
  }

  #settle(found: Look | null): void {
    const job = this.#current;
    this.#current = null;
    job?.resolve(found);
    this.#next();
  }

  #lost(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = null;
    if (this.#current) this.#settle(null);
  }

  #stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const child = this.#child;
    this.#child = null;
    child?.kill('SIGKILL');
    if (this.#current) this.#settle(null);
  }
}
