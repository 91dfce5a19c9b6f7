import type { RedisConnection } from './redis-connection.ts';

interface Options {
  connection: RedisConnection;
  /** The installation's prefix: several may share one Redis. */
  prefix: string;
  /** The publishing node: it ignores its own messages. */
  nodeKey: number;
}

/** One Redis channel to which all nodes listen; messages keep each publisher's order (CLUSTER-21). */
export class Bus {
  readonly #connection: RedisConnection;
  readonly #channel: string;
  readonly #head: string;
  onMessage: (text: string) => void = () => {};
  /** Messages published while Redis was unavailable are lost. */
  onUp: () => void = () => {};
  onDown: () => void = () => {};
  #isClosed = false;

  constructor({ connection, prefix, nodeKey }: Options) {
    this.#connection = connection;
    this.#channel = `${prefix}:log`;
    this.#head = `${nodeKey} `;
    const own = Buffer.from(this.#head);
    connection.listen(this.#channel, (bytes) => {
      if (this.#isClosed || bytes.subarray(0, own.length).equals(own)) return;
      this.onMessage(bytes.toString('utf8', bytes.indexOf(' ') + 1));
    });
    connection.onUp(() => this.#isClosed || this.onUp());
    connection.onDown(() => this.#isClosed || this.onDown());
  }

  get isUp(): boolean {
    return !this.#isClosed && this.#connection.isUp;
  }

  /** Publishes to all other nodes; the message is dropped if Redis is unavailable. */
  publish(text: string): void {
    if (!this.isUp) return;
    // A node that misses a message reads it from the log, so no answer is needed.
    this.#connection.command('PUBLISH', this.#channel, this.#head + text).catch(() => {});
  }

  close(): void {
    this.#isClosed = true;
  }
}
