/** How long a reader may take to answer a ping before it counts as silent; a burst alone does not. */
const PONG_PATIENCE_MS = 100;
/**
 * How much of its frames a reader has read, as its pongs show: a ping carries the number of bytes sent before it. Bytes
 * count as unread until the reader answers a ping sent after them: otherwise a reader that has stopped would fill
 * megabytes of kernel memory unnoticed (SOCKET-9).
 */
export class ReadProgress {
  #sentBytes = 0;
  /** Bytes sent before the newest ping. */
  #pingedBytes = 0;
  /** Bytes that the reader has confirmed. */
  #confirmedBytes = 0;
  /** When the oldest unanswered ping was sent, or the answer to one before it arrived; null if all are answered. */
  #unansweredSince: number | null = null;

  get unreadBytes(): number {
    return this.#sentBytes - this.#confirmedBytes;
  }

  /** True if the reader has read everything, and owes no answer. */
  get isSettled(): boolean {
    return !this.isAwaited && this.unreadBytes === 0;
  }

  /** Bytes sent since the newest ping. */
  get bytesSincePing(): number {
    return this.#sentBytes - this.#pingedBytes;
  }

  /** True while a ping is unanswered. */
  get isAwaited(): boolean {
    return this.#unansweredSince !== null;
  }

  /** Counts bytes that were sent. */
  sent(bytes: number): void {
    this.#sentBytes += bytes;
  }

  /** Notes a ping; returns its payload. */
  pinged(now: number): string {
    this.#pingedBytes = this.#sentBytes;
    this.#unansweredSince ??= now;
    return String(this.#sentBytes);
  }

  /** Notes the answer to a ping: the reader has read everything sent before that ping. */
  answered(payload: Buffer, now: number): void {
    const bytes = Number(payload.toString('latin1'));
    const isProgress = bytes > this.#confirmedBytes && bytes <= this.#sentBytes;
    if (isProgress) this.#confirmedBytes = bytes;
    if (this.#confirmedBytes >= this.#pingedBytes) this.#unansweredSince = null;
    else if (isProgress) this.#unansweredSince = now;
  }

  /** True while a ping has been unanswered for longer than an attentive reader needs. */
  isSilent(now: number): boolean {
    return this.#unansweredSince !== null && now - this.#unansweredSince > PONG_PATIENCE_MS;
  }
}
