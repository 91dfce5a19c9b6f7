/** How long a stream stays open without a sign of life from its daemon (STREAM-7). */
const LEASE_MS = 60_000;

/**
 * Decides whether the daemon that writes a stream is still alive (STREAM-7). Several daemons of one bot share a token,
 * so they are distinguished by their sockets, which are identified by when they were opened. A daemon that was killed
 * and started again has a new socket, which does not keep the streams of its predecessor open.
 */
export class StreamLease {
  #heardAt: number;
  /** The last call about the stream, and when its socket was opened; null for a call over HTTP. */
  #call: { at: number; socketOpenedAt: number | null };

  constructor(now: number) {
    this.#heardAt = now;
    this.#call = { at: now, socketOpenedAt: null };
  }

  /** Records a call about this stream: the caller becomes the stream's daemon. */
  called(now: number, socketOpenedAt: number | null): void {
    this.#heardAt = now;
    this.#call = { at: now, socketOpenedAt };
  }

  /**
   * Records another call of the bot over HTTP. It renews the lease only if no open socket can belong to another daemon.
   */
  botCalled(now: number, openSockets: readonly number[]): void {
    if (openSockets.every((openedAt) => this.#isOwn(openedAt))) this.#heardAt = now;
  }

  /** `openSockets`: when each live socket of the bot was opened, on any node. */
  isOver(now: number, openSockets: readonly number[]): boolean {
    if (openSockets.some((openedAt) => this.#isOwn(openedAt))) this.#heardAt = now;
    return now - this.#heardAt >= LEASE_MS;
  }

  /** A daemon that calls over HTTP may own any socket that was open at its last call. */
  #isOwn(openedAt: number): boolean {
    const { at, socketOpenedAt } = this.#call;
    return socketOpenedAt === null ? openedAt <= at : openedAt === socketOpenedAt;
  }
}
