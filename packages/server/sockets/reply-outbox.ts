import type { Writable } from 'node:stream';

/** Bytes of unsent replies above which no further request begins (SOCKET-10). */
const MAX_WAITING_BYTES = 256 * 1024;
/** Maximum bytes of unsent replies, not counting the newest, before the socket is closed (SOCKET-10). */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024;

/** The replies of one socket: those that wait for the next write, and how much of those written is unsent. */
export class ReplyOutbox {
  #waiting: Buffer[] | null = null;
  #waitingBytes = 0;
  #unsentBytes = 0;

  /** True while so much is unsent that no further request may begin. */
  get isFull(): boolean {
    return this.#waitingBytes + this.#unsentBytes > MAX_WAITING_BYTES;
  }

  /** True if no reply is queued or unsent. */
  get isSettled(): boolean {
    return this.#waiting === null && this.#unsentBytes === 0;
  }

  /** Queues a reply for the next write. Returns true for the first one: a write must be requested. */
  add(frame: Buffer): boolean {
    const isFirst = this.#waiting === null;
    this.#waiting ??= [];
    this.#waiting.push(frame);
    this.#waitingBytes += frame.length;
    return isFirst;
  }

  /** Removes the queued replies, and returns them as one buffer; null for none. */
  take(): Buffer | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#waitingBytes = 0;
    if (!waiting) return null;
    return waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting);
  }

  /** Writes replies; `onSent` is called when the system has taken them. */
  write(stream: Writable, replies: Buffer, onSent: () => void): void {
    this.#unsentBytes += replies.length;
    stream.write(replies, () => {
      this.#unsentBytes -= replies.length;
      onSent();
    });
  }

  /**
   * True if the reader has left so much unread that the socket must close; asked before the newest reply is written.
   */
  isOverdue(stream: Writable): boolean {
    return Math.min(this.#unsentBytes, stream.writableLength) > MAX_UNSENT_BYTES;
  }

  /** True while replies fill the stream: the socket should not be read. */
  isBlocking(stream: Writable): boolean {
    return this.#unsentBytes > 0 && stream.writableLength > stream.writableHighWaterMark;
  }
}
