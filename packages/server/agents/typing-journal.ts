import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';

/** Age at which the journal begins a new file; the file before it is kept as long. */
const PERIOD_MS = 10 * 60_000;

/** A timeline, and an account that types there. It has no names, so that the file holds none of deleted accounts. */
export interface JournalPlace {
  chatKey: number;
  channelId: string | null;
  threadRootId: string | null;
  accountKey: number;
}

interface Ports {
  clock: Pick<Clock, 'now'>;
  /** Who is typing at this moment: written again into each new file, because an agent may type for long. */
  current: () => Iterable<JournalPlace>;
  onFault: (error: unknown) => void;
}

/**
 * Who has typed where, in two small files of the data folder: after a crash the service ends the typing that clients
 * may still show (TYPING-7). Typing itself is no write of the
 * store, which would double its work. A line is written before the typing is published, and not flushed: it survives the
 * process, not a power cut.
 */
export class TypingJournal {
  readonly #ports: Ports;
  readonly #file: string;
  readonly #before: string;
  readonly #noted = new Set<string>();
  #descriptor: number | null = null;
  #begunAt = -Infinity;

  constructor(folder: string, ports: Ports) {
    this.#file = join(folder, 'typing.log');
    this.#before = join(folder, 'typing-before.log');
    this.#ports = ports;
  }

  /** The places that the previous process has noted, each once. */
  read(): JournalPlace[] {
    const lines = [this.#before, this.#file].flatMap((file) => linesOf(file));
    return [...new Set(lines)].flatMap((line) => placeOf(line) ?? []);
  }

  /** Notes that an account types. Cheap if the current file has this place already. */
  note(place: JournalPlace): void {
    try {
      if (this.#ports.clock.now() - this.#begunAt >= PERIOD_MS) this.#begin();
      this.#write(place);
    } catch (error) {
      this.#ports.onFault(error);
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
    this.#begunAt = this.#ports.clock.now();
    for (const place of this.#ports.current()) this.#write(place);
  }

  #write({ chatKey, channelId, threadRootId, accountKey }: JournalPlace): void {
    const line = JSON.stringify([chatKey, channelId, threadRootId, accountKey]);
    if (this.#descriptor === null || this.#noted.has(line)) return;
    this.#noted.add(line);
    writeSync(this.#descriptor, `${line}\n`);
  }
}

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
    const [chatKey, channelId, threadRootId, accountKey] = JSON.parse(line) as [
      number,
      string | null,
      string | null,
      number,
    ];
    return { chatKey, channelId, threadRootId, accountKey };
  } catch {
    return undefined;
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
