/** How long a stream stays open without a sign of life of its daemon (STREAM-7). */
const LEASE_MS = 60_000;

/**
 * Tells whether the daemon that writes a stream is still there (STREAM-7). Several daemons of one bot share a token:
 * what tells them apart is their sockets, known by when they were opened. A daemon that was killed and started again
 * has a new socket, which does not keep the streams of its predecessor open.
 */
export class StreamLease {
  #heardAt: number;
  /** The last call about the stream, and when the socket was opened over which it came; null when it came over HTTP. */
  #call: { at: number; socketOpenedAt: number | null };

  constructor(now: number) {
    this.#heardAt = now;
    this.#call = { at: now, socketOpenedAt: null };
  }

  /** A call about this stream: whoever makes it is its daemon from now on. */
  called(now: number, socketOpenedAt: number | null): void {
    this.#heardAt = now;
    this.#call = { at: now, socketOpenedAt };
  }

  /** The bot called something else over HTTP. With a socket open that is not this daemon's, it may be another daemon. */
  botCalled(now: number, openSockets: readonly number[]): void {
    if (openSockets.every((openedAt) => this.#isOwn(openedAt))) this.#heardAt = now;
  }

  /** `openSockets`: when each live socket of the bot was opened, on whichever node. */
  isOver(now: number, openSockets: readonly number[]): boolean {
    if (openSockets.some((openedAt) => this.#isOwn(openedAt))) this.#heardAt = now;
    return now - this.#heardAt >= LEASE_MS;
  }

  /** A daemon that calls over HTTP may have any of the sockets that were open at its last call. */
  #isOwn(openedAt: number): boolean {
    const { at, socketOpenedAt } = this.#call;
    return socketOpenedAt === null ? openedAt <= at : openedAt === socketOpenedAt;
  }
}
