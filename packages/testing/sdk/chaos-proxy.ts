import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Pair {
  client: Socket;
  server: Socket;
}

/** A network between clients and the service that can be slow, cut, reset, or silent. */
export class ChaosProxy implements AsyncDisposable {
  /** Delay of each chunk in both directions; order is kept. */
  delayMs = 0;
  /** Breaks the connection after this many bytes from the service, at any position within a frame. */
  cutAfterBytes = Infinity;
  /** The same for bytes from clients. */
  cutAfterSentBytes = Infinity;
  /** Drops everything without closing connections. */
  #isSilent = false;
  #isDown = false;
  readonly #pairs = new Set<Pair>();
  readonly #server: Server;
  readonly #target: URL;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((client) => this.#accept(client));
  }

  static async start(target: string): Promise<ChaosProxy> {
    const proxy = new ChaosProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo; // it listens on TCP
    return `http://127.0.0.1:${port}`;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** Ends all connections; with `reset` without a close handshake. */
  cut({ reset = false } = {}): void {
    for (const pair of this.#pairs) this.#end(pair, reset);
  }

  /** Half-open: connections stay, but transfer nothing. */
  silence(): void {
    this.#isSilent = true;
    for (const { client, server } of this.#pairs) for (const socket of [client, server]) socket.pause();
  }

  /** Ends all connections and refuses new ones. */
  takeDown(): void {
    this.#isDown = true;
    this.cut({ reset: true });
  }

  /** Restores a working network. */
  heal(): void {
    this.#isDown = false;
    this.#isSilent = false;
    this.delayMs = 0;
    this.cutAfterBytes = Infinity;
    this.cutAfterSentBytes = Infinity;
    for (const { client, server } of this.#pairs) for (const socket of [client, server]) socket.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut({ reset: true });
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    if (this.#isDown) return breakOff(client);
    const server = connect(Number(this.#target.port), this.#target.hostname);
    const pair = { client, server };
    this.#pairs.add(pair);
    this.#pipe(pair, server, client, () => {
      const most = this.cutAfterBytes;
      return { most, spend: (bytes) => (this.cutAfterBytes = most - bytes) };
    });
    this.#pipe(pair, client, server, () => {
      const most = this.cutAfterSentBytes;
      return { most, spend: (bytes) => (this.cutAfterSentBytes = most - bytes) };
    });
    if (this.#isSilent) for (const socket of [client, server]) socket.pause();
    return undefined;
  }

  #pipe(pair: Pair, from: Socket, to: Socket, budget: () => { most: number; spend: (bytes: number) => void }): void {
    let last = Promise.resolve();
    from.setNoDelay(true);
    from.on('data', (chunk: Buffer) => {
      const { most, spend } = budget();
      const part = chunk.subarray(0, most);
      spend(part.length);
      const isEnd = part.length < chunk.length;
      const send = (): void => {
        if (!to.destroyed) to.write(part);
        if (isEnd) this.#cutAndRestore(pair);
      };
      if (this.delayMs === 0) return void (last = last.then(send));
      const { delayMs } = this;
      last = last.then(
        () =>
          new Promise((resolve) =>
            setTimeout(() => {
              send();
              resolve();
            }, delayMs),
          ),
      );
      return undefined;
    });
    from.on('error', () => this.#end(pair, true));
    from.on('close', () => void last.then(() => this.#end(pair, false)));
  }

  #cutAndRestore(pair: Pair): void {
    // Flushes what was written before the end.
    setImmediate(() => this.#end(pair, false));
    this.cutAfterBytes = Infinity;
    this.cutAfterSentBytes = Infinity;
  }

  #end(pair: Pair, reset: boolean): void {
    if (!this.#pairs.delete(pair)) return;
    for (const socket of [pair.client, pair.server])
      if (reset) breakOff(socket);
      else {
        socket.resume();
        socket.end();
        socket.destroySoon();
      }
  }
}

/** Resets a socket. One that has already sent its end cannot be reset: its handle would stay open. */
const breakOff = (socket: Socket): void =>
  void (socket.readyState === 'open' ? socket.resetAndDestroy() : socket.destroy());
