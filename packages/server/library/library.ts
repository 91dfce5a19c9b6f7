import type { SourceFailure } from '@parley/protocol';
import { dateAfter } from '@parley/protocol/dates';
import { officeKind } from '@parley/office';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { Clock } from '../core/clock.ts';
import { OwnerRounds } from '../core/owner-rounds.ts';
import type { FileReader } from '../files/file-reader.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import type { ReaderThread } from '../readers/reader-thread.ts';
import { type LibraryText, SOURCE_CHARACTERS, SOURCE_PAGES } from '../rules/library-text.ts';
import type { FileRow } from '../store/files.ts';
import { fileOfSource, nextSource, type WaitingSource } from '../store/sources.ts';
import type { Sql } from '../store/sql.ts';
import { fetchSource } from './fetch-source.ts';
import type { sourceUnits } from './source-units.ts';

/** How long a page may take, redirects included. */
const PATIENCE_MS = 15_000;
/** How long a source belongs to the node that reads it: longer than any reading takes. */
const CLAIM_MS = 120_000;
/** How often a source is tried during whose reading the service died. */
const TRIES = 3;
/** Delay before a file is tried again whose bytes could not be fetched. */
const REST_MS = 60_000;
/** No further source is begun in the same tick of the housekeeping after this time. */
const BUSY_MS = 250;

const FORMS = { px: 0, characters: SOURCE_CHARACTERS, pages: SOURCE_PAGES, isPaged: true } as const;

type Found = LibraryText | { failure: SourceFailure };

interface LibraryNeeds {
  clock: Clock;
  read: Sql;
  fetch: Fetch;
  files: { reader: Pick<FileReader, 'read'>; stop: () => void };
  thread: Pick<ReaderThread, 'run'>;
  units: UnitCallers<typeof sourceUnits>;
  onFault: (error: unknown) => void;
}

/**
 * Reads the sources of libraries, one after another, beside everything else (KNOW-3). They wait in the store, so none is
 * forgotten; a claim keeps two nodes from reading the same one.
 */
export class Library {
  readonly #needs: LibraryNeeds;
  readonly #rounds: OwnerRounds<WaitingSource>;
  readonly #stop = new AbortController();

  constructor(needs: LibraryNeeds) {
    this.#needs = needs;
    this.#rounds = new OwnerRounds({
      clock: needs.clock,
      busyMs: BUSY_MS,
      next: async (owner) => this.#next(owner),
      take: (source, isEnding) => this.#take(source, isEnding),
    });
  }

  /** Reads waiting sources for a while. */
  tend(isPaused?: () => boolean): Promise<void> {
    return this.#rounds.tend(isPaused);
  }

  /** A source that is being read is read again after the restart. */
  close(): Promise<void> {
    return this.#rounds.close(() => {
      this.#stop.abort();
      this.#needs.files.stop();
    });
  }

  #next(owner: number) {
    const { read, clock } = this.#needs;
    const now = clock.now();
    return read.get(nextSource, owner, now, dateAfter(now, 2 * CLAIM_MS));
  }

  /** Returns false if nothing could be read at the moment: the others wait for the next tick. */
  async #take(source: WaitingSource, isEnding: () => boolean): Promise<boolean> {
    const { units, onFault } = this.#needs;
    const claim = await units.claimLibrarySource({ key: source.key, forMs: CLAIM_MS });
    if (!claim) return true;
    let found: Found;
    try {
      found = claim.tries > TRIES ? { failure: 'damaged' } : await this.#read(source);
    } catch (error) {
      if (!isEnding()) onFault(error);
      await units.unclaimLibrarySource({ claim, forMs: isEnding() ? 0 : REST_MS });
      return false;
    }
    // What stops the service ends the processes that read, too: the source is not damaged.
    if ('failure' in found && isEnding()) await units.unclaimLibrarySource({ claim, forMs: 0 });
    else await units.storeLibrarySource({ claim, ownerKey: source.owner_key, agent: source.agent, found });
    return true;
  }

  async #read(source: WaitingSource): Promise<Found> {
    if (source.url !== null) return this.#readPage(source.url, source.owner_key);
    const file = await this.#needs.read.get(fileOfSource, source.file_key);
    return file ? this.#readFile(file, source.owner_key) : { failure: 'missing' };
  }

  async #readPage(url: string, ownerKey: number): Promise<Found> {
    const { clock, fetch, thread } = this.#needs;
    const late = new AbortController();
    const timer = clock.setTimer(() => late.abort(), PATIENCE_MS);
    try {
      const page = await fetchSource(fetch, url, AbortSignal.any([this.#stop.signal, late.signal]));
      if ('failure' in page) return page;
      // Null: it takes more time or memory than a text may.
      return (await thread.run('libraryPage', page, ownerKey)) ?? { failure: 'damaged' };
    } finally {
      timer.cancel();
    }
  }

  async #readFile(file: FileRow, ownerKey: number): Promise<Found> {
    const { files, thread } = this.#needs;
    if (file.kind === 'photo') return { failure: 'no_text' };
    const reading = await files.reader.read(file, FORMS, ownerKey);
    if (reading.type === 'unreadable') return { failure: reading.why === 'unknown_type' ? 'no_text' : reading.why };
    if (reading.type === 'image') return { failure: 'no_text' };
    const isPaged = reading.type === 'pdf';
    const hasHeadings = officeKind(file.mime_type, file.name) !== null || /\.(?:md|markdown)$/i.test(file.name);
    const found = await thread.run('libraryFile', { text: reading.text, isPaged, hasHeadings }, ownerKey);
    if (!found) return { failure: 'damaged' };
    if ('failure' in found) return found;
    const isCut = reading.type === 'pdf' ? reading.pagesRead < reading.pages : !reading.isWhole;
    return { ...found, isCut };
  }
}
