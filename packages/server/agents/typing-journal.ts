import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { dateBefore } from '@parley/protocol/dates';
import type { Clock } from '../core/clock.ts';

/** Age at which the journal begins a new file; the file before it is kept as long. */
const PERIOD_MS = 10 * 60_000;

/** Age of a line from which on it is ignored: typing may have gone on for a period after the file noted it. */
const MAX_AGE_MS = 2 * PERIOD_MS;

/** A timeline, and an account that types there. It has no names, so that the file holds none of deleted accounts. */
interface Place {
  chatKey: number;
  channelId: string | null;
  threadRootId: string | null;
  accountKey: number;
}

/** A place with the time at which a file first noted it. */
export interface JournalPlace extends Place {
  at: number;
}

interface TypingJournalNeeds {
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Who is typing at this moment: written again into each new file, because an agent may type for long. */
  current: () => Iterable<Place>;
  onFault: (error: unknown) => void;
}

/**
 * Who has typed where, in two small files of the data folder: after a crash the service ends the typing that clients
 * may still show (TYPING-7). Typing itself is no write of the
 * store, which would double the store's work. A line is written before the typing is published, and not flushed: it
 * survives the process, not a power cut.
 */
export class TypingJournal {
  readonly #needs: TypingJournalNeeds;
  readonly #file: string;
  readonly #before: string;
  readonly #noted = new Set<string>();
  #descriptor: number | null = null;
  #begunAt = -Infinity;

  constructor(folder: string, needs: TypingJournalNeeds) {
    this.#file = join(folder, 'typing.log');
    this.#before = join(folder, 'typing-before.log');
    this.#needs = needs;
  }

  /** The places that earlier processes have noted, each once, unless all typing there is older than what is kept. */
  read(): JournalPlace[] {
    const oldest = dateBefore(this.#needs.clock.now(), MAX_AGE_MS);
    const places = [this.#before, this.#file].flatMap((file) => linesOf(file).flatMap((line) => placeOf(line) ?? []));
    return [...new Map(places.map((place) => [keyOf(place), place])).values()].filter(({ at }) => at >= oldest);
  }

  /** Notes that an account types. Cheap if the current file has this place already. */
  note(place: Place, at = this.#needs.clock.now()): void {
    try {
      if (this.#needs.clock.monotonic() - this.#begunAt >= PERIOD_MS) this.#begin();
      this.#write(place, at);
    } catch (error) {
      this.#needs.onFault(error);
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
    this.#begunAt = -Infinity;
  }

  #begin(): void {
    this.close();
    this.#noted.clear();
    rmSync(this.#before, { force: true });
    try {
      renameSync(this.#file, this.#before);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    this.#descriptor = openSync(this.#file, 'a', 0o600);
    this.#begunAt = this.#needs.clock.monotonic();
    const now = this.#needs.clock.now();
    for (const place of this.#needs.current()) this.#write(place, now);
  }

  #write(place: Place, at: number): void {
    const key = keyOf(place);
    if (this.#descriptor === null || this.#noted.has(key)) return;
    this.#noted.add(key);
    const { chatKey, channelId, threadRootId, accountKey } = place;
    writeSync(this.#descriptor, `${JSON.stringify([chatKey, channelId, threadRootId, accountKey, at])}\n`);
  }
}

const keyOf = ({ chatKey, channelId, threadRootId, accountKey }: Place): string =>
  JSON.stringify([chatKey, channelId, threadRootId, accountKey]);

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The place of a line; undefined for the last line of a process that died while it wrote. */
function placeOf(line: string): JournalPlace | undefined {
  try {
    // A line as `#write` makes it, or a part of one, which is no JSON.
    const [chatKey, channelId, threadRootId, accountKey, at] = JSON.parse(line) as [
      number,
      string | null,
      string | null,
      number,
      number,
    ];
    return { chatKey, channelId, threadRootId, accountKey, at };
  } catch {
    return undefined;
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
