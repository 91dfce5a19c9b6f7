import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../core/clock.ts';
import { HeldFrames } from './held-frames.ts';
import { ReadProgress } from './read-progress.ts';

/** The reader of a socket, as its connection knows it. */
export interface Reader {
  /** True once its client has given a sign of life. */
  readonly isHeard: boolean;
}

/** Limits that depend on whether the reader has ever been heard: many sockets that never read must cost little. */
interface Pace {
  /** Bytes of frames after which a ping is sent. */
  pingBytes: number;
  /**
   * Unread bytes above which frames for a silent reader are held in the process: the system would copy them per socket.
   */
  holdBytes: number;
}

const HEARD: Pace = { pingBytes: 128 * 1024, holdBytes: 256 * 1024 };
const UNHEARD: Pace = { pingBytes: 16 * 1024, holdBytes: 32 * 1024 };

/** The frames of one socket, at the pace of its reader: written at once, or held while the reader is silent. */
export class PacedFrames {
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #clock: Clock;
  readonly #reader: Reader;
  readonly #progress = new ReadProgress();
  #held: HeldFrames | null = null;

  constructor(socket: WebSocket, stream: Duplex, clock: Clock, reader: Reader) {
    this.#socket = socket;
    this.#stream = stream;
    this.#clock = clock;
    this.#reader = reader;
  }

  /** True while the reader is silent and more than `bytes` are unread. */
  isBehind(bytes: number): boolean {
    // Most readers are not awaited: then no clock is read.
    return this.#progress.isAwaited && this.#progress.unreadBytes + (this.#held?.bytes ?? 0) > bytes && this.isSilent;
  }

  /** True while frames wait for the reader to answer. */
  get isHolding(): boolean {
    return this.#held !== null;
  }

  /** True if no frame is held or unread, and no ping unanswered. */
  get isSettled(): boolean {
    return this.#held === null && this.#progress.isSettled;
  }

  /** True while the reader has left a ping unanswered for too long. */
  get isSilent(): boolean {
    return this.#progress.isSilent(this.#clock.monotonic());
  }

  send(frame: Buffer): void {
    if (this.#held === null && this.isBehind(this.#pace.holdBytes)) this.#held = new HeldFrames();
    if (this.#held) return this.#held.add(frame);
    this.#writeOne(frame);
    if (this.#mustPing) this.ping();
  }

  /** Adds a heartbeat to the held frames, so that it keeps its place behind them. */
  holdTick(frame: Buffer): void {
    this.#held?.addTick(frame);
  }

  ping(): void {
    this.#socket.ping(this.#progress.pinged(this.#clock.monotonic()));
  }

  answered(payload: Buffer): void {
    this.#progress.answered(payload, this.#clock.monotonic());
    if (!this.isSilent) this.release();
  }

  /** Writes the held frames: their reader has answered, or something follows that must not overtake them. */
  release(): void {
    const held = this.#held;
    this.#held = null;
    if (held) this.#write(held.frames);
  }

  /** Called before the socket closes: a reader that answers gets the held frames; a silent one fetches them later. */
  end(): void {
    if (!this.isSilent) this.release();
    this.#held = null;
  }

  /** Frames are not copied: those that many sockets receive are in memory once. */
  #write(frames: readonly Buffer[]): void {
    if (frames.length > 1) this.#stream.cork();
    for (const frame of frames) this.#writeOne(frame);
    if (frames.length > 1) this.#stream.uncork();
    if (this.#mustPing) this.ping();
  }

  #writeOne(frame: Buffer): void {
    this.#stream.write(frame);
    this.#progress.sent(frame.length);
  }

  /** A reader that was never heard is pinged at its first frame, so that it soon counts as one that reads. */
  get #mustPing(): boolean {
    if (!this.#reader.isHeard && !this.#progress.isAwaited) return true;
    return this.#progress.bytesSincePing >= this.#pace.pingBytes;
  }

  get #pace(): Pace {
    return this.#reader.isHeard ? HEARD : UNHEARD;
  }
}
