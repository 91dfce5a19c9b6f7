import type { UnreadReason } from '@parley/protocol';
import { pause, type Clock } from '../core/clock.ts';
import { idBytes } from '../core/ids.ts';
import { base64Length } from '../files/base64.ts';
import type { Reading } from '../files/file-reader.ts';
import type { Readings } from '../files/readings.ts';
import {
  beginningOf,
  type FileContent,
  type FileContents,
  fileLimits,
  noContents,
  tokensOfDocument,
  tokensOfImage,
  tokensOfText,
} from '../rules/context-files.ts';
import type { ContextAttachment } from '../rules/context-notes.ts';
import type { ContextMessage, Selected } from '../rules/conversation-context.ts';
import { leftOut } from '../rules/left-out-files.ts';
import type { AccountRow } from '../store/accounts.ts';
import { type FileRow, fileInMessage } from '../store/files.ts';
import type { Sql } from '../store/sql.ts';
import type { TurnRow } from '../store/turns.ts';
import type { FileMemory } from './file-memory.ts';

/** How long a turn waits for its files. What is read later is there for the next turn. */
const PATIENCE_MS = 20_000;

/** The files that a vendor's models take. */
export interface TakenFiles {
  /** Maximum of the longest side of an image. */
  px: number;
  /** Whether they take a PDF as such; otherwise its text is sent. */
  pdf: boolean;
}

export interface FileNeeds {
  clock: Clock;
  read: Sql;
  readings: Readings;
  memory: FileMemory;
  onFault: (error: unknown) => void;
}

/** The files of a request. `release` must be called when the provider has answered. */
export interface FilesOfRequest {
  contents: FileContents;
  /** The files of the message that fired which the model did not receive. */
  unread: readonly { name: string; why: UnreadReason }[];
  release: () => void;
}

export const noFiles: FilesOfRequest = { contents: noContents, unread: [], release: () => {} };

interface Asked {
  turn: TurnRow;
  agent: AccountRow;
  takes: TakenFiles;
  signal: AbortSignal;
}

interface Place {
  attachment: ContextAttachment;
  id: string;
  messageKey: number;
  isFiring: boolean;
}

/**
 * Reads the files of the selected messages, the newest first, until a limit of the request is reached (CONTEXT-14 …
 * CONTEXT-21). Whether the asker and the agent may see each of them is checked before and after it is read.
 */
export async function readFiles(
  needs: FileNeeds,
  selected: readonly Selected<ContextMessage & { key: number }>[],
  asked: Asked,
): Promise<FilesOfRequest> {
  const places = placesOf(selected, asked.turn);
  if (places.length === 0) return noFiles;
  const request = new RequestFiles(needs, asked);
  try {
    for (const place of places) await request.add(place);
    for (const place of places) await request.checkAgain(place);
  } catch (error) {
    request.release();
    throw error;
  } finally {
    request.close();
  }
  return request;
}

/** Newest first. A file that is in several messages is read for the newest of them. */
function placesOf(selected: readonly Selected<ContextMessage & { key: number }>[], turn: TurnRow): Place[] {
  const places = new Map<string, Place>();
  for (const { message, files } of selected.toReversed())
    for (const attachment of files)
      if (attachment.id !== undefined && !places.has(attachment.id))
        places.set(attachment.id, {
          attachment,
          id: attachment.id,
          messageKey: message.key,
          isFiring: message.key === turn.message_key,
        });
  return [...places.values()];
}

/** What a file needs: its own bytes and estimated tokens, and the memory that holds it, for binary data as base64. */
interface Room {
  bytes: number;
  held: number;
  tokens: number;
}

type Readable = Exclude<Reading, { type: 'unreadable' }>;

class RequestFiles implements FilesOfRequest {
  readonly contents = new Map<ContextAttachment, FileContent>();
  readonly unread: { name: string; why: UnreadReason }[] = [];
  readonly #needs: FileNeeds;
  readonly #asked: Asked;
  /** What may still be read for the request, and what still fits into it. */
  readonly #limits: { files: number; images: number; bytes: number; tokens: number };
  readonly #patience = new AbortController();
  readonly #tooLate: Promise<'too_late'>;
  /** Whether the owner's key pays for another human. */
  readonly #isGuest: boolean;
  #isLate = false;
  /** Why the first image that did not fit was left out; more are not decoded. */
  #fullOfImages: UnreadReason | undefined;
  #held = 0;

  constructor(needs: FileNeeds, asked: Asked) {
    this.#needs = needs;
    this.#asked = asked;
    const { turn, agent, signal } = asked;
    this.#isGuest = turn.payer === 'owner' && turn.human_key !== agent.parent_key;
    const { files, images, bytes, tokens, guestTokens } = fileLimits;
    this.#limits = { files, images, bytes, tokens: this.#isGuest ? guestTokens : tokens };
    const either = AbortSignal.any([signal, this.#patience.signal]);
    this.#tooLate = pause(needs.clock, PATIENCE_MS, either).then(() => {
      this.#isLate = true;
      return 'too_late';
    });
    this.#tooLate.catch(() => {});
  }

  /** Reads one file into the request, or notes why it is left out. */
  async add(place: Place): Promise<void> {
    const content = await this.#contentOf(place);
    if (typeof content === 'string') this.#leaveOut(place, content);
    else this.contents.set(place.attachment, content);
  }

  /** Takes a file out again that was deleted or hidden while others were read. */
  async checkAgain(place: Place): Promise<void> {
    const content = this.contents.get(place.attachment);
    if (content && content.type !== 'left_out' && !(await this.#find(place))) this.#leaveOut(place, 'gone');
  }

  /** Ends the time limit. */
  close(): void {
    this.#patience.abort();
  }

  release = (): void => {
    this.#needs.memory.release(this.#asked.turn.human_key, this.#held);
    this.#held = 0;
  };

  #leaveOut({ attachment, isFiring }: Place, why: UnreadReason): void {
    this.contents.set(attachment, { type: 'left_out', why: leftOut[why].note });
    if (isFiring) this.unread.push({ name: attachment.name ?? attachment.kind, why });
  }

  async #contentOf(place: Place): Promise<FileContent | UnreadReason> {
    const file = await this.#find(place);
    if (!file) return 'gone';
    const refused = this.#attempt(file);
    if (refused) return refused;
    const reading = await this.#read(file);
    return typeof reading === 'string' ? reading : this.#fit(file, reading);
  }

  /** Counts each file that is read, also if it turns out to be unreadable: reading is what costs. */
  #attempt({ kind }: FileRow): UnreadReason | undefined {
    if (this.#isLate) return 'too_late';
    const isPhoto = kind === 'photo';
    if (this.#limits.files === 0 || (isPhoto && this.#limits.images === 0)) return 'too_many';
    if (isPhoto && this.#fullOfImages) return this.#fullOfImages;
    this.#limits.files -= 1;
    if (isPhoto) this.#limits.images -= 1;
    return undefined;
  }

  async #find({ id, messageKey }: Place): Promise<FileRow | undefined> {
    const { turn, agent } = this.#asked;
    return this.#needs.read.get(fileInMessage, idBytes(id), messageKey, turn.human_key, agent.key);
  }

  async #read(file: FileRow): Promise<Readable | UnreadReason> {
    const { px } = this.#asked.takes;
    const { characters, pages } = fileLimits;
    const { readings } = this.#needs;
    const read = await this.#inTime(() => readings.read(file, { px, characters, pages }, this.#asked.turn.human_key));
    if (typeof read === 'string') return read;
    return read.type === 'unreadable' ? read.why : read;
  }

  /** What is loaded, or why it is not: that it takes too long or fails concerns this file, never the whole reply. */
  async #inTime<Loaded>(load: () => Promise<Loaded>): Promise<Loaded | 'too_late' | 'unavailable'> {
    if (this.#isLate) return 'too_late';
    try {
      return await Promise.race([load(), this.#tooLate]);
    } catch (error) {
      this.#asked.signal.throwIfAborted();
      this.#needs.onFault(error);
      return 'unavailable';
    }
  }

  /** The content in the form that the model takes, as far as the limits of the request allow it. */
  async #fit(file: FileRow, reading: Readable): Promise<FileContent | UnreadReason> {
    if (reading.type === 'image') {
      const tokens = tokensOfImage(reading);
      const refused = this.#take({ bytes: reading.bytes, held: reading.data.length, tokens });
      this.#fullOfImages = refused;
      return refused ?? { type: 'image', data: reading.data, tokens };
    }
    if (reading.type === 'text') return this.#fitText(reading.text, reading.isWhole ? undefined : 'its beginning');
    const { text, pages, pagesRead } = reading;
    const about = pagesRead < pages ? `the first ${pagesRead} of ${pages} pages` : undefined;
    const tokens = tokensOfDocument(pages, text);
    // The number of pages is the document's word, and a guest's request must not cost more than the claim allowed for.
    const isTaken = this.#asked.takes.pdf && !this.#isGuest;
    const isSent = isTaken && pages <= fileLimits.pages && pagesRead === pages;
    if (isSent && file.size <= this.#limits.bytes && tokens <= this.#limits.tokens) {
      const room: Room = { bytes: file.size, held: base64Length(file.size), tokens };
      const refused = this.#take(room);
      if (refused) return refused;
      const data = await this.#inTime(() => this.#needs.readings.original(file));
      if (data && typeof data !== 'string') return { type: 'document', data, tokens, text, about };
      this.#giveBack(room);
      if (!data) return 'missing';
    }
    return this.#fitText(text, about);
  }

  #fitText(text: string, about: string | undefined): FileContent | UnreadReason {
    if (text.trim() === '') return 'no_text';
    const kept = beginningOf(text, this.#limits);
    if (kept === '') return 'too_much';
    const bytes = Buffer.byteLength(kept);
    const refused = this.#take({ bytes, held: bytes, tokens: tokensOfText(kept) });
    return refused ?? { type: 'text', text: kept, about: kept === text ? about : 'its beginning' };
  }

  /** Takes room of the request and memory; returns the reason if there is not enough. */
  #take({ bytes, held, tokens }: Room): UnreadReason | undefined {
    if (bytes > this.#limits.bytes || tokens > this.#limits.tokens) return 'too_much';
    if (!this.#needs.memory.take(this.#asked.turn.human_key, held)) return 'busy';
    this.#held += held;
    this.#limits.bytes -= bytes;
    this.#limits.tokens -= tokens;
    return undefined;
  }

  #giveBack({ bytes, held, tokens }: Room): void {
    this.#needs.memory.release(this.#asked.turn.human_key, held);
    this.#held -= held;
    this.#limits.bytes += bytes;
    this.#limits.tokens += tokens;
  }
}
