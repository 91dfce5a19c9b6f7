import { firstBytes } from '@parley/protocol';
import { dateAfter } from '@parley/protocol/dates';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { Clock } from '../core/clock.ts';
import { OwnerRounds } from '../core/owner-rounds.ts';
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
 * files wait in the store, so none is forgotten; a claim keeps two nodes from reading the same one.
 */
export class FileTexts {
  readonly #needs: FileTextsNeeds;
  readonly #rounds: OwnerRounds<WaitingFile>;

  constructor(needs: FileTextsNeeds) {
    this.#needs = needs;
    this.#rounds = new OwnerRounds({
      clock: needs.clock,
      busyMs: BUSY_MS,
      next: async (owner) => this.#next(owner),
      take: (file, isEnding) => this.#take(file, isEnding),
    });
  }

  /** Reads waiting files for a while. */
  tend(isPaused?: () => boolean): Promise<void> {
    return this.#rounds.tend(isPaused);
  }

  /** A file that is being read is read again after the restart. */
  close(): Promise<void> {
    return this.#rounds.close(this.#needs.stopReader);
  }

  #next(owner: number) {
    const { read, clock } = this.#needs;
    const now = clock.now();
    return read.get(nextWaiting, owner, now, dateAfter(now, 2 * CLAIM_MS));
  }

  /** Returns false if the file could not be fetched: the storage may be away, so the others wait for the next tick. */
  async #take(file: WaitingFile, isEnding: () => boolean): Promise<boolean> {
    const { units, onFault } = this.#needs;
    const claim = await units.claimFileText({ fileKey: file.key, forMs: CLAIM_MS });
    if (!claim) return true;
    let text: string | null = null;
    try {
      if (claim.tries <= TRIES && mayHaveText(file)) text = await this.#textOf(file);
    } catch (error) {
      if (!this.#rounds.isClosed) onFault(error);
      await units.unclaimFileText({ claim, forMs: REST_MS });
      return false;
    }
    // A signal that stops the service can end the inspecting process too, and a full disk its work: the file is not
    // damaged.
    const isEnded = this.#rounds.isClosed || (text === null && isEnding());
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
