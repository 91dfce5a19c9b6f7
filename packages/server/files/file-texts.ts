import { firstBytes } from '@parley/protocol';
import { dateAfter } from '@parley/protocol/dates';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { Clock } from '../core/clock.ts';
import { wordsOf } from '../rules/search-words.ts';
import { nextWaiting, type WaitingFile } from '../store/file-texts.ts';
import type { Sql } from '../store/sql.ts';
import { type FileReader, mayHaveText } from './file-reader.ts';
import type { fileTextUnits } from './file-text-units.ts';

/** Maximum characters of a text, and its bytes for each byte that the file counts (FILE-15). */
const CHARACTERS = 100_000;
const BYTES_PER_BYTE = 8;
const OVERHEAD_BYTES = 4_096;
const PAGES = 100;
/** How long a file belongs to the node that reads it: longer than any reading takes. */
const CLAIM_MS = 120_000;
/** How often a file is tried during whose reading the service died. */
const TRIES = 3;
/** Delay before a file is tried again whose bytes could not be fetched. */
const REST_MS = 60_000;
/** No further file is begun in the same tick of the housekeeping after this time: old files are read slowly. */
const BUSY_MS = 250;
/** An owner key below all others: the next owner after it is the first. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

interface FileTextsNeeds {
  clock: Clock;
  read: Sql;
  reader: Pick<FileReader, 'read'>;
  /** Ends the reading of a long file. */
  stopReader: () => void;
  units: UnitCallers<typeof fileTextUnits>;
  onFault: (error: unknown) => void;
}

/**
 * Reads the files of messages for the search (FILE-28), one after another, long after the calls that sent them. The
 * files wait in the store, so none is forgotten; a claim keeps two nodes from reading the same one. People take turns:
 * someone with many files delays others by one file each.
 */
export class FileTexts {
  readonly #needs: FileTextsNeeds;
  #running: Promise<void> | null = null;
  #owner = BEFORE_ALL;
  #isClosed = false;

  constructor(needs: FileTextsNeeds) {
    this.#needs = needs;
  }

  /** Reads waiting files for a while. */
  tend(isPaused: () => boolean = () => false): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#running ??= this.#readSome(isPaused).finally(() => (this.#running = null));
    return this.#running;
  }

  /** A file that is being read is read again after the restart. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#needs.stopReader();
    await this.#running?.catch(() => {});
  }

  async #readSome(isPaused: () => boolean): Promise<void> {
    const { clock } = this.#needs;
    const until = clock.monotonic() + BUSY_MS;
    do {
      const file = await this.#next();
      if (!file || this.#isClosed || !(await this.#take(file, isPaused))) return;
    } while (clock.monotonic() < until && !this.#isClosed && !isPaused());
  }

  async #next(): Promise<WaitingFile | undefined> {
    const { read, clock } = this.#needs;
    const now = clock.now();
    const latest = dateAfter(now, 2 * CLAIM_MS);
    const next = (owner: number) => read.get(nextWaiting, owner, now, latest);
    const file = (await next(this.#owner)) ?? (await next(BEFORE_ALL));
    if (file) this.#owner = file.owner_key;
    return file;
  }

  /** Returns false if the file could not be fetched: the storage may be away, so the others wait for the next tick. */
  async #take(file: WaitingFile, isPaused: () => boolean): Promise<boolean> {
    const { units, onFault } = this.#needs;
    const claim = await units.claimFileText({ fileKey: file.key, forMs: CLAIM_MS });
    if (!claim) return true;
    let text: string | null = null;
    try {
      if (claim.tries <= TRIES && mayHaveText(file)) text = await this.#textOf(file);
    } catch (error) {
      if (!this.#isClosed) onFault(error);
      await units.unclaimFileText({ claim, forMs: REST_MS });
      return false;
    }
    // A signal that stops the service can end the inspecting process too, and a full disk its work: the file is not
    // damaged.
    const isEnded = this.#isClosed || (text === null && isPaused());
    await (isEnded ? units.unclaimFileText({ claim, forMs: 0 }) : units.storeFileText({ claim, text }));
    return true;
  }

  /** Reads the text that the search stores for a file; null if the file has no words or cannot be read. */
  async #textOf(file: WaitingFile): Promise<string | null> {
    // `px` is for photos.
    const forms = { px: 0, characters: CHARACTERS, pages: PAGES };
    const reading = await this.#needs.reader.read(file, forms, file.owner_key);
    if (reading.type === 'unreadable' || reading.type === 'image') return null;
    const most = (file.size + OVERHEAD_BYTES) * BYTES_PER_BYTE;
    const text = firstBytes(reading.text.slice(0, CHARACTERS).replaceAll(/\s+/g, ' ').trim(), most);
    return wordsOf(text).next().done ? null : text;
  }
}
