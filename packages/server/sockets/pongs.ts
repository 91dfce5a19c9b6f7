import type { WebSocket } from 'ws';

/** Maximum pongs in flight to one reader. */
const MAX_IN_FLIGHT = 32;

/**
 * Answers the pings of one socket. If pings arrive faster than pongs are read, only the newest is answered (SOCKET-14).
 */
export class Pongs {
  readonly #socket: Pick<WebSocket, 'pong' | 'readyState'>;
  #inFlight = 0;
  /** The newest ping that arrived while too many pongs were in flight. */
  #newest: Buffer | null = null;

  constructor(socket: Pick<WebSocket, 'pong' | 'readyState'>) {
    this.#socket = socket;
  }

  answer(payload: Buffer): void {
    if (this.#socket.readyState !== 1) return;
    if (this.#inFlight >= MAX_IN_FLIGHT) {
      this.#newest = payload;
      return;
    }
    this.#inFlight += 1;
    this.#socket.pong(payload, false, () => {
      this.#inFlight -= 1;
      const newest = this.#newest;
      this.#newest = null;
      if (newest) this.answer(newest);
    });
  }
}
