import type { Socket } from 'node:net';
import { nextSlice, Share } from '../core/slices.ts';

/** Requests that a connection has sent ahead of their answers, at most. */
const MAX_AHEAD = 100;

interface Line {
  length: number;
  last: Promise<void>;
  readonly share: Share;
}

/**
 * The requests of one connection are worked on one after another, each when the answer before it is out: whatever a
 * client sends ahead in one piece, it has one place in each turn of the loop, and one answer in memory (ERR-12).
 */
export class Pipelines {
  readonly #lines = new WeakMap<Socket, Line>();

  /** Resolves when the request's turn has come, with what to call when it is answered. */
  async enter(socket: Socket): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const line = this.#lineOf(socket);
    const { last } = line;
    line.last = promise;
    line.length += 1;
    if (line.length > MAX_AHEAD) socket.destroy();
    if (line.length > 1) await last;
    if (line.share.mustWait) await nextSlice();
    return () => {
      line.length -= 1;
      resolve();
    };
  }

  /** Notes what the answer to a request of this connection took. */
  charge(socket: Socket, ms: number): void {
    this.#lineOf(socket).share.charge(ms);
  }

  #lineOf(socket: Socket): Line {
    let line = this.#lines.get(socket);
    if (!line) this.#lines.set(socket, (line = { length: 0, last: Promise.resolve(), share: new Share() }));
    return line;
  }
}
