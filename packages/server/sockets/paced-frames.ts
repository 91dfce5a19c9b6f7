import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../core/clock.ts';
import { HeldFrames } from './held-frames.ts';
import { ReadProgress } from './read-progress.ts';

/**
 * Unread bytes above which frames for a silent reader are held in the process: the system would copy them per socket.
 */
const HOLD_BYTES = 256 * 1024;

/** The frames of one socket, at the pace of its reader: written at once, or held while the reader is silent. */
export class PacedFrames {
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #clock: Clock;
  readonly #progress = new ReadProgress();
  #held: HeldFrames | null = null;

  constructor(socket: WebSocket, stream: Duplex, clock: Clock) {
    this.#socket = socket;
    this.#stream = stream;
    this.#clock = clock;
  }

  /** True while the reader is silent and more than `bytes` are unread. */
  isBehind(bytes: number): boolean {
    return this.#progress.unreadBytes + (this.#held?.bytes ?? 0) > bytes && this.#isSilent;
  }

  /** True while frames wait for the reader to answer. */
  get isHolding(): boolean {
    return this.#held !== null;
  }

  /** True if no frame is held or unread, and no ping unanswered. */
  get isSettled(): boolean {
    return this.#held === null && this.#progress.isSettled;
  }

  get #isSilent(): boolean {
    return this.#progress.isSilent(this.#clock.now());
  }

  send(frame: Buffer): void {
    if (this.#held === null && this.isBehind(HOLD_BYTES)) this.#held = new HeldFrames();
    if (this.#held) this.#held.add(frame);
    else this.#write([frame]);
  }

  /** Adds a heartbeat to the held frames, so that it keeps its place behind them. */
  holdTick(frame: Buffer): void {
    this.#held?.addTick(frame);
  }

  ping(): void {
    this.#socket.ping(this.#progress.pinged(this.#clock.now()));
  }

  answered(payload: Buffer): void {
    this.#progress.answered(payload, this.#clock.now());
    if (!this.#isSilent) this.release();
  }

  /** Writes the held frames: their reader has answered, or something follows that must not overtake them. */
  release(): void {
    const held = this.#held;
    this.#held = null;
    if (held) this.#write(held.frames);
  }

  /** Called before the socket closes: a reader that answers gets the held frames; a silent one fetches them later. */
  end(): void {
    if (!this.#isSilent) this.release();
    this.#held = null;
  }

  /** Frames are not copied: those that many sockets receive are in memory once. */
  #write(frames: readonly Buffer[]): void {
    let mustPing = false;
    if (frames.length > 1) this.#stream.cork();
    for (const frame of frames) {
      this.#stream.write(frame);
      mustPing = this.#progress.sent(frame.length);
    }
    if (frames.length > 1) this.#stream.uncork();
    if (mustPing) this.ping();
  }
}
