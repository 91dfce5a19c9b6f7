import { type ChildProcess, fork } from 'node:child_process';
import type { Clock, Timer } from '../core/clock.ts';
import { confinedTo } from './confinement.ts';
import { InspectionRoom } from './inspection-room.ts';

/** What a file is by its content. `photo`: it could be decoded, and a small image of it was made. */
export interface Look {
  mimeType: string | undefined;
  photo?: {
    width: number;
    height: number;
    /** Of the small image, in bytes. */
    size: number;
  };
  /** There is a copy of the photo without its metadata (FILE-16). */
  isCleaned?: boolean;
}

/** Without `px` a thumbnail is made, with it a square of that size, of the file in the process's room. */
export interface Task {
  id: number;
  px?: number;
}

interface Job {
  task: Task;
  path: string;
  to: string;
  resolve: (found: Look | null) => void;
}

/** So long may one file take. */
const PATIENCE_MS = 8_000;
/** Without work for so long the process ends: it needs some 80 MB. */
const IDLE_MS = 60_000;
interface Worker {
  child: ChildProcess;
  room: InspectionRoom;
}
const program = new URL('./inspect-process.ts', import.meta.url);

/**
 * Has files looked at in a process of its own, one after another, in turns between people: a decoder that crashes or does not end takes nobody
 * with it, and the main thread is not held up (FILE-7).
 */
export class Inspector {
  readonly #clock: Clock;
  readonly #parent: string;
  #worker: Worker | null = null;
  /** Those that wait, by whose they are; whoever has had a turn goes to the end. */
  readonly #queues = new Map<number, Job[]>();
  #current: Job | null = null;
  #timer: Timer | null = null;
  #nextId = 1;
  #isClosed = false;

  /** `parent`: the folder of the files, in which each process gets a folder of its own. */
  constructor(clock: Clock, parent: string) {
    this.#clock = clock;
    this.#parent = parent;
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

  #add({ path, to, px }: { path: string; to: string; px?: number }, ownerKey: number): Promise<Look | null> {
    if (this.#isClosed) return Promise.resolve(null);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      const job = { task: { id, ...(px !== undefined && { px }) }, path, to, resolve };
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
      this.#worker?.child.unref();
      this.#worker?.child.channel?.unref();
      this.#timer = this.#clock.setTimer(() => this.#stop(), IDLE_MS);
      return;
    }
    this.#current = job;
    // One that hangs, or decodes for ever, is ended; the file is taken for what nobody can read.
    this.#timer = this.#clock.setTimer(() => this.#stop(), PATIENCE_MS);
    const worker = (this.#worker ??= this.#start());
    worker.child.ref();
    worker.child.channel?.ref();
    void this.#hand(worker, job);
  }

  async #hand(worker: Worker, job: Job): Promise<void> {
    try {
      await worker.room.put(job.path);
    } catch {
      // The file has gone, or its room with a process that was given up.
      return this.#end(job, null);
    }
    if (this.#worker !== worker) return this.#clear(worker);
    worker.child.send(job.task, (error) => void (error && this.#lost(worker)));
  }

  #start(): Worker {
    const room = new InspectionRoom(this.#parent);
    const child = fork(program, [], { ...confinedTo(room.folder), stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const worker = { child, room };
    child.on('message', ({ id, found }: { id: number; found: Look | null }) => {
      if (id === this.#current?.task.id) void this.#finish(worker, this.#current, found);
    });
    child.on('error', () => this.#lost(worker));
    child.on('exit', () => this.#lost(worker));
    return worker;
  }

  /** What the process has made leaves its room; what is no photo stays as it came. */
  async #finish({ room }: Worker, job: Job, found: Look | null): Promise<void> {
    try {
      if (found?.photo) await room.take('small', job.to);
      if (found?.isCleaned) await room.take('clean', job.path);
      await room.empty();
      this.#end(job, found);
    } catch {
      this.#end(job, null);
    }
  }

  #end(job: Job, found: Look | null): void {
    if (this.#current === job) this.#settle(found);
  }

  #settle(found: Look | null): void {
    const job = this.#current;
    this.#current = null;
    job?.resolve(found);
    this.#next();
  }

  #lost(worker: Worker): void {
    this.#clear(worker);
    if (this.#worker !== worker) return;
    this.#worker = null;
    if (this.#current) this.#settle(null);
  }

  /** The room of a process that has ended. What cannot be removed now the next start of the service removes. */
  #clear({ room }: Worker): void {
    room.remove().catch(() => undefined);
  }

  #stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const worker = this.#worker;
    this.#worker = null;
    worker?.child.kill('SIGKILL');
    if (this.#current) this.#settle(null);
  }
}
