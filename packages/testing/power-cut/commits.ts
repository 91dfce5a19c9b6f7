import { crc32 } from 'node:zlib';
import type { Disk } from './disk.ts';
import type { Happened } from './recording.ts';

// https://sqlite.org/fileformat2.html#the_write_ahead_log
const PAGE_BYTES = 4_096;
const FRAME_HEAD_BYTES = 24;
const FRAME_BYTES = FRAME_HEAD_BYTES + PAGE_BYTES;
const LOG_HEAD_BYTES = 32;

const frameAt = (place: number): number => Math.floor((place - LOG_HEAD_BYTES) / FRAME_BYTES);

/**
 * The states that a database had after each of its commits, each as one text. A database that a power cut leaves must
 * be in one of them, to the byte: a mixture of two states can be a file in which SQLite finds no fault.
 */
export class Commits {
  checkpoints = 0;
  readonly #file: string;
  readonly #log: string;
  #state = new PageSums();
  /** Number of frames in the log that belong to commits. */
  #frames = 0;
  #commits = 0;
  readonly #known = new Set<string>();

  constructor(file: string) {
    this.#file = file;
    this.#log = `${file}-wal`;
  }

  /** Number of commits so far. */
  get count(): number {
    return this.#commits;
  }

  /** Call with every record, after it was applied to the disk. */
  note(happened: Happened, disk: Disk): void {
    if (happened.kind !== 'write') return;
    const name = disk.nameOf(happened.fd);
    // Before the first commit to the log, SQLite writes the first page directly, under a journal.
    if (name === this.#file && this.#commits === 0) {
      this.#state = PageSums.of(disk.current(name) ?? Buffer.alloc(0));
      this.#known.add(this.#state.text);
    }
    if (name !== this.#log) return;
    const { at, bytes } = happened;
    if (at < LOG_HEAD_BYTES) {
      // The log begins again when all of it has been copied into the database.
      this.#frames = 0;
      this.checkpoints += 1;
    }
    const log = disk.current(name) ?? Buffer.alloc(0);
    for (let frame = Math.max(0, frameAt(at)); frame < frameAt(at + bytes.length); frame += 1) this.#take(log, frame);
  }

  /** Whether this file is the database after one of the commits so far. */
  has(file: Buffer): boolean {
    // A checkpoint that did not end may have left pages after the end of the database.
    const pages = file.length < PAGE_BYTES ? 0 : file.readUInt32BE(28);
    return this.#known.has(PageSums.of(file.subarray(0, pages * PAGE_BYTES)).text);
  }

  /** Takes a frame that is now complete: the last one of a transaction commits those before it, too. */
  #take(log: Buffer, last: number): void {
    const start = (frame: number) => LOG_HEAD_BYTES + frame * FRAME_BYTES;
    const size = log.readUInt32BE(start(last) + 4);
    if (size === 0) return;
    for (let frame = this.#frames; frame <= last; frame += 1) {
      const page = start(frame) + FRAME_HEAD_BYTES;
      this.#state.set(log.readUInt32BE(start(frame)), log.subarray(page, page + PAGE_BYTES));
    }
    this.#state.truncate(size);
    this.#frames = last + 1;
    this.#commits += 1;
    this.#known.add(this.#state.text);
  }
}

/** A checksum of a database that is cheap to continue when a page changes. */
class PageSums {
  /** By page number from 1, so the first item is unused. */
  readonly #sums: number[] = [0];
  #sum = 0;
  #mixed = 0;

  static of(file: Buffer): PageSums {
    const sums = new PageSums();
    for (let at = 0; at + PAGE_BYTES <= file.length; at += PAGE_BYTES)
      sums.set(at / PAGE_BYTES + 1, file.subarray(at, at + PAGE_BYTES));
    return sums;
  }

  get text(): string {
    return `${this.#sums.length - 1} ${this.#sum} ${this.#mixed}`;
  }

  set(page: number, bytes: Buffer): void {
    while (this.#sums.length <= page) this.#sums.push(0);
    this.#change(page, crc32(bytes, page));
  }

  truncate(pages: number): void {
    for (let page = this.#sums.length - 1; page > pages; page -= 1) {
      this.#change(page, 0);
      this.#sums.pop();
    }
  }

  #change(page: number, sum: number): void {
    const old = this.#sums[page] ?? 0;
    this.#sums[page] = sum;
    this.#sum = (this.#sum + sum - old) >>> 0;
    this.#mixed = (this.#mixed + mix(sum, page) - mix(old, page)) >>> 0;
  }
}

/** A second value of the same sum, so that equal differences of two pages do not cancel each other out. */
const mix = (sum: number, page: number): number =>
  sum === 0 ? 0 : Math.imul(sum ^ Math.imul(page, 0x9e3779b1), 0x85ebca6b) >>> 0;
