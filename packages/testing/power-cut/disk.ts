import type { Random } from '../simulation/random.ts';
import type { Happened } from './recording.ts';

/** A disk overwrites a sector completely or not at all. */
const SECTOR_BYTES = 512;

type Change = { at: number; bytes: Buffer } | { size: number };

/** A file's bytes, in memory that grows. */
class Content {
  #memory: Buffer;
  size: number;

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#memory = Buffer.from(bytes);
    this.size = bytes.length;
  }

  get bytes(): Buffer {
    return this.#memory.subarray(0, this.size);
  }

  apply(change: Change): void {
    if ('size' in change) return this.#resize(change.size);
    const { at, bytes } = change;
    if (at + bytes.length > this.size) this.#resize(at + bytes.length);
    bytes.copy(this.#memory, at);
    return undefined;
  }

  #resize(size: number): void {
    if (size > this.#memory.length) {
      const larger = Buffer.alloc(Math.max(size, 2 * this.#memory.length));
      this.bytes.copy(larger);
      this.#memory = larger;
    }
    // Bytes after the end become zeros when the file grows again.
    if (size < this.size) this.#memory.fill(0, size, this.size);
    this.size = size;
  }
}

class File {
  /** With all changes, as the running service sees it. */
  readonly current = new Content();
  /** With those that a finished flush covers. */
  readonly flushed = new Content();
  /** The others, in order. */
  waiting: Change[] = [];
  /** Number of changes that were flushed. */
  flushedCount = 0;

  change(change: Change): void {
    this.current.apply(change);
    this.waiting.push(change);
  }

  /** Flushes the first `count` changes that were ever made. */
  flush(count: number): void {
    for (const change of this.waiting.splice(0, count - this.flushedCount)) this.flushed.apply(change);
    this.flushedCount = Math.max(this.flushedCount, count);
  }

  /** The number of changes so far. */
  get count(): number {
    return this.flushedCount + this.waiting.length;
  }
}

/** One operation on the folder: each name that it changes, with the file that it names then; null if it is removed. */
type Naming = readonly [name: string, file: File | null][];

/**
 * What a power cut leaves of changes that no finished flush covers: none of them, all, any of them, the first ones (as
 * a disk that keeps their order does), or any sectors of any of them.
 */
export const remains = ['none', 'all', 'some', 'first', 'torn'] as const;
export type Remains = (typeof remains)[number];

/** How the disk treats flushes. */
export type Honesty =
  | 'honest'
  /** Reports a flush without doing it. */
  | 'never flushes'
  /** Reports each flush at once, and does it when the next one is asked for. */
  | 'flushes late';

/**
 * A disk to which a recording is applied record by record. A change is safe once a flush of its file that began after
 * the change has ended; until then it may be on the disk or not, independently of all others. A write that is not there
 * leaves the bytes around it as they were (SQLite relies on this "powersafe overwrite"). A file's flush does not make
 * its name safe: names are safe after a flush of the folder, and until then the folder has any of its states since the
 * last flush, in order, as journaling file systems guarantee.
 */
export class Disk {
  readonly #honesty: Honesty;
  readonly #open = new Map<number, File | 'folder'>();
  /** Current names. */
  readonly #names = new Map<string, File>();
  readonly #flushedNames = new Map<string, File>();
  #waitingNames: Naming[] = [];
  #flushedNamings = 0;
  /** What a flush that is under way will have flushed. */
  readonly #flushes = new Map<number, () => void>();
  #late: () => void = () => {};

  constructor(honesty: Honesty = 'honest') {
    this.#honesty = honesty;
  }

  apply(happened: Happened): void {
    switch (happened.kind) {
      case 'open':
        this.#open.set(happened.fd, happened.name === '' ? 'folder' : this.#fileOf(happened.name));
        break;
      case 'write':
        this.#change(happened.fd, { at: happened.at, bytes: happened.bytes });
        break;
      case 'truncate':
        this.#change(happened.fd, { size: happened.size });
        break;
      case 'flush':
        this.#flushes.set(happened.flush, this.#begin(happened.fd));
        break;
      case 'flushed':
        this.#end(happened.flush);
        break;
      case 'unlink':
        this.#rename([[happened.name, null]]);
        break;
      case 'rename':
      case 'link': {
        const { kind, from, to } = happened;
        const file = this.#names.get(from);
        if (!file || to === '') throw new Error(`a file was moved into or out of the folder: ${from} to ${to}`);
        this.#rename(
          kind === 'link'
            ? [[to, file]]
            : [
                [to, file],
                [from, null],
              ],
        );
        break;
      }
      case 'received':
    }
  }

  /** The name of an open file. */
  nameOf(fd: number): string | undefined {
    const file = this.#open.get(fd);
    for (const [name, named] of this.#names) if (named === file) return name;
    return undefined;
  }

  /** A file as the running service sees it. Do not keep it: it changes. */
  current(name: string): Buffer | undefined {
    return this.#names.get(name)?.current.bytes;
  }

  /** The files after a power cut at this moment. */
  cut(kept: Remains, random: Random): Map<string, Buffer> {
    const names = new Map(this.#flushedNames);
    for (const naming of this.#waitingNames.slice(0, howMany(kept, this.#waitingNames.length, random)))
      assign(names, naming);
    return new Map(Array.from(names, ([name, file]) => [name, contentAfter(file, kept, random)]));
  }

  #fileOf(name: string): File {
    let file = this.#names.get(name);
    if (!file) this.#rename([[name, (file = new File())]]);
    return file;
  }

  #change(fd: number, change: Change): void {
    const file = this.#open.get(fd);
    if (!file || file === 'folder') throw new Error(`a write to the unknown file ${fd}`);
    file.change(change);
  }

  #rename(naming: Naming): void {
    assign(this.#names, naming);
    this.#waitingNames.push(naming);
  }

  /** Returns what makes everything safe that has happened to the file, or to the folder, until now. */
  #begin(fd: number): () => void {
    const file = this.#open.get(fd);
    if (!file) throw new Error(`a flush of the unknown file ${fd}`);
    if (file !== 'folder') {
      const { count } = file;
      return () => file.flush(count);
    }
    const count = this.#flushedNamings + this.#waitingNames.length;
    return () => {
      for (const naming of this.#waitingNames.splice(0, count - this.#flushedNamings))
        assign(this.#flushedNames, naming);
      this.#flushedNamings = Math.max(this.#flushedNamings, count);
    };
  }

  #end(flush: number): void {
    const done = this.#flushes.get(flush) ?? (() => {});
    this.#flushes.delete(flush);
    if (this.#honesty === 'honest') done();
    else if (this.#honesty === 'flushes late') {
      this.#late();
      this.#late = done;
    }
  }
}

function assign(names: Map<string, File>, naming: Naming): void {
  for (const [name, file] of naming)
    if (file) names.set(name, file);
    else names.delete(name);
}

/** How many of the first `count` changes are left if their order is kept. */
const howMany = (kept: Remains, count: number, random: Random): number =>
  kept === 'none' ? 0 : kept === 'all' ? count : random.below(count + 1);

function contentAfter({ current, flushed, waiting }: File, kept: Remains, random: Random): Buffer {
  if (kept === 'all') return Buffer.from(current.bytes);
  const content = new Content(flushed.bytes);
  const first = howMany(kept, waiting.length, random);
  const share = random.pick([0.05, 0.5, 0.95]) ?? 0.5;
  waiting.forEach((change, at) => {
    if (kept === 'first' ? at < first : kept !== 'none' && random.chance(share))
      for (const part of kept === 'torn' ? sectorsOf(change, random) : [change]) content.apply(part);
  });
  return content.bytes;
}

/** A random half of the sectors of a write. */
function* sectorsOf(change: Change, random: Random): Generator<Change> {
  if ('size' in change) return yield change;
  const { at, bytes } = change;
  for (let from = 0; from < bytes.length;) {
    const length = Math.min(bytes.length - from, SECTOR_BYTES - ((at + from) % SECTOR_BYTES));
    if (random.chance(0.5)) yield { at: at + from, bytes: bytes.subarray(from, from + length) };
    from += length;
  }
  return undefined;
}
