import type { Socket } from 'node:net';

/** Maximum number of requests that a connection may send ahead of their responses. */
const MAX_AHEAD = 100;

interface Line {
  length: number;
  last: Promise<void>;
}

/**
 * Handles the requests of one connection one at a time, each after the previous response has been sent. However many
 * requests a client sends ahead, it has one response in memory (ERR-12).
 */
export class Pipelines {
  readonly #lines = new WeakMap<Socket, Line>();

  /** Resolves when the request may begin, with a function to call when it has been answered. */
  async enter(socket: Socket): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const line = this.#lineOf(socket);
    const { last } = line;
    line.last = promise;
    line.length += 1;
    if (line.length > MAX_AHEAD) socket.destroy();
    if (line.length > 1) await last;
    return () => {
      line.length -= 1;
      resolve();
    };
  }

  #lineOf(socket: Socket): Line {
    let line = this.#lines.get(socket);
    if (!line) this.#lines.set(socket, (line = { length: 0, last: Promise.resolve() }));
    return line;
  }
}
