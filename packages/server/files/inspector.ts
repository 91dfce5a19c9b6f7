import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Clock, Timer } from '../core/clock.ts';
import { confinedTo } from './confinement.ts';
import { InspectionRoom } from './inspection-room.ts';
import { residentBytes } from './process-memory.ts';

/** The result of inspecting a file. `photo` is set if the file could be decoded and a small image of it was made. */
export interface Look {
  mimeType: string | undefined;
  photo?: {
    width: number;
    height: number;
    /** Size of the small image in bytes. */
    size: number;
  };
  /** Set if the process can make a picture of the file: what it has to draw (FILE-39 to FILE-41). */
  drawable?: Drawable;
  /** Set if a picture of the file was made: the size of the small image in bytes. */
  picture?: { size: number };
  /** True if a copy of the photo without its metadata was written (FILE-16). */
  isCleaned?: boolean;
  /** Set if the text of a PDF was written. */
  text?: PdfText;
  /** Set if the text of an office file was written. */
  office?: OfficeText;
}

export interface PdfText {
  /** Pages of the document, and how many from its first one were read. */
  pages: number;
  pagesRead: number;
  /** True if the document opens only with a password. */
  isLocked: boolean;
}

export interface OfficeText {
  /** False if only its beginning was read. */
  isWhole: boolean;
  /** True if the file opens only with a password. */
  isLocked: boolean;
}

/** Files of which a picture is made in a task of its own: SVGs, the first pages of PDFs, those inside office files. */
export type Drawable = 'svg' | 'pdf' | 'office';

/** `look`: the type, and a thumbnail of a photo. `draw`: a thumbnail of another file. `rasterise`: a PNG of an SVG, whose longer side has `px`. `square`, `scaled`: an image of at most `px`. `pdf`, `office`: its text. */
export type Work =
  | { type: 'look' }
  | { type: 'draw'; as: Drawable }
  | { type: 'rasterise'; px: number }
  | { type: 'square' | 'scaled'; px: number }
  | { type: 'pdf'; pages: number; characters: number; isPaged?: boolean | undefined }
  | { type: 'office'; characters: number };

const isDocument = ({ type }: Work): boolean =>
  type === 'pdf' || type === 'office' || type === 'draw' || type === 'rasterise';

/** What the process does with the file in its folder. */
export interface Task {
  id: number;
  work: Work;
}

interface Job {
  task: Task;
  path: string;
  to: string;
  resolve: (found: Look | null) => void;
}

/** Maximum time to inspect one file, once the process has started. */
const PATIENCE_MS = 8_000;
/** Maximum time for the process to start: it loads its decoders, which can take seconds on a busy machine. */
const START_MS = 30_000;
/** How long an idle process lives: it uses about 80 MB. */
const IDLE_MS = 60_000;
/** Interval at which the memory of the process is checked while it reads a document. */
const WATCH_MS = 100;
/** Maximum resident memory while a document is read: a few kilobytes can decompress to gigabytes. */
const MAX_DOCUMENT_MEMORY_BYTES = 512 * 1024 * 1024;
/** How much a background process yields to others: beside one busy process it still gets a quarter of a core. */
const NICENESS = 5;
/** Maximum resident memory after a document; above it the process is replaced, so that the next file is not killed. */
const MAX_IDLE_MEMORY_BYTES = MAX_DOCUMENT_MEMORY_BYTES / 2;

interface Worker {
  child: ChildProcess;
  room: InspectionRoom;
  hasStarted: boolean;
}
/** What the process sends: what it found or, without an id, that it has started. */
export interface Report {
  id?: number;
  found?: Look | null;
}
const program = new URL('./inspect-process.ts', import.meta.url);

/**
 * Inspects files in a separate process, one at a time and taking turns between owners. A decoder that crashes or hangs
 * affects nothing else, and the main thread is not blocked (FILE-7).
 */
export class Inspector {
  readonly #clock: Clock;
  readonly #parent: string;
  readonly #isBackground: boolean;
  #worker: Worker | null = null;
  /** Waiting jobs by owner; an owner that was served moves to the end. */
  readonly #queues = new Map<number, Job[]>();
  #current: Job | null = null;
  #timer: Timer | null = null;
  #watching: Timer | null = null;
  #nextId = 1;
  #isClosed = false;

  /**
   * `parent` is the folder of the files; each process gets a separate folder inside it. A background process has a low
   * priority.
   */
  constructor(clock: Clock, parent: string, { isBackground = false } = {}) {
    this.#clock = clock;
    this.#parent = parent;
    this.#isBackground = isBackground;
  }

  /**
   * Inspects a file and writes a thumbnail to `to` if it is a photo; null on failure. Removes the metadata
   * of the file if it is a JPEG photo (FILE-16).
   */
  look(path: string, to: string, ownerKey: number): Promise<Look | null> {
    return this.#add({ path, to, work: { type: 'look' } }, ownerKey);
  }

  /**
   * Writes a copy for a model to `to`: of a photo, upright, without metadata, its longest side at most `px`, as JPEG;
   * of a PDF or an office file its text as UTF-8. Returns null on failure.
   */
  copy(
    path: string,
    to: string,
    work: Exclude<Work, { type: 'look' | 'draw' }>,
    ownerKey: number,
  ): Promise<Look | null> {
    return this.#add({ path, to, work }, ownerKey);
  }

  /** Writes a thumbnail of a file that is `drawable` to `to`; returns null on failure. */
  draw(path: string, to: string, as: Drawable, ownerKey: number): Promise<Look | null> {
    return this.#add({ path, to, work: { type: 'draw', as } }, ownerKey);
  }

  /** Writes a PNG of an SVG to `to`, its longer side `px` pixels; returns null on failure. */
  rasterise(path: string, to: string, px: number, ownerKey: number): Promise<Look | null> {
    return this.#add({ path, to, work: { type: 'rasterise', px } }, ownerKey);
  }

  /** Writes the centre of a photo as a square to `to`; returns null on failure. */
  square(path: string, to: string, px: number, ownerKey: number): Promise<Look | null> {
    return this.copy(path, to, { type: 'square', px }, ownerKey);
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
    const waiting = [...this.#queues.values()].flat();
    this.#queues.clear();
    for (const { resolve } of waiting) resolve(null);
  }

  #add({ path, to, work }: { path: string; to: string; work: Work }, ownerKey: number): Promise<Look | null> {
    if (this.#isClosed) return Promise.resolve(null);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      const job = { task: { id, work }, path, to, resolve };
      const own = this.#queues.get(ownerKey);
      if (own) own.push(job);
      else this.#queues.set(ownerKey, [job]);
      this.#next();
    });
  }

  /** Takes the next job from the next owner, so that one owner's slow images delay the others by at most one image. */
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
    const worker = (this.#worker ??= this.#start());
    this.#limit(worker.hasStarted ? PATIENCE_MS : START_MS);
    worker.child.ref();
    worker.child.channel?.ref();
    void this.#hand(worker, job);
  }

  /** A process that hangs or takes too long is killed, and the file counts as unreadable. */
  #limit(ms: number): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.setTimer(() => this.#stop(), ms);
  }

  async #hand(worker: Worker, job: Job): Promise<void> {
    try {
      await worker.room.put(job.path);
    } catch {
      // The file was removed, or the folder together with a killed process.
      return this.#end(job, null);
    }
    if (this.#worker !== worker) return this.#clear(worker);
    if (isDocument(job.task.work)) this.#watch(worker, job);
    worker.child.send(job.task, (error) => void (error && this.#lost(worker)));
  }

  /** Kills the process if it uses too much memory for the job. Only Linux shows the memory of another process. */
  #watch(worker: Worker, job: Job): void {
    const look = async (): Promise<void> => {
      const bytes = await residentBytes(worker.child.pid);
      if (this.#worker !== worker || this.#current !== job || bytes === undefined) return;
      if (bytes > MAX_DOCUMENT_MEMORY_BYTES) this.#stop();
      else this.#watch(worker, job);
    };
    this.#watching = this.#clock.setTimer(() => void look(), WATCH_MS);
  }

  #start(): Worker {
    const room = new InspectionRoom(this.#parent);
    const child = fork(program, [], { ...confinedTo(room.folder), stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    if (this.#isBackground) yieldToOthers(child);
    const worker = { child, room, hasStarted: false };
    child.on('message', (report: Report | null) => {
      const { id, found = null } = report ?? {};
      if (id !== undefined) {
        if (id === this.#current?.task.id) void this.#finish(worker, this.#current, found);
      } else if (!worker.hasStarted) {
        // Only once: a decoder that a file has taken over must not prolong its time.
        worker.hasStarted = true;
        if (this.#worker === worker && this.#current) this.#limit(PATIENCE_MS);
      }
    });
    child.on('error', () => this.#lost(worker));
    child.on('exit', () => this.#lost(worker));
    return worker;
  }

  /** Moves the results out of the folder; a file that is not a photo stays unchanged. */
  async #finish(worker: Worker, job: Job, found: Look | null): Promise<void> {
    const { room, child } = worker;
    try {
      if (found?.photo || found?.picture || found?.text || found?.office) await room.take('small', job.to);
      if (found?.isCleaned) await room.take('clean', job.path);
      await room.empty();
      const isLarge = isDocument(job.task.work) && ((await residentBytes(child.pid)) ?? 0) > MAX_IDLE_MEMORY_BYTES;
      if (isLarge && this.#worker === worker) {
        this.#worker = null;
        child.kill('SIGKILL');
      }
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
    this.#watching?.cancel();
    job?.resolve(found);
    this.#next();
  }

  #lost(worker: Worker): void {
    this.#clear(worker);
    if (this.#worker !== worker) return;
    this.#worker = null;
    if (this.#current) this.#settle(null);
  }

  /** Removes the folder of a process that has ended. If that fails, the next start of the service removes it. */
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

function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // The process has ended, or the system refuses: it runs with the priority of the service.
  }
}
