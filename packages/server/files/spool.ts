import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Clock, Timer } from '../clock.ts';
import { invalid, ServiceError } from '../errors.ts';

/** Nothing came for so long: the upload is given up. */
const SILENCE_MS = 20_000;
/** It must come whole within this time. */
const PATIENCE_MS = 600_000;

/** Where files lie while they come in and are looked at: on the local disk, never whole in memory (FILE-2). */
export class Spool {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** What a former process left half-made is of no use to anyone. */
  async start(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  newPath(): string {
    return join(this.#folder, randomUUID());
  }

  /** Writes what comes into a new file; answers its size. */
  async receive(bytes: AsyncIterable<Uint8Array>, path: string, maxBytes: number): Promise<number> {
    const { promise: tooSlow, reject } = Promise.withResolvers<never>();
    const pace = new Pace(this.#clock, () => reject(invalid('file', 'came too slowly')));
    let size = 0;
    const counted = async function* (source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        size += chunk.length;
        pace.note();
        if (size > maxBytes)
          throw new ServiceError('too_large', `the file is larger than ${maxBytes} bytes`, { field: 'file' });
        yield chunk;
      }
    };
    const writing = pipeline(bytes, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    try {
      // Whoever sends nothing more is not waited for; the writing ends with the request.
      await Promise.race([writing, tooSlow]);
      return size;
    } finally {
      writing.catch(() => {});
      pace.stop();
    }
  }

  async drop(...paths: string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true });
  }
}

/** Watches over something that comes bit by bit. */
class Pace {
  readonly #clock: Clock;
  readonly #onSlow: () => void;
  readonly #startedAt: number;
  #heardAt: number;
  #timer: Timer;

  constructor(clock: Clock, onSlow: () => void) {
    this.#clock = clock;
    this.#onSlow = onSlow;
    this.#startedAt = this.#heardAt = clock.now();
    this.#timer = clock.setTimer(() => this.#look(), SILENCE_MS);
  }

  note(): void {
    this.#heardAt = this.#clock.now();
  }

  stop(): void {
    this.#timer.cancel();
  }

  #look(): void {
    const now = this.#clock.now();
    if (now - this.#heardAt >= SILENCE_MS || now - this.#startedAt >= PATIENCE_MS) return this.#onSlow();
    this.#timer = this.#clock.setTimer(() => this.#look(), SILENCE_MS - (now - this.#heardAt));
  }
}
