import type { Socket } from 'node:net';

/** Requests that a connection has sent ahead of their answers, at most. */
const MAX_AHEAD = 100;

/**
 * The requests of one connection are worked on one after another, each when the answer before it is out: whatever a
 * client sends ahead in one piece, it has one place in each turn of the loop, and one answer in memory (ERR-12).
 */
export class Pipelines {
  readonly #lines = new WeakMap<Socket, { length: number; last: Promise<void> }>();

  /** Resolves when the request's turn has come, with what to call when it is answered. */
  async enter(socket: Socket): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let line = this.#lines.get(socket);
    if (!line) this.#lines.set(socket, (line = { length: 0, last: Promise.resolve() }));
    const { last } = line;
    line.last = promise;
    line.length += 1;
    if (line.length > MAX_AHEAD) socket.destroy();
    if (line.length > 1) await last;
    const entered = line;
    return () => {
      entered.length -= 1;
      resolve();
    };
  }
}
