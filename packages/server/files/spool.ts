import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Clock, Timer } from '../core/clock.ts';
import { freeBytes } from '../core/disk-space.ts';
import { invalid, ServiceError, unavailable } from '../core/errors.ts';
import type { PacedSlot } from '../core/paced-slots.ts';

/** Maximum pause between two chunks of an upload. */
const SILENCE_MS = 20_000;
/** Maximum time of an upload. */
const PATIENCE_MS = 600_000;
/** Minimum average speed of an upload: a slower one would hold its slot for too long. */
const LEAST_BYTES_PER_S = 8_192;
/** How many bytes are received between two checks of the free disk space. */
const LOOK_BYTES = 8 * 1024 * 1024;

const lostSlot = () => unavailable('others wait for a place to upload, and this file comes slowly; try again');
const tooSlow = () => invalid('file', 'was sent too slowly');

interface PartLimits {
  most: number;
  /** About how many bytes one part has. */
  enough: number;
  slot: PacedSlot;
  /** Rejects when the source is no longer wanted. */
  cut: Promise<never>;
}

/** How many bytes have arrived, and why no more: the source is over, sends more than it may, or has failed. */
interface ReceivedPart {
  size: number;
  end: 'enough' | 'over' | 'too long' | { error: ServiceError };
}

/** Stores files on the local disk while they are received and inspected; never whole in memory (FILE-2). */
export class Spool {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #minFreeBytes: number;

  constructor(folder: string, clock: Clock, minFreeBytes: number) {
    this.#folder = folder;
    this.#clock = clock;
    this.#minFreeBytes = minFreeBytes;
  }

  /** Deletes the incomplete uploads of an earlier process. */
  async start(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  newPath(): string {
    return join(this.#folder, randomUUID());
  }

  /** Writes the bytes to a new file; returns its size. Until then the upload may lose its slot (FILE-31). */
  async receive(bytes: AsyncIterable<Uint8Array>, path: string, maxBytes: number, slot?: PacedSlot): Promise<number> {
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    if (slot) slot.giveUp = () => reject(lostSlot());
    const pace = new Pace(this.#clock, () => reject(tooSlow()));
    let size = 0;
    let lookAt = 0;
    const counted = async function* (this: Spool, source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        size += chunk.length;
        pace.note(chunk.length);
        slot?.note(chunk.length);
        if (size > maxBytes)
          throw new ServiceError('too_large', `the file is larger than ${maxBytes} bytes`, { field: 'file' });
        if (size > lookAt) {
          lookAt = size + LOOK_BYTES;
          await this.assertRoom();
        }
        yield chunk;
      }
    }.bind(this);
    const writing = pipeline(bytes, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    try {
      // Does not wait for a silent sender: the write ends when the request does.
      await Promise.race([writing, stopped]);
      return size;
    } finally {
      writing.catch(() => {});
      pace.stop();
      if (slot) slot.giveUp = null;
    }
  }

  /**
   * Writes the next bytes of a source to a new file: at least `enough` if there are more, and never above `most`. What
   * has arrived stays if the source breaks off, sends too slowly, is cut or loses its slot.
   */
  async receivePart(source: AsyncIterator<Uint8Array>, path: string, limits: PartLimits): Promise<ReceivedPart> {
    const { most, enough, slot, cut } = limits;
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    slot.giveUp = () => reject(lostSlot());
    const pace = new Pace(this.#clock, () => reject(tooSlow()));
    let size = 0;
    let end: ReceivedPart['end'] = 'enough';
    const chunks = async function* (this: Spool) {
      try {
        await this.assertRoom();
        while (size < enough) {
          const { done, value: chunk } = await Promise.race([source.next(), stopped, cut]);
          if (done || size + chunk.length > most) {
            end = done ? 'over' : 'too long';
            return;
          }
          size += chunk.length;
          pace.note(chunk.length);
          slot.note(chunk.length);
          yield chunk;
        }
      } catch (error) {
        end = { error: error instanceof ServiceError ? error : invalid('body', 'ended early') };
      }
    }.bind(this);
    try {
      await pipeline(chunks, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      return { size, end };
    } finally {
      pace.stop();
      slot.giveUp = null;
    }
  }

  /** Bytes that files may still take on this disk. */
  async room(): Promise<number> {
    return Math.max(0, (await freeBytes(this.#folder)) - this.#minFreeBytes);
  }

  /** The database may be on the same disk and must keep its space (FILE-15). */
  async assertRoom(bytes = 1): Promise<void> {
    if ((await this.room()) < bytes) throw unavailable('there is no room for files at the moment');
  }

  /** The current size of a received file: inspecting may have shortened it. */
  async sizeOf(path: string): Promise<number> {
    return (await stat(path)).size;
  }

  async drop(...paths: string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true });
  }
}

/** Watches the speed of an upload. */
class Pace {
  readonly #clock: Clock;
  readonly #onSlow: () => void;
  readonly #startedAt: number;
  #heardAt: number;
  #bytes = 0;
  #timer: Timer;

  constructor(clock: Clock, onSlow: () => void) {
    this.#clock = clock;
    this.#onSlow = onSlow;
    this.#startedAt = this.#heardAt = clock.monotonic();
    this.#timer = clock.setTimer(() => this.#look(), SILENCE_MS);
  }

  note(bytes: number): void {
    this.#bytes += bytes;
    this.#heardAt = this.#clock.monotonic();
  }

  stop(): void {
    this.#timer.cancel();
  }

  #look(): void {
    const now = this.#clock.monotonic();
    const taken = now - this.#startedAt;
    const isSilent = now - this.#heardAt >= SILENCE_MS;
    if (isSilent || taken >= PATIENCE_MS || this.#bytes < (LEAST_BYTES_PER_S * taken) / 1_000) return this.#onSlow();
    this.#timer = this.#clock.setTimer(() => this.#look(), SILENCE_MS - (now - this.#heardAt));
  }
}
