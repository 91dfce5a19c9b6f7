import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../core/clock.ts';
import { textFrame } from '../log/frames.ts';
import { PacedFrames, type Reader } from './paced-frames.ts';
import { ReplyOutbox } from './reply-outbox.ts';

/** Unsent bytes above which frames are skipped; the next `prev` then shows the gap (SOCKET-9). */
const SKIP_BYTES = 1024 * 1024;

/** Writes replies and frames to one socket, in their order. */
export class SocketWriter {
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #clock: Clock;
  readonly #reader: Reader;
  readonly #onSent: { repliesSent: () => void };
  readonly #replies = new ReplyOutbox();
  /** Created with the first frame or ping. */
  #frames: PacedFrames | null = null;

  /** `onSent`: notified when the system has taken replies. */
  constructor(socket: WebSocket, stream: Duplex, clock: Clock, reader: Reader, onSent: { repliesSent: () => void }) {
    this.#socket = socket;
    this.#stream = stream;
    this.#clock = clock;
    this.#reader = reader;
    this.#onSent = onSent;
  }

  /** True while frames must be skipped: more bytes are unsent than a reader that keeps up would leave (SOCKET-9). */
  get isSlow(): boolean {
    return this.#stream.writableLength > SKIP_BYTES || (this.#frames?.isBehind(SKIP_BYTES) ?? false);
  }

  /** True while the reader has left a ping unanswered for too long. */
  get isSilent(): boolean {
    return this.#frames?.isSilent === true;
  }

  /** True while so many replies are unsent that no further request may begin. */
  get isFull(): boolean {
    return this.#replies.isFull;
  }

  /** True while replies fill the stream: the socket should not be read. */
  get isBlocked(): boolean {
    return this.#replies.isBlocking(this.#stream);
  }

  /** True if nothing is queued, held or unread: a new writer would behave the same. */
  get isSettled(): boolean {
    return this.#replies.isSettled && (this.#frames === null || this.#frames.isSettled);
  }

  sendFrames(bytes: Buffer): void {
    if (!this.isSlow) this.#pacedFrames.send(bytes);
  }

  /**
   * Sends a text outside the log. It is never skipped, because no later `prev` would show the gap. Returns false if the
   * reader had left too many replies unread before.
   */
  sendText(text: string): boolean {
    const isOverdue = this.#replies.isOverdue(this.#stream);
    this.#write(textFrame(text));
    return !isOverdue;
  }

  /** Sends a heartbeat, behind the frames that are held. Returns false as `sendText` does. */
  sendTick(text: string): boolean {
    if (!this.#frames?.isHolding) return this.sendText(text);
    this.#frames.holdTick(textFrame(text));
    return true;
  }

  /** Queues a reply for the next `sendReplies`. Returns true if the caller must request one. */
  post(text: string): boolean {
    return this.#replies.add(textFrame(text));
  }

  /** Writes the queued replies, then the frames, in one write. Returns false as `sendText` does. */
  sendReplies(frames: Buffer | null): boolean {
    const replies = this.#replies.take();
    const isOverdue = this.#replies.isOverdue(this.#stream);
    if (frames) this.#stream.cork();
    if (replies) this.#write(replies);
    if (frames) {
      this.sendFrames(frames);
      this.#stream.uncork();
    }
    return !isOverdue;
  }

  dropReplies(): void {
    this.#replies.take();
  }

  ping(): void {
    this.#pacedFrames.ping();
  }

  answered(payload: Buffer): void {
    this.#frames?.answered(payload);
  }

  /** Called before the socket closes: a reader that answers still gets the held frames. */
  end(): void {
    this.#frames?.end();
  }

  get #pacedFrames(): PacedFrames {
    return (this.#frames ??= new PacedFrames(this.#socket, this.#stream, this.#clock, this.#reader));
  }

  #write(replies: Buffer): void {
    this.#frames?.release();
    this.#replies.write(this.#stream, replies, () => this.#onSent.repliesSent());
  }
}
