import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A network link between one node and a server: it can break, or drop everything silently. */
export class Link implements AsyncDisposable {
  readonly #server: Server;
  #target: number;
  readonly #sockets = new Set<Socket>();
  #state: 'whole' | 'broken' | 'silent' = 'whole';

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
  }

  /** A link to this port on loopback. */
  static async to(target: number): Promise<Link> {
    const link = new Link(target);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // it listens on TCP
  }

  /** Leads to another port from now on, as a name does that gets another address; resets the connections. */
  lead(target: number): void {
    this.#target = target;
    this.#tear();
  }

  /** Resets connections and refuses new ones. */
  break(): void {
    this.#state = 'broken';
    this.#tear();
  }

  /** Keeps connections, including new ones, but transfers nothing. */
  silence(): void {
    this.#state = 'silent';
    for (const socket of this.#sockets) socket.pause();
  }

  /** Repairs the link. Connections that were silent are reset, and data in transit is lost. */
  mend(): void {
    if (this.#state === 'silent') this.#tear();
    this.#state = 'whole';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#tear();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #tear(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  #accept(near: Socket): void {
    this.#keep(near);
    if (this.#state === 'broken') return void near.resetAndDestroy();
    if (this.#state === 'silent') return void near.pause();
    const far = connect({ host: '127.0.0.1', port: this.#target, allowHalfOpen: true, noDelay: true });
    this.#keep(far);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.once('close', () => other.resetAndDestroy());
      one.on('data', (bytes) => {
        if (!other.write(bytes)) one.pause();
      });
      one.once('end', () => other.end());
      one.on('drain', () => this.#state !== 'silent' && other.resume());
    }
    return undefined;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
