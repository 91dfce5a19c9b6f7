import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Probability that a chunk is late, which delays everything after it. */
const LATE = 0.1;

/** A network link to one server with occasional delays; order is kept. */
export class SlowLink implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #mostMs: number;

  private constructor(port: number, mostMs: number) {
    this.#mostMs = mostMs;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
      const far = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
      this.#carry(near, far);
      this.#carry(far, near);
    });
  }

  /**
   * Opens a slow link to the server at an address; returns the link, and the address with which to connect through it.
   */
  static async to(address: string, mostMs: number): Promise<{ link: SlowLink; address: string }> {
    const url = new URL(address);
    const link = new SlowLink(Number(url.port), mostMs);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    url.port = String((link.#server.address() as AddressInfo).port); // it listens on TCP
    return { link, address: url.href };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #carry(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    // Chunks must not overtake each other.
    let order: Promise<unknown> = Promise.resolve();
    const later = (act: () => void): void => {
      const arrival = Math.random() < LATE ? pause(Math.random() * this.#mostMs) : null;
      order = order.then(() => arrival).then(() => to.destroyed || act());
    };
    from.on('data', (bytes) => later(() => void to.write(bytes)));
    from.on('end', () => later(() => void to.end()));
    from.on('error', () => from.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      later(() => void to.destroy());
    });
  }
}
